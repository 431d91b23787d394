// Hashes the results of a fixed list of queries of engine.async, in Node or in a page, and lists the backend
// of each query that returns pairs.

import type * as Pfront from '../../dist/index.js';
import type * as Scenes from '../../dist/samples/index.js';
import { hashOf } from '../support/answers.js';

export interface GpuAnswers {
  hashes: Record<string, string>;
  /** The backend of each query that returns pairs. */
  backends: string[];
  info: Pfront.EngineInfo;
}

/** Called with the number of each query, from 0, before it starts. */
type OnQuery = (number: number) => void;

/** Makes a torus whose half with negative x is folded over to positive x, so that it intersects itself. */
function folded(scenes: typeof Scenes): Pfront.MeshData {
  const { positions, indices } = scenes.torus(400);
  return {
    positions: positions.map((value, i) => (i % 3 === 0 ? Math.abs(value) - 0.4 * value : value)),
    indices,
  };
}

export async function gpuAnswers(
  pfront: typeof Pfront,
  scenes: typeof Scenes,
  options: Pfront.EngineOptions,
  onQuery: OnQuery = () => {},
): Promise<GpuAnswers> {
  const engine = await pfront.createEngine({ warmUp: 'off', ...options });
  try {
    const hashes: Record<string, string> = {};
    const backends: string[] = [];
    const sphere = engine.createMesh(scenes.sphere(300));
    const torus = engine.createMesh(scenes.torus(300));
    const fold = engine.createMesh(folded(scenes));
    const transformB = scenes.rotation([1, 2, 3], 0.3, [0.5, 0.1, 0]);
    const transforms = Float64Array.from([
      ...transformB,
      ...scenes.translation([9, 0, 0]),
      ...scenes.translation([1, 0, 0]),
    ]);
    const many = { a: sphere, b: torus, transforms };
    const note = (name: string, ...arrays: ArrayBufferView[]): void => {
      hashes[name] = hashOf(...arrays);
    };
    const queries: (() => Promise<void>)[] = [
      async () => notePairs('query', await engine.async.query(sphere, torus, { transformB })),
      async () => notePairs('query again', await engine.async.query(sphere, torus, { transformB })),
      async () => notePairs('a mesh and its copy', await engine.async.query(fold, fold, { transformB })),
      async () => {
        const found = await engine.async.queryMany(many);
        note('queryMany', found.pairsAt);
        notePairs('pairs of queryMany', found);
      },
      async () => note('queryMany, any', await engine.async.queryMany({ ...many, want: 'any' })),
      async () => notePairs('selfQuery', await engine.async.selfQuery(fold)),
      async () =>
        notePairs(
          'selfQuery, neighbors by position',
          await engine.async.selfQuery(fold, { neighbors: 'position' }),
        ),
    ];
    function notePairs(name: string, { a, b, stats }: Pfront.AsyncPairs | Pfront.AsyncManyPairs): void {
      note(name, a, b);
      backends.push(stats.backend);
    }
    for (const [number, query] of queries.entries()) {
      onQuery(number);
      await query();
    }
    return { hashes, backends, info: structuredClone(engine.info) };
  } finally {
    engine.dispose();
  }
}
