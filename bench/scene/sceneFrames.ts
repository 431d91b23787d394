// Measures a frame of a moving epicyclic gear train, from new transforms to all triangle pairs. A scene
// is measured as a whole and stage by stage, and compared with queryMany and with three-mesh-bvh.
//
// queryMany and three-mesh-bvh are given the pairs of bodies that the scene tests, so their times do not
// include the search for these pairs.

import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { epicyclicTrain, type MeshData } from '../../dist/samples/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { buildRival, RIVAL, type RivalMesh, RivalPairs, relativeMatrix } from '../support/rival.js';
import { median, sum, summarize } from '../support/statistics.js';
import { type Contender, interleave } from '../support/timing.js';

const FRAMES = isQuick ? 3 : 20;
const ITERATIONS = isQuick ? 1 : 7;
const STAGES = ['place', 'broad', 'choose', 'narrow', 'queries'] as const;
const report = new Report('sceneFrames');
const train = epicyclicTrain();
const partMeshes = train.parts.map(({ mesh }) => train.meshes[mesh]);

/** The placements of the parts in a frame, and the pairs that a scene tests. */
interface Case {
  matrices: Float64Array;
  near: [number, number][];
}

const matrixOf = ({ matrices }: Case, part: number): Float64Array =>
  matrices.subarray(16 * part, 16 * part + 16);

// Calls `make` once for each mesh of the train. Returns, for each part of the train, what `make` returned for
// the part's mesh.
function makeForParts<Made>(make: (data: MeshData) => Made): Made[] {
  const known = new Map(train.meshes.map(data => [data, make(data)]));
  return partMeshes.map(data => known.get(data)!);
}

// Returns, for each frame, the pairs of parts that a scene tests: the pairs whose oriented boxes overlap and
// for which the scene finds no separating plane. To find out whether a pair is tested, puts the two parts into
// a scene without other parts.
async function casesOf(): Promise<Case[]> {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const meshes = makeForParts(data => engine.createMesh(data));
  const cases = Array.from({ length: FRAMES }, (_, frame): Case => {
    const at: Case = { matrices: train.frame(frame), near: [] };
    meshes.forEach((a, i) =>
      meshes.slice(i + 1).forEach((b, k) => {
        using pairScene = engine.createScene();
        pairScene.add(a, { transform: matrixOf(at, i) });
        pairScene.add(b, { transform: matrixOf(at, i + 1 + k) });
        if (pairScene.detect({ narrow: 'any' }).stats.candidates > 0) at.near.push([i, i + 1 + k]);
      }),
    );
    return at;
  });
  engine.dispose();
  return cases;
}

/** For each contender that is a scene: for each call, the milliseconds of its stages in the order of STAGES. */
const stages = new Map<string, number[][]>();
const found = new Map<string, number>();

function makeSceneContender(engine: Engine): Contender<Case> {
  const bodies = engine.createScene();
  for (const mesh of makeForParts(data => engine.createMesh(data))) bodies.add(mesh);
  const name = `scene, ${threadsText(engine.info.threads)}`;
  const calls: number[][] = [];
  stages.set(name, calls);
  return {
    name,
    run: ({ matrices }) => {
      const startedAt = performance.now();
      bodies.setTransforms(matrices);
      const place = performance.now() - startedAt;
      const {
        stats: {
          milliseconds: { broad, choose, narrow },
          queries,
        },
        triangles,
      } = bodies.detect();
      calls.push([place, broad, choose, narrow, sum(queries.map(({ milliseconds }) => milliseconds))]);
      found.set(name, (found.get(name) ?? 0) + triangles.a.length);
    },
  };
}

function makeQueryManyContender(engine: Engine): Contender<Case> {
  const meshes = makeForParts(data => engine.createMesh(data));
  const name = `queryMany, ${threadsText(engine.info.threads)}`;
  return {
    name,
    run: at => {
      const pairs = at.near.map(([i, j]) => ({
        a: meshes[i] as Mesh,
        b: meshes[j] as Mesh,
        transformA: matrixOf(at, i),
        transformB: matrixOf(at, j),
      }));
      found.set(name, (found.get(name) ?? 0) + engine.queryMany({ pairs }).count);
    },
  };
}

function makeRivalContender(): Contender<Case> {
  const meshes = makeForParts(buildRival);
  const list = new RivalPairs();
  return {
    name: RIVAL,
    run: at => {
      list.clear();
      for (const [i, j] of at.near)
        list.add(
          meshes[i] as RivalMesh,
          meshes[j] as RivalMesh,
          relativeMatrix(matrixOf(at, i), matrixOf(at, j)),
        );
      found.set(RIVAL, (found.get(RIVAL) ?? 0) + list.count);
    },
  };
}

const cases = await casesOf();
const engines = [
  await createEngine({ threads: 1 }),
  ...(coreCount > 1 ? [await createEngine({ threads: coreCount })] : []),
];
const timings = interleave(
  cases,
  [
    ...engines.flatMap(engine => [makeSceneContender(engine), makeQueryManyContender(engine)]),
    makeRivalContender(),
  ],
  ITERATIONS,
);
const rival = timings.find(({ name }) => name === RIVAL)!;
for (const { name, perCase, mean } of timings) {
  const calls = stages.get(name);
  const parts =
    calls &&
    STAGES.map((stage, i) => `${stage} ${median(calls.slice(FRAMES).map(call => call[i])).toFixed(3)}`).join(
      ', ',
    );
  const count = `${(found.get(name)! / (ITERATIONS + 1) / FRAMES).toFixed(0)} triangle pairs`;
  report.add({
    scene: 'epicyclic train 149K',
    measure: 'a frame, all triangle pairs',
    variant: name,
    unit: 'ms',
    ...summarize(perCase),
    rival: name === RIVAL ? undefined : RIVAL,
    ratio: name === RIVAL ? undefined : rival.mean / mean,
    note: parts
      ? `${parts}; ${count}`
      : `${(sum(cases.map(({ near }) => near.length)) / FRAMES).toFixed(0)} pairs of parts, ${count}`,
  });
}
for (const engine of engines) engine.dispose();
report.save();
