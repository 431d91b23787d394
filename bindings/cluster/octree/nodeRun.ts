// One run on one node: tasks -> results that are kept, and what of them others fetch.
import { InvalidBoxes } from '../../errors.js';
import { mergePairs, type SortedPairs } from '../../systems/mergePairs.js';
import { bytesOf, decodeList, encodeList, type KeyedList } from './listCode.js';
import { BOXES_GIVEN, HISTOGRAM_BUCKETS, parts, tasks, type Done, type Task } from './messages.js';
import { boxesOfPart, decodeNamed, encodeNamed, firstOf } from './partBytes.js';
import { sampleOf } from './ranges.js';
import type { Source } from './transfers.js';
import { boxesOfRange, type Found, type OctreeWork } from './work.js';

export type TaskMessage = ReturnType<typeof Task.decode>;
type DoneValues = { -readonly [Key in keyof Parameters<typeof Done.encode>[1]]: Parameters<typeof Done.encode>[1][Key] };
export interface Result { done: DoneValues; list?: KeyedList; pairs?: SortedPairs[]; count: number; part: number; partCount: number }
type FetchFrom = (source: Source) => Promise<Uint8Array>;

/** Results that are kept as bytes. */
const MOST_ENCODED = 256;
/** Octants of a part that the coordinator cuts ranges by. */
const SAMPLE = 2048;

export class NodeRun {
  readonly results = new Map<number, Result>();
  readonly doing = new Set<number>();
  heardAt = performance.now();
  isOver = false;
  /** Parts that came here. */
  private readonly boxes = new Map<number, Promise<Float32Array>>();
  /** What was fetched, as bytes: pieces of it will be asked for one after the other. */
  private readonly encoded = new Map<string, Uint8Array | Promise<Uint8Array>>();
  private readonly cpuAtFirst = cpuMicroseconds();

  /** @throws Missing where a need does not come, and what the work throws */
  async perform(task: TaskMessage, work: OctreeWork, fetch: FetchFrom, subjectOf: (id: number) => string, runSubject: string, id: number): Promise<Result> {
    const traffic = { caller: 0, nodes: 0, self: 0 };
    const fetchFrom = async (holder: number, own: number, selector: readonly number[]): Promise<Uint8Array> => {
      const isGiven = own === BOXES_GIVEN;
      if (!isGiven && holder === id) {
        const bytes = await this.bytesOf(own, Uint32Array.from(selector));
        traffic.self += bytes?.length ?? 0;
        if (bytes) return bytes;
      }
      const bytes = await fetch({ holder: isGiven ? task.from : holder, subject: isGiven ? runSubject : subjectOf(holder), task: own, selector });
      traffic[isGiven ? 'caller' : 'nodes'] += bytes.length;
      return bytes;
    };
    const result: Result = { done: empty(task.task), count: task.count, part: task.part, partCount: task.partCount };
    let computed = 0;
    const timed = <Value>(compute: () => Value): Value => {
      const before = cpuMicroseconds(), startedAt = performance.now();
      try { return compute(); } finally { computed += hasCpu ? (cpuMicroseconds() - before) / 1000 : performance.now() - startedAt; }
    };
    if (task.kind === tasks.SURVEY) await this.survey(task, result, work, fetchFrom, timed);
    else if (task.kind === tasks.LIST) await this.list(task, result, work, fetchFrom, timed);
    else if (task.kind === tasks.MERGE) {
      const lists = await Promise.all(Array.from(task.needs, (need, i) => this.listOf(need, task, task.holders[i]!, id, fetchFrom)));
      result.list = timed(() => work.merge(lists));
      result.done.items = result.list.keys.length;
    } else await this.find(task, result, work, fetchFrom, timed, id);
    Object.assign(result.done, { computed, cpu: cpuMicroseconds() - this.cpuAtFirst, fromCaller: traffic.caller, fromNodes: traffic.nodes, fromSelf: traffic.self });
    this.results.set(task.task, result);
    return result;
  }

  /** Some of a result, as others get it; none where it is not here. */
  bytesOf(task: number, selector: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const result = this.results.get(task);
    if (!result) return undefined;
    const key = `${task} ${selector.join()}`;
    let bytes = this.encoded.get(key);
    if (!bytes) {
      const made = this.encode(result, selector);
      if (!made) return undefined;
      // Made again when it is asked for again.
      if (this.encoded.size >= MOST_ENCODED) this.encoded.delete(this.encoded.keys().next().value!);
      this.encoded.set(key, bytes = made);
    }
    return bytes;
  }

  private encode({ list, pairs, count, part, partCount }: Result, [what, ...rest]: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const own = this.boxes.get(part);
    if (what === parts.LIST && list) return encodeList(list, Math.min(2, rest[0] ?? 0));
    if (what === parts.BOXES && own) return own.then(bytesOf);
    if (what === parts.SLICE && list && own && rest.length === 4) {
      const [fromKey, fromId, toKey, toId] = rest as [number, number, number, number], first = firstOf(part, partCount, count);
      return own.then((boxes) => encodeNamed(boxesOfRange(list, boxes, first, { from: { key: fromKey, id: fromId }, to: { key: toKey, id: toId } }, new Uint8Array(boxes.length / 6))));
    }
    if (what === parts.PAIRS && pairs && rest.length >= 2) return encodeList(windowOf(pairs, rest[0]!, rest[1]!), Math.min(2, rest[2] ?? 0));
    return undefined;
  }

  private partOf(part: number, { count, partCount }: TaskMessage, fetch: (holder: number, task: number, selector: readonly number[]) => Promise<Uint8Array>): Promise<Float32Array> {
    let boxes = this.boxes.get(part);
    if (!boxes) {
      boxes = fetch(0, BOXES_GIVEN, [part, partCount]).then((bytes) => boxesOfPart(bytes, part, partCount, count));
      this.boxes.set(part, boxes);
      boxes.catch(() => this.boxes.delete(part));
    }
    return boxes;
  }

  private async survey(task: TaskMessage, { done }: Result, work: OctreeWork, fetch: Fetcher, timed: Timed): Promise<void> {
    const boxes = await this.partOf(task.part, task, fetch);
    try {
      const { count, low, high } = timed(() => work.survey(boxes));
      Object.assign(done, { filled: count, low, high });
    } catch (error) {
      if (!(error instanceof InvalidBoxes)) throw error;
      done.wild = 1;
    }
  }

  private async list(task: TaskMessage, result: Result, work: OctreeWork, fetch: Fetcher, timed: Timed): Promise<void> {
    const boxes = await this.partOf(task.part, task, fetch);
    const list = timed(() => work.list(boxes, { low: Array.from(task.low), high: Array.from(task.high) }, firstOf(task.part, task.partCount, task.count))), { keys, ids } = sampleOf(list, SAMPLE);
    result.list = list;
    Object.assign(result.done, { items: list.keys.length, sampleKeys: keys, sampleIds: ids });
  }

  // Another's list, or one's own as it is.
  private async listOf(need: number, task: TaskMessage, holder: number, id: number, fetch: Fetcher): Promise<KeyedList> {
    const own = holder === id ? this.results.get(need)?.list : undefined;
    return own ?? decodeList(await fetch(holder, need, [parts.LIST, task.wire]), task.count);
  }

  // ROOT: needs are the list of all, then the lists of the parts, whose nodes have the boxes. SCAN: the lists of the parts.
  private async find(task: TaskMessage, result: Result, work: OctreeWork, fetch: Fetcher, timed: Timed, id: number): Promise<void> {
    const grid = { low: Array.from(task.low), high: Array.from(task.high) }, { count, partCount, fromKey, fromId, toKey, toId } = task;
    let found: Found;
    if (task.kind === tasks.ROOT) {
      const [list, ...boxes] = await Promise.all([this.listOf(task.needs[0]!, task, task.holders[0]!, id, fetch), ...Array.from({ length: partCount }, async (_, part) =>
        this.boxes.get(part) ?? boxesOfPart(await fetch(task.holders[1 + part]!, task.needs[1 + part]!, [parts.BOXES]), part, partCount, count))]);
      found = timed(() => work.pairsOfAll(boxes, [list], grid));
    } else {
      const selector = [parts.SLICE, fromKey, fromId, toKey, toId];
      const given = await Promise.all(Array.from(task.needs, async (need, i) => decodeNamed(await fetch(task.holders[i]!, need, selector), count)));
      found = timed(() => work.pairsOfRange(given, { from: { key: fromKey, id: fromId }, to: { key: toKey, id: toId } }, grid, count));
    }
    result.pairs = found.lists;
    Object.assign(result.done, { tests: found.tests, items: found.lists.reduce((sum, { a }) => sum + a.length, 0), histogram: histogramOf(found.lists, count) });
  }
}

type Fetcher = (holder: number, task: number, selector: readonly number[]) => Promise<Uint8Array>;
type Timed = <Value>(compute: () => Value) => Value;

const empty = (task: number): DoneValues => ({
  task, wild: 0, filled: 0, items: 0, tests: 0, cpu: 0, computed: 0, fromCaller: 0, fromNodes: 0, fromSelf: 0, messages: 0,
  low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], sampleKeys: new Uint32Array(0), sampleIds: new Uint32Array(0), histogram: new Float64Array(0),
});

// Pairs from <= a < to of lists that have none in common.
function windowOf(lists: readonly SortedPairs[], from: number, to: number): KeyedList {
  const { a, b } = mergePairs(lists.map(({ a, b }) => {
    const [first, end] = [from, to].map((value) => lowerBound(a, value)) as [number, number];
    return { a: a.subarray(first, end), b: b.subarray(first, end) };
  }));
  return { keys: a, ids: b };
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function histogramOf(lists: readonly SortedPairs[], count: number): Float64Array {
  const buckets = Math.max(1, Math.min(HISTOGRAM_BUCKETS, count)), histogram = new Float64Array(buckets), ofBox = buckets / Math.max(1, count);
  for (const { a } of lists) for (const box of a) histogram[Math.floor(box * ofBox)]!++;
  return histogram;
}

// Pages do not tell.
const hasCpu = typeof process !== 'undefined' && typeof process.cpuUsage === 'function';
function cpuMicroseconds(): number {
  if (!hasCpu) return 0;
  const { user, system } = process.cpuUsage();
  return user + system;
}
