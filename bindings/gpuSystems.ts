// An engine and a device -> what is asked of it, the answers that it must know, and from which size on it is quicker than the CPU.
import type { EngineHost } from './feature.js';
import { crossoverOf, type Timed } from './crossover.js';
import { GpuQueries } from './gpuQueries.js';
import type { GpuPart } from './gpuRunner.js';
import type { Mesh, MeshData } from './mesh.js';
import type { PairsCopy, TrianglePairs } from './results.js';
import type { SyncVerbs } from './syncVerbs.js';
import { acquireGpu } from './webgpu/acquire.js';

export interface GpuSystems { queries: GpuQueries }

/** Kinds of questions, each with a crossover of its own: in triangles of all meshes that are asked about. */
export type QuestionKind = 'query' | 'selfQuery';

/** Squares along a side of the fields that are asked about. */
const CHECKED = 14, SMALL = 8, LARGE = 64;

export function gpuPart(host: EngineHost, verbs: SyncVerbs): GpuPart<GpuSystems, QuestionKind> {
  return {
    acquire: acquireGpu,
    make: (gpu) => ({ queries: new GpuQueries(host, gpu) }),
    dispose: ({ queries }) => queries.dispose(),
    check: ({ queries }) => withMeshes(host, CHECKED, async (a, b) => {
      for (const transformB of placements) {
        expectSame('query', await queries.ask([{ a, b, transformB }]), (verbs.query(a, b, { transformB }) as TrianglePairs).copy());
      }
      if (!verbs.selfQuery) return;
      for (const neighbours of ['index', 'position'] as const) {
        expectSame('selfQuery', await queries.ask([{ a, b: a }], { neighbours }), (verbs.selfQuery(a, { neighbours }) as TrianglePairs).copy());
      }
    }),
    measure: async ({ queries }) => {
      const timed = (squares: number): Promise<Timed> => withMeshes(host, squares, async (a, b) => {
        const transformB = placements[1]!, onGpu = (): Promise<unknown> => queries.ask([{ a, b, transformB }]);
        return { size: a.triangleCount + b.triangleCount, cpu: await medianOf(() => (verbs.query(a, b, { transformB }) as TrianglePairs).copy()), gpu: await medianOf(onGpu) };
      });
      const query = crossoverOf(await timed(SMALL), await timed(LARGE));
      return { query, selfQuery: query };
    },
  };
}

async function withMeshes<Result>(host: EngineHost, squares: number, use: (a: Mesh, b: Mesh) => Promise<Result>): Promise<Result> {
  const meshes = [7, 8].map((seed) => host.createMesh(field(squares, seed)));
  try {
    return await use(meshes[0]!, meshes[1]!);
  } finally {
    if (!host.backend.arena.isClosed) for (const mesh of meshes) mesh.dispose();
  }
}

// A crumpled sheet whose heights are whole steps: many triangles touch, lie in one plane or share a line, and some go through others.
function field(squares: number, seed: number): MeshData {
  const side = squares + 1, positions = new Float32Array(3 * side * side), indices = new Uint32Array(6 * squares * squares);
  let state = seed;
  const next = (below: number): number => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * below); };
  for (let i = 0; i < side * side; i++) positions.set([(i % side + next(3) / 2) / squares, (Math.floor(i / side) + next(3) / 2) / squares, next(4) / (2 * squares)], 3 * i);
  for (let i = 0; i < squares * squares; i++) {
    const corner = i + Math.floor(i / squares);
    indices.set([corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side], 6 * i);
  }
  return { positions, indices };
}

const placements = [
  // Where it is, but for one square: much touches. Then turned, and turned and enlarged.
  [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1 / CHECKED, 0, 0, 1],
  [0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 0.4, 0.1, 0.3, 1],
  [0.6, 0.9, 0, 0, -1.2, 0.5, 0.1, 0, 0, 0.25, 1, 0, 0.1, 0, 0, 1],
].map((matrix) => Float64Array.from(matrix));

function expectSame(verb: string, found: PairsCopy, known: PairsCopy): void {
  const isSame = found.count === known.count && found.a.every((a, i) => a === known.a[i] && found.b[i] === known.b[i]);
  if (!isSame) throw new Error(`the GPU answered a ${verb} whose answer is known with ${found.count} pairs, not with the ${known.count} that there are`);
}

async function medianOf(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 4; i++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  // The first run is a different one: buffers grow, machines translate.
  return times.slice(1).sort((a, b) => a - b)[1]!;
}
