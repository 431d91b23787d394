// Starts cluster nodes that return false results: their engines omit pairs or return wrong ones.
import { type ClusterNode, type Link, startNode } from '../../dist/cluster/index.js';
import { createEngine, type Engine, type ManyTrianglePairs } from '../../dist/index.js';

/** Returns functions that replace some methods of an engine and give false results. */
export type Lies = (engine: Engine) => Partial<Record<keyof Engine, unknown>>;

/** Starts a node named 'liar' with an engine that has some of its methods replaced. */
export async function startLiar(link: Link, lies: Lies): Promise<ClusterNode> {
  const engine = await createEngine({ threads: 1 });
  const replaced = lies(engine);
  const liar = new Proxy(engine, {
    get: (of, name) => {
      if (name in replaced) return replaced[name as keyof Engine];
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
  const node = await startNode(link, { engine: liar, name: 'liar' });
  return Object.assign(node, {
    close: ((end: () => Promise<void>) => async () => {
      await end();
      engine.dispose();
    })(node.close.bind(node)),
  });
}

const none = new Uint32Array(0);

/** Makes queryMany find no triangle pairs. */
export const findsNothing: Lies = engine => ({
  queryMany: (given: Parameters<Engine['queryMany']>[0]) => {
    const { stats, pairsAt } = engine.queryMany(given) as ManyTrianglePairs;
    return { pairsAt: new Uint32Array(pairsAt.length), a: none, b: none, stats };
  },
});

/**
 * Makes queryMany return one wrong triangle in every `every`-th task that has pairs, beginning with the first
 * of these tasks.
 */
export const changesOne = (every: number): Lies => {
  let tasks = 0;
  return engine => ({
    queryMany: (given: Parameters<Engine['queryMany']>[0]) => {
      const { pairsAt, a, b, stats } = engine.queryMany(given) as ManyTrianglePairs;
      const changed = b.slice();
      // Only the last index in b is increased, so that the entries stay sorted.
      if (a.length > 0 && tasks++ % every === 0) changed[b.length - 1]++;
      return { pairsAt: pairsAt.slice(), a: a.slice(), b: changed, stats };
    },
  });
};

/** Makes boxPairs omit the last pair of boxes. */
export const losesBoxPair: Lies = engine => ({
  boxPairs: (boxes: Float32Array) => {
    const { a, b, stats } = engine.boxPairs(boxes);
    return { a: a.slice(0, -1), b: b.slice(0, -1), stats };
  },
});
