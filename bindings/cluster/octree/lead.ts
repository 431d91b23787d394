// One job of box pairs from its first task to its answer: bounds, octants of each part, then ranges of codes or a tree of merges, then pairs.
import { CollisionError } from '../../errors.js';
import type { PairsCopy } from '../../results.js';
import { mergePairs } from '../../systems/mergePairs.js';
import type { Link } from '../link.js';
import { Coordinator, type DoneMessage, type TaskValues } from './coordinator.js';
import type { ClusterBoxPairs, ClusterBoxPairsOptions, OctreeRound } from './job.js';
import { decodeList, wires } from './listCode.js';
import { HISTOGRAM_BUCKETS, parts, tasks } from './messages.js';
import type { Grid } from './pairScan.js';
import { FIRST, LAST, cutRanges } from './ranges.js';
import { OctreeWork, refusal } from './work.js';

/** A job, as it goes on. */
export interface Watch { done: number; total: number; coordinator?: Coordinator }

/** Milliseconds in which nodes answer that count as answering at once. */
const GATHERING = 150;
const CHUNK_PAIRS = 2 ** 20;
export const MOST_PARTS = 1024;

export async function lead(link: Link, boxes: Float32Array, options: ClusterBoxPairsOptions, watch: Watch, cancelled: Promise<never>): Promise<ClusterBoxPairs> {
  // The caller goes on first.
  await Promise.race([cancelled, new Promise((resolve) => { setTimeout(resolve, 0); })]);
  if (options.where === 'caller' || boxes.length === 0) return atCaller(boxes, options);
  const { cluster = 'pfront', patience = 30_000, silence = 10_000 } = options;
  const coordinator = watch.coordinator = new Coordinator(link, boxes, { cluster, patience, silence });
  cancelled.catch((reason: Error) => coordinator.fail(reason));
  try {
    return await new Job(coordinator, boxes, options, watch).answer();
  } finally {
    coordinator.close();
  }
}

function atCaller(boxes: Float32Array, { engine, forEachChunk, chunkPairs }: ClusterBoxPairsOptions): ClusterBoxPairs {
  const startedAt = performance.now(), none = { count: 0, a: new Uint32Array(0), b: new Uint32Array(0) };
  const found = boxes.length === 0 ? undefined : engine!.boxPairs(boxes, { method: 'octree', ...(forEachChunk ? { forEachChunk } : {}), ...(chunkPairs ? { chunkPairs } : {}) });
  const pairs = found && !forEachChunk ? found.copy() : { ...none, count: found?.count ?? 0 };
  return { ...pairs, stats: { parts: 1, octants: found?.stats.places ?? 0, tests: found?.stats.tests ?? 0, rounds: [], toCaller: 0, again: 0, messages: 0, milliseconds: performance.now() - startedAt } };
}

class Job {
  private readonly coordinator: Coordinator;
  private readonly boxes: Float32Array;
  private readonly options: ClusterBoxPairsOptions;
  private readonly watch: Watch;
  private readonly count: number;
  private readonly rounds: OctreeRound[] = [];
  private partCount = 1;
  private grid: Grid = { low: [0, 0, 0], high: [0, 0, 0] };
  private taskCount = 0;

  constructor(coordinator: Coordinator, boxes: Float32Array, options: ClusterBoxPairsOptions, watch: Watch) {
    this.coordinator = coordinator;
    this.boxes = boxes;
    this.options = options;
    this.watch = watch;
    this.count = boxes.length / 6;
    coordinator.onDone = () => { watch.done = coordinator.ledger.doneCount; };
  }

  async answer(): Promise<ClusterBoxPairs> {
    await this.gather();
    const startedAt = performance.now();
    await this.survey();
    const lists = await this.round('list', tasks.LIST, this.partCount, (part) => ({ part, prefer: part, isBound: true, keeps: true }));
    const octants = sumOf(lists.messages, 'items');
    const { pairs, tests } = this.options.where === 'lists' ? await this.atCaller(lists.ids) : await this.elsewhere(lists.ids, lists.messages);
    const { coordinator: { transfers, ledger, channel: { traffic } }, partCount, rounds } = this;
    return { ...pairs, stats: { parts: partCount, octants, tests, rounds, toCaller: transfers.bytes, again: ledger.again, messages: traffic.sentMessages + traffic.receivedMessages, milliseconds: performance.now() - startedAt } };
  }

  // As many nodes as were asked for, or those who answer.
  private async gather(): Promise<void> {
    const { coordinator, options: { nodes, parts: asked, patience = 30_000 } } = this;
    if (nodes === undefined) {
      await coordinator.until(() => coordinator.nodeCount > 0);
      const until = performance.now() + GATHERING;
      await coordinator.until(() => performance.now() > until);
      this.partCount = asked ?? Math.min(coordinator.nodeCount, MOST_PARTS);
      return;
    }
    const late = setTimeout(() => coordinator.fail(new CollisionError('Cluster', `${coordinator.nodeCount} of ${nodes} nodes answered within ${patience} ms`, 'start more nodes, or ask for fewer')), patience);
    try { await coordinator.until(() => coordinator.nodeCount >= nodes); } finally { clearTimeout(late); }
    this.partCount = asked ?? nodes;
  }

  private async survey(): Promise<void> {
    const { messages } = await this.round('survey', tasks.SURVEY, this.partCount, (part) => ({ part, keeps: false }));
    if (messages.some(({ wild }) => wild !== 0)) throw refusal(this.boxes) ?? new CollisionError('Cluster', 'a node refused boxes that are finite', 'run the same version on all nodes');
    const bound = (pick: (...values: number[]) => number, side: 'low' | 'high'): number[] => [0, 1, 2].map((axis) => pick(...messages.map((message) => message[side][axis]!)));
    this.grid = { low: bound(Math.min, 'low'), high: bound(Math.max, 'high') };
  }

  private async elsewhere(lists: readonly number[], messages: readonly DoneMessage[]): Promise<{ pairs: PairsCopy; tests: number }> {
    // One list is all of it: there is nothing to exchange.
    const found = this.options.merge === 'tree' || lists.length === 1 ? await this.byTree(lists) : await this.byRanges(lists, messages);
    return { pairs: await this.collect(found.ids, found.messages), tests: sumOf(found.messages, 'tests') };
  }

  private byRanges(lists: readonly number[], messages: readonly DoneMessage[]): Promise<Round> {
    const samples = messages.map(({ sampleKeys, sampleIds, items }) => ({ keys: sampleKeys, ids: sampleIds, each: items / Math.max(1, sampleKeys.length) }));
    const ranges = cutRanges(samples, this.partCount);
    return this.round('scan', tasks.SCAN, this.partCount, (part) => ({ part, needs: lists, prefer: lists[part]!, keeps: true }), (part) => {
      const { from, to } = ranges[part]!;
      return { fromKey: from.key, fromId: from.id, toKey: to.key, toId: to.id };
    });
  }

  // 1 to 0, 3 to 2, then 2 to 0: who has the first list gets the second.
  private async byTree(lists: readonly number[]): Promise<Round> {
    let level = lists;
    while (level.length > 1) {
      const below = level, odd = below.length % 2 === 1 ? [below.at(-1)!] : [];
      const { ids } = await this.round('merge', tasks.MERGE, Math.floor(below.length / 2), (i) => ({ part: 0, needs: [below[2 * i]!, below[2 * i + 1]!], prefer: below[2 * i]!, keeps: true }));
      level = [...ids, ...odd];
    }
    return this.round('scan', tasks.ROOT, 1, () => ({ part: 0, needs: [level[0]!, ...lists], prefer: level[0]!, keeps: true }));
  }

  // The caller's own engine merges and scans.
  private async atCaller(lists: readonly number[]): Promise<{ pairs: PairsCopy; tests: number }> {
    const startedAt = performance.now(), work = new OctreeWork(this.options.engine!);
    try {
      const got = await Promise.all(lists.map(async (list) => decodeList(await this.coordinator.fetch(list, [parts.LIST, this.wire]), this.count)));
      const { lists: found, tests } = work.pairsOfAll([this.boxes], got, this.grid), { a, b } = mergePairs(found);
      this.rounds.push({ ...noRound, name: 'scan', tasks: 1, milliseconds: performance.now() - startedAt });
      return { pairs: this.give({ count: a.length, a, b }), tests };
    } finally {
      work.dispose();
    }
  }

  private give(pairs: PairsCopy): PairsCopy {
    const { forEachChunk, chunkPairs = CHUNK_PAIRS } = this.options, { a, b, count } = pairs;
    if (!forEachChunk) return pairs;
    for (let first = 0; first < count;) {
      let end = Math.min(count, first + chunkPairs);
      // Those of one box are never cut apart.
      while (end < count && a[end] === a[end - 1]) end++;
      forEachChunk({ count: end - first, a: a.slice(first, end), b: b.slice(first, end) });
      first = end;
    }
    return { count, a: new Uint32Array(0), b: new Uint32Array(0) };
  }

  // Windows of a, ascending: from all who have pairs there, merged.
  private async collect(ids: readonly number[], messages: readonly DoneMessage[]): Promise<PairsCopy> {
    const startedAt = performance.now(), { forEachChunk, chunkPairs = CHUNK_PAIRS } = this.options, total = sumOf(messages, 'items');
    const a = new Uint32Array(forEachChunk ? 0 : total), b = new Uint32Array(forEachChunk ? 0 : total);
    let given = 0;
    for (const [from, to] of windowsOf(messages, this.count, chunkPairs)) {
      const lists = await Promise.all(ids.map(async (id) => decodeList(await this.coordinator.fetch(id, [parts.PAIRS, from, to, this.wire]), this.count)));
      const merged = mergePairs(lists.map(({ keys, ids: second }) => ({ a: keys, b: second })));
      if (given + merged.a.length > total) throw new CollisionError('Cluster', `nodes gave more than the ${total} pairs that they told of`, 'run the same version on all nodes');
      if (forEachChunk && merged.a.length > 0) forEachChunk({ count: merged.a.length, ...merged });
      else if (!forEachChunk) {
        a.set(merged.a, given);
        b.set(merged.b, given);
      }
      given += merged.a.length;
    }
    if (given !== total) throw new CollisionError('Cluster', `nodes gave ${given} of the ${total} pairs that they told of`, 'run the same version on all nodes');
    this.rounds.push({ ...noRound, name: 'pairs', tasks: ids.length, milliseconds: performance.now() - startedAt });
    return { count: total, a, b };
  }

  private get wire(): number { return wires.indexOf(this.options.wire ?? 'raw'); }

  private async round(name: string, kind: number, count: number, workOf: (i: number) => { part: number; needs?: readonly number[]; prefer?: number; isBound?: boolean; keeps: boolean }, more: (i: number) => Partial<TaskValues> = () => ({})): Promise<Round> {
    const startedAt = performance.now(), { coordinator, grid } = this, cpuBefore = new Map(coordinator.cpu), ids = Array.from({ length: count }, () => this.taskCount++);
    const values: TaskValues = { count: this.count, partCount: this.partCount, wire: this.wire, fromKey: FIRST.key, fromId: FIRST.id, toKey: LAST.key, toId: LAST.id, ...grid };
    this.watch.total += count;
    for (const [i, id] of ids.entries()) coordinator.add({ id, kind, needs: [], ...workOf(i) }, { ...values, ...more(i) });
    await coordinator.untilDone(ids);
    const messages = ids.map((id) => coordinator.results.get(id)!), cpus = [...coordinator.cpu].map(([node, cpu]) => (cpu - (cpuBefore.get(node) ?? 0)) / 1000);
    this.rounds.push({
      name, tasks: count, milliseconds: performance.now() - startedAt, computedMost: Math.max(...messages.map(({ computed }) => computed)), computed: sumOf(messages, 'computed'),
      fromCaller: sumOf(messages, 'fromCaller'), fromNodes: sumOf(messages, 'fromNodes'), fromSelf: sumOf(messages, 'fromSelf'), takenMost: Math.max(...messages.map(({ fromCaller, fromNodes, fromSelf }) => fromCaller + fromNodes + fromSelf)),
      cpuMost: Math.max(0, ...cpus), cpu: cpus.reduce((sum, cpu) => sum + cpu, 0),
    });
    return { ids, messages };
  }
}

interface Round { ids: number[]; messages: DoneMessage[] }
const noRound: OctreeRound = { name: '', tasks: 0, milliseconds: 0, computedMost: 0, computed: 0, fromCaller: 0, fromNodes: 0, fromSelf: 0, takenMost: 0, cpuMost: 0, cpu: 0 };
const sumOf = (messages: readonly DoneMessage[], field: 'items' | 'tests' | 'computed' | 'fromCaller' | 'fromNodes' | 'fromSelf'): number => messages.reduce((sum, message) => sum + message[field], 0);

// Of about as many pairs each, as counted in buckets of a.
function windowsOf(messages: readonly DoneMessage[], count: number, most: number): [from: number, to: number][] {
  const buckets = Math.min(HISTOGRAM_BUCKETS, count), windows: [number, number][] = [];
  let first = 0, pairs = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const own = messages.reduce((sum, { histogram }) => sum + (histogram[bucket] ?? 0), 0), border = Math.ceil(bucket * count / buckets);
    if (pairs > 0 && pairs + own > most) {
      windows.push([first, border]);
      first = border;
      pairs = 0;
    }
    pairs += own;
  }
  return [...windows, [first, count]];
}
