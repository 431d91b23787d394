// Makes queries to test and time a GPU. Each kind of query has its own inputs, mostly crumpled sheets with
// many contacts, whose size can be chosen. Each test query can run on the GPU and on the CPU.
import type { SweptBodies } from '../ccd/bodySweeper.js';
import type { SweptContacts } from '../ccd/sweptContacts.js';
import type { EngineHost } from '../core/module.js';
import type { ManyTrianglePairs, PairsCopy, TrianglePairs } from '../core/results.js';
import type { Mesh, MeshData } from '../mesh/mesh.js';
import { Bodies } from '../scene/bodies.js';
import { GpuUnfit } from './device/gpuErrors.js';
import { pairsOfHits } from './gpuQueries.js';
import type { GpuSystems, QueryKind } from './gpuSystems.js';
import type { SyncMethods } from './syncMethods.js';

/** An answer, as lists of numbers. */
type Lists = readonly ArrayLike<number>[];
interface TestQuery {
  onGpu: () => Promise<Lists>;
  onCpu: () => Lists;
}
/**
 * size: size of the last query, in the unit of AsyncQuery.size. Only this query is timed; the others may be
 * smaller or larger.
 */
export interface SelfTest {
  size: number;
  queries: readonly TestQuery[];
}

export interface SelfTestContext {
  host: EngineHost;
  methods: SyncMethods;
  systems: GpuSystems;
}
type UseSelfTest = <Result>(
  context: SelfTestContext,
  squares: number,
  use: (test: SelfTest) => Promise<Result>,
) => Promise<Result>;

/** Squares along a side of a small sheet. */
const SMALL_SHEET_SQUARES = 3;
/** Squares along a side of a sheet that is used for many bodies. */
const BODY_SHEET_SQUARES = 6;

const listsOf = ({ a, b }: Pick<PairsCopy, 'a' | 'b'>): Lists => [a, b];
const contactLists = (found: unknown): Lists => {
  const { toi, bound, kind, featureA, featureB } = found as SweptContacts;
  return [toi, bound, kind, featureA, featureB];
};

export const selfTests: Readonly<Record<QueryKind, UseSelfTest>> = {
  // Each of the first two queries pairs large meshes with small ones, and small ones with each other. The front
  // of such a query then contains pairs of a node and a leaf as well as pairs of leaves.
  query: ({ host, methods, systems: { queries } }, squares, use) =>
    withSheets(host, squares, (a, b) =>
      withSheets(host, SMALL_SHEET_SQUARES, (c, d) => {
        const pairs = [
          [a, c],
          [c, a],
          [c, d],
        ].map(([first, second], i) => ({ a: first!, b: second!, transformB: placements[i] }));
        return use({
          size: a.triangleCount + b.triangleCount,
          queries: [
            {
              onGpu: async () => listsOf(await queries.query(pairs)),
              onCpu: () => listsOf((methods.queryMany({ pairs }) as ManyTrianglePairs).copy()),
            },
            {
              onGpu: async () => [(await queries.query(pairs, { want: 'any' })).pairsAt],
              onCpu: () => [pairsOfHits(methods.queryMany({ pairs, want: 'any' }) as Uint32Array).pairsAt],
            },
            ...placements.map(transformB => ({
              onGpu: async () => listsOf(await queries.query([{ a, b, transformB }])),
              onCpu: () => listsOf((methods.query(a, b, { transformB }) as TrianglePairs).copy()),
            })),
          ],
        });
      }),
    ),
  selfQuery: ({ host, methods, systems: { queries } }, squares, use) =>
    withSheets(host, squares, a =>
      use({
        size: a.triangleCount,
        queries: (['index', 'position'] as const).map(neighbors => ({
          onGpu: async () => listsOf(await queries.query([{ a, b: a }], { neighbors })),
          onCpu: () => listsOf((methods.selfQuery(a, { neighbors }) as TrianglePairs).copy()),
        })),
      }),
    ),
  boxPairs: ({ methods, systems }, squares, use) => {
    const boxes = boxesOf(sheet(2 * squares, 7));
    const against = boxesOf(sheet(squares, 8));
    return use({
      size: boxes.length / 6,
      queries: [{ against }, {}].map(options => ({
        onGpu: async () => listsOf((await systems.boxPairs(boxes, options)).answer),
        onCpu: () => listsOf(methods.boxPairs(boxes, options).copy()),
      })),
    });
  },
  sweep: ({ host, methods, systems: { sweeps } }, squares, use) =>
    withSheets(host, squares, (a, b) => {
      const options = { fromB: above, toB: below, want: 'all' } as const;
      const from = sheet(squares, 7).positions;
      const to = sheet(squares, 9).positions;
      return use({
        size: a.triangleCount + b.triangleCount,
        queries: [
          {
            onGpu: async () =>
              contactLists((await sweeps.sweepVertices(a, from, to, { want: 'all' })).answer),
            onCpu: () => contactLists(methods.sweepVertices(a, from, to, { want: 'all' })),
          },
          {
            onGpu: async () => contactLists((await sweeps.sweep(a, b, options)).answer),
            onCpu: () => contactLists(methods.sweep(a, b, options)),
          },
        ],
      });
    }),
  // A row of inclined sheets: many of their boxes overlap, but few sheets touch.
  sweepBodies: ({ host, systems: { bodyPairFilter } }, squares, use) =>
    withSheets(host, BODY_SHEET_SQUARES, async (a, b) => {
      const bodies = new Bodies(host.context);
      const sweeper = host.makeBodySweeper();
      const from = new Float64Array(24 * squares);
      if (!sweeper) throw new GpuUnfit("the module 'continuous' was left out");
      try {
        for (let i = 0; i < 2 * squares; i++) {
          const away = 0.35 * i + (i % 8 === 7 ? 0.25 : 0);
          const along = Math.floor(i / 2) * 2 ** -9;
          bodies.add(
            i % 2 === 0 ? a : b,
            1,
            1,
            Float64Array.of(0.6, 0, 0.8, away, 0, 1, 0, along, -0.8, 0, 0.6, 0),
          );
          from.set([0.6, 0, 0.8, away - 0.03, 0, 1, 0, 0, -0.8, 0, 0.6, 0.02], 12 * i);
        }
        const queries = [0.01, 0].map(minSeparation => {
          const motion = sweeper.begin(
            bodies,
            from,
            { continuous: true, want: 'all', minSeparation },
            near => near,
          );
          const listsOfSwept = (swept: SweptBodies): Lists => [...contactLists(swept), ...listsOf(swept)];
          motion.findPairs();
          return {
            pairs: motion.pairs.count,
            onGpu: async () =>
              listsOfSwept(motion.findContacts((await bodyPairFilter.filter(motion)).remaining)),
            onCpu: () => listsOfSwept(motion.findContacts()),
          };
        });
        return await use({ size: queries[1].pairs * (a.triangleCount + b.triangleCount), queries });
      } finally {
        if (!host.context.arena.isClosed) for (const resource of [sweeper, bodies]) resource.dispose();
      }
    }),
  sweepFeatures: ({ methods, systems: { sweeps } }, squares, use) => {
    const wide = random(9, 64);
    const narrow = random(10, 4);
    const size = 2 * squares * squares;
    // Every second pair lies in a small region, where many features touch.
    const points = Float64Array.from({ length: 24 * size }, (_, i) =>
      Math.floor(i / 24) % 2 === 0 ? wide() : narrow(),
    );
    return use({
      size,
      queries: (['VF', 'EE'] as const).map(kind => ({
        onGpu: async () => [(await sweeps.contactTimes(kind, points, {})).answer],
        onCpu: () => [methods.contactTimes(kind, points)],
      })),
    });
  },
};

async function withSheets<Result>(
  host: EngineHost,
  squares: number,
  use: (a: Mesh, b: Mesh) => Promise<Result>,
): Promise<Result> {
  const meshes: Mesh[] = [];
  try {
    for (const seed of [7, 8]) meshes.push(host.createMesh(sheet(squares, seed)));
    return await use(meshes[0], meshes[1]);
  } finally {
    if (!host.context.arena.isClosed) for (const mesh of meshes) mesh.dispose();
  }
}

/** Returns a function that generates pseudorandom integers from 0 to `below` - 1. */
function random(seed: number, below: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// Returns a crumpled sheet. All heights are multiples of one number, so that many triangles touch, are coplanar
// or share a line, and some pierce others.
function sheet(squares: number, seed: number): Required<Pick<MeshData, 'indices'>> & MeshData {
  const side = squares + 1;
  const positions = new Float32Array(3 * side * side);
  const indices = new Uint32Array(6 * squares * squares);
  const shift = random(seed, 3);
  const height = random(seed + 100, 4);
  for (let i = 0; i < side * side; i++)
    positions.set(
      [
        ((i % side) + shift() / 2) / squares - 0.5,
        (Math.floor(i / side) + shift() / 2) / squares - 0.5,
        height() / (2 * squares),
      ],
      3 * i,
    );
  for (let i = 0; i < squares * squares; i++) {
    const corner = i + Math.floor(i / squares);
    indices.set([corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side], 6 * i);
  }
  return { positions, indices };
}

// Returns a box for each triangle. Every second box is mirrored to negative z, which may give -0. The first
// box is replaced by a box that contains all others.
function boxesOf({ positions, indices }: ReturnType<typeof sheet>): Float32Array {
  const boxes = new Float32Array(2 * indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const sign = axis === 2 && i % 2 === 1 ? -1 : 1;
      const values = [0, 1, 2].map(corner => sign * positions[3 * indices[i + corner] + axis]);
      boxes[2 * i + axis] = Math.min(...values);
      boxes[2 * i + 3 + axis] = Math.max(...values);
    }
  }
  boxes.set([-1, -1, -1, 2, 2, 2]);
  return boxes;
}

const placement = (...matrix: number[]): Float64Array => Float64Array.from([...matrix, 1]);
// Placements: shifted by 1/14 of a side (many contacts); scaled down; rotated, scaled and sheared; rotated and
// shifted.
const placements = [
  placement(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1 / 14, 0, 0),
  placement(1 / 3, 0, 0, 0, 0, 1 / 3, 0, 0, 0, 0, 1 / 3, 0, 0, 0, 0),
  placement(0.6, 0.9, 0, 0, -1.2, 0.5, 0.1, 0, 0, 0.25, 1, 0, 0.1, 0, 0),
  placement(0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 0.4, 0.1, 0.3),
];
const above = placement(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.01, 0.02, 0.3);
const below = placement(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.03, 0, -0.1);
