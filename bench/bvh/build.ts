// Measures how long pfront's two builders (SAH and Morton) and three-mesh-bvh take to build trees, and how long
// it takes to refit these trees. Also compares queries on the trees of pfront's two builders.
//
// Build times of both libraries include copying the vertices and indices, because the trees of both libraries
// have copies of their own. Refit times include copying the vertices.

import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { type MeshData, randomPlacements } from '../../dist/samples/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { loadMesh, loadMeshes, type NamedMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL } from '../support/rival.js';
import { summarize } from '../support/statistics.js';
import { interleave, interleaveBlocks } from '../support/timing.js';

const SEED = 1;
const report = new Report('build', SEED);
const engines = { 1: await createEngine({ threads: 1 }), all: await createEngine({ threads: coreCount }) };

const createdMeshes: Mesh[] = [];
const clear = (): void => {
  while (createdMeshes.length > 0) createdMeshes.pop()!.dispose();
};
const options = (builder: 'sah' | 'morton', deformable: boolean) => ({ builder, deformable });
const create = (engine: Engine, data: MeshData, builder: 'sah' | 'morton') => {
  createdMeshes.push(engine.createMesh(data, options(builder, false)));
};

function measureBuilds({ name: scene, data }: NamedMesh, iterations: number): void {
  const builders: [variant: string, build: () => void][] = [
    ['pfront sah', () => create(engines[1], data, 'sah')],
    ['pfront morton', () => create(engines[1], data, 'morton')],
    [RIVAL, () => buildRival(data)],
    [`${RIVAL} sah`, () => buildRival(data, 'sah')],
    [`pfront sah, ${threadsText(coreCount)}`, () => create(engines.all, data, 'sah')],
    [`pfront morton, ${threadsText(coreCount)}`, () => create(engines.all, data, 'morton')],
  ];
  // `clear` disposes of the previous tree outside of the measured time.
  const timings = interleaveBlocks(
    Array.from({ length: iterations }, (_, iteration) => iteration),
    builders.map(([name, run]) => ({ name, run, prepare: clear })),
    1,
  );
  clear();
  const rival = timings.find(({ name }) => name === RIVAL)!;
  const limits: Record<string, string> = { 'pfront sah': '>= 1.5 x', 'pfront morton': '>= 4 x' };
  for (const { name: variant, ...times } of timings) {
    report.add({
      scene,
      measure: 'build',
      variant,
      unit: 'ms',
      ...times,
      rival: RIVAL,
      ratio: rival.median / times.median,
      limit: limits[variant],
    });
  }
}

// Displaces vertices by up to 2 % of the mesh's size, which is too little for an update to rebuild the tree.
function displacedPositions({ positions }: MeshData, phase: number): Float32Array {
  const size = summarize(positions.map(Math.abs)).max;
  return positions.map(
    (value, i) => value + 0.02 * size * Math.sin((3 / size) * positions[i - (i % 3) + ((i + 1) % 3)] + phase),
  );
}

function measureRefits({ name: scene, data }: NamedMesh, iterations: number): void {
  const frames = [0, 1, 2, 3].map(phase => displacedPositions(data, phase));
  let rebuiltCount = 0;
  const refit =
    (mesh: Mesh) =>
    (frame: Float32Array): void => {
      if (mesh.update(frame).rebuilt) rebuiltCount++;
    };
  const meshes = [
    engines[1].createMesh(data, options('sah', true)),
    engines[1].createMesh(data, options('morton', true)),
    engines.all.createMesh(data, options('sah', true)),
  ];
  const rival = buildRival(data);
  const timings = interleave(
    frames,
    [
      { name: 'pfront sah', run: refit(meshes[0]) },
      { name: 'pfront morton', run: refit(meshes[1]) },
      {
        name: RIVAL,
        run: (frame: Float32Array) => {
          rival.getAttribute('position').array.set(frame);
          rival.boundsTree.refit();
        },
      },
      { name: `pfront sah, ${threadsText(coreCount)}`, run: refit(meshes[2]) },
    ],
    iterations,
  );
  for (const { name: variant, ...times } of timings) {
    const limit = variant === 'pfront sah' ? '>= 6 x' : undefined;
    report.add({
      scene,
      measure: 'refit',
      variant,
      unit: 'ms',
      ...times,
      rival: RIVAL,
      ratio: timings[2].median / times.median,
      limit,
      note: variant.startsWith('pfront') && rebuiltCount > 0 ? `${rebuiltCount} rebuilt in total` : undefined,
    });
  }
  for (const mesh of meshes) mesh.dispose();
}

// Compares the quality of the trees: runs the same queries on each of them.
function measureQueries({ name: scene, data }: NamedMesh, iterations: number): void {
  const meshes = (['sah', 'morton'] as const).map(builder =>
    engines[1].createMesh(data, options(builder, false)),
  );
  const cases = randomPlacements(data, isQuick ? 4 : 20, SEED);
  const [sah, morton] = interleave(
    cases,
    meshes.map((mesh, i) => ({
      name: ['pfront sah', 'pfront morton'][i],
      run: (transformB: Float64Array) => engines[1].query(mesh, mesh, { transformB, order: 'any' }),
    })),
    iterations,
  );
  for (const { name: variant, ...times } of [sah, morton])
    report.add({
      scene,
      measure: 'all pairs on that tree',
      variant,
      unit: 'ms',
      ...times,
      rival: 'pfront sah',
      ratio: sah.mean / times.mean,
    });
  for (const mesh of meshes) mesh.dispose();
}

const bunny = (await loadMesh('bunny'))!;
for (const mesh of [
  bunny,
  ...(await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const]))),
]) {
  measureBuilds(mesh, isQuick ? 3 : 9);
  measureRefits(mesh, isQuick ? 2 : 15);
  measureQueries(mesh, isQuick ? 1 : 5);
}
engines[1].dispose();
engines.all.dispose();
report.save();
