// Starts cluster nodes that return false results: their engines omit pairs or return wrong ones.
import { type ClusterNode, type Link, makeHub, startNode } from '../../dist/cluster/index.js';
import { Chunk } from '../../dist/cluster/jobs/messages.js';
import { headingOf } from '../../dist/cluster/message.js';
import { splitMessage } from '../../dist/cluster/messageAssembler.js';
import { createEngine, type Engine, type ManyTrianglePairs } from '../../dist/index.js';
import type { Opened } from './bounded.js';

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

/**
 * Starts honest nodes, and a liar for each element of `lies`, on a hub. wrap: replaces the links of the liars.
 * @returns a function that makes a link to the nodes
 */
export async function startCluster(
  opened: Opened,
  honestCount: number,
  lies: readonly Lies[],
  wrap: (link: Link) => Link = link => link,
): Promise<() => Link> {
  const hub = makeHub();
  const join = (): Link => opened.add(hub());
  for (const lie of lies) opened.add(await startLiar(wrap(join()), lie));
  for (let i = 0; i < honestCount; i++) opened.add(await startNode(join(), { name: 'honest' }));
  return join;
}

/**
 * Wraps the link of a node, and changes the last word of every chunk of a block that the node sends to a
 * coordinator. If the block is a list of pairs or octants, this word is an index of a box.
 */
export function tampering(link: Link): Link {
  return {
    ...link,
    publish(subject, data) {
      const message = data.subarray(32);
      if (message.length < 32 || headingOf(message).kind !== Chunk.code) return link.publish(subject, data);
      const { run, step, from, ...chunk } = Chunk.decode(message);
      if (subject.includes('.run.') && chunk.bytes.length >= 16) chunk.bytes[chunk.bytes.length - 4] ^= 1;
      for (const packet of splitMessage(Chunk.encode({ run, step, from }, chunk), 1 << 20, from))
        link.publish(subject, packet);
    },
  };
}

const none = new Uint32Array(0);
/** Changes nothing. */
export const honest: Lies = () => ({});

/** Makes queryMany find no triangle pairs. */
export const findsNothing: Lies = engine => ({
  queryMany: (given: Parameters<Engine['queryMany']>[0]) => {
    const { stats, pairsAt } = engine.queryMany(given) as ManyTrianglePairs;
    return { pairsAt: new Uint32Array(pairsAt.length), a: none, b: none, stats };
  },
});

/**
 * Makes queryMany return one wrong triangle in its first call that finds pairs, and then in one of every
 * `every` such calls.
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

/** Makes boxPairs return a pair of boxes that do not overlap. */
export const inventsBoxPair: Lies = engine => ({
  boxPairs: (boxes: Float32Array) => {
    const { a, b, stats } = engine.boxPairs(boxes);
    const pairs = Array.from(a, (first, k) => [first, b[k]!] as const);
    const keys = new Set(pairs.map(String));
    const count = boxes.length / 6;
    for (let first = 0; pairs.length === a.length && first < count; first++)
      for (let second = first + 1; pairs.length === a.length && second < count; second++)
        if (!keys.has(String([first, second]))) pairs.push([first, second]);
    pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    return { a: Uint32Array.from(pairs, ([p]) => p), b: Uint32Array.from(pairs, ([, q]) => q), stats };
  },
});

/** Makes boxPairs return lists of different lengths. */
export const cutsBoxPairs: Lies = engine => ({
  boxPairs: (boxes: Float32Array) => {
    const { a, b, stats } = engine.boxPairs(boxes);
    return { a: a.slice(), b: b.slice(0, -1), stats };
  },
});

/** Makes boxPairs return the result of its previous call, if all boxes of that result exist in this call. */
export const replaysBoxPairs: Lies = engine => {
  let last: { a: Uint32Array; b: Uint32Array } | undefined;
  return {
    boxPairs: (boxes: Float32Array) => {
      const found = engine.boxPairs(boxes);
      const { stats } = found;
      const own = { a: found.a.slice(), b: found.b.slice() };
      const replayed = last?.b.every(box => 6 * box < boxes.length) ? last : own;
      last = own;
      return { ...replayed, stats };
    },
  };
};
