// Two placed meshes -> their intersecting triangle pairs, the kind of each, and what it shares.
import { Unsupported } from '../errors.js';
import type { EngineHost, OwnParts } from '../feature.js';
import { PairRecord } from '../layout.js';
import { Buffer } from '../memory.js';
import type { Mesh } from '../mesh.js';
import type { QueryOptions } from '../options.js';
import { setWords } from '../record.js';
import type { ResultPlace } from '../results.js';
import { segmentLimits, SegmentJob, SegmentSlice } from '../segmentLayout.js';
import { LostSlice, retry, runStep } from '../steps.js';
import { commonSetExact, type CommonSet } from './commonSetExact.js';
import { ContactSegments } from './contactSegments.js';

/** What query may be asked for with want: 'segments'. */
export type SegmentOptions = Omit<QueryOptions, 'want'> & { want: 'segments' };

/** Triangle pairs, and one of contactKinds each: a view that holds until the engine is asked again. */
export interface PairKinds extends ResultPlace { kind: Uint8Array }

const POINT_BYTES = 24;
/** Most pairs share a segment. */
const POINTS_A_PAIR = 2;
/** Fewer pairs than this a thread are not worth a hand-off. */
const PAIRS_A_SLICE = 256;
/** Fewer leaves than this are not worth a second thread. */
const FEW_LEAVES = 512;

/** The placed pair of the last run: where its record lies, and whether that has its meshes exchanged. */
interface Placed { pairAt: number; isSwapped: boolean }

export class SegmentFinder {
  private readonly host: EngineHost;
  private readonly exactly: OwnParts;
  private readonly kindsOf: Buffer;
  private readonly starts: Buffer;
  private readonly points: Buffer;
  private readonly work: Buffer;
  private pointCount = 0;

  constructor(host: EngineHost) {
    const { backend: { arena } } = host;
    this.host = host;
    this.exactly = host.makeOwn();
    this.kindsOf = new Buffer(arena);
    this.starts = new Buffer(arena);
    this.points = new Buffer(arena);
    this.work = new Buffer(arena);
  }

  /** The pairs and points of query with want: 'segments'. @throws as query */
  segments(a: Mesh, b: Mesh, options: SegmentOptions): ContactSegments {
    const { host, host: { backend: { arena } } } = this, place = this.find(a, b, options, true);
    return new ContactSegments({ ...place, memory: arena, kindsAt: this.kindsOf.at, startsAt: this.starts.at, pointsAt64: this.points.at, pointCount: this.pointCount }, host.clock, host.summarise);
  }

  /** The pairs of query, and their kinds. @throws as query */
  kinds(a: Mesh, b: Mesh, options: Omit<QueryOptions, 'want'> = {}): PairKinds {
    const place = this.find(a, b, options, false);
    return { ...place, kind: this.host.backend.arena.u8.subarray(this.kindsOf.at, this.kindsOf.at + place.count) };
  }

  private find(a: Mesh, b: Mesh, options: QueryOptions | SegmentOptions, isWithPoints: boolean): ResultPlace {
    const { host, host: { backend, writer } } = this, { clearance } = options as { clearance?: unknown };
    if (clearance !== undefined) throw new Unsupported(`clearance is ${String(clearance)} where want is 'segments': pairs that share no point have no segments`, 'ask for one of the two');
    const asked: QueryOptions = { ...options, want: 'pairs' };
    host.checks.checkQueryOptions(asked);
    const pairs = [{ a, b, transformA: asked.transformA, transformB: asked.transformB }];
    const isSmall = host.owns(a) && host.owns(b) && a.leafCount + b.leafCount < FEW_LEAVES;
    const front = host.run('run', (room) => writer.write(room, pairs), { ...asked, parts: asked.parts ?? (isSmall ? 1 : backend.pool.threadCount) });
    const isSwapped = writer.swapped[0] === 1, place = host.join(1, writer.swapped, asked.order);
    host.trapped(() => retry(() => this.attempt(place, { pairAt: front.pairs.at, isSwapped }, isWithPoints)));
    return place;
  }

  private attempt(place: ResultPlace, placed: Placed, isWithPoints: boolean): void {
    try {
      this.run(place, placed, isWithPoints);
    } catch (error) {
      // A worker that was lost may still write there.
      if (error instanceof LostSlice) for (const buffer of [this.kindsOf, this.starts, this.points, this.work]) buffer.dispose();
      throw error;
    }
  }

  private run({ aAt, bAt, count }: ResultPlace, placed: Placed, isWithPoints: boolean): void {
    const { host: { backend, roomAtFirst }, kindsOf, starts, points, work } = this, { arena, pool } = backend, { pairAt, isSwapped } = placed;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(count / PAIRS_A_SLICE)));
    const firstOf = (slice: number): number => Math.floor(slice * count / sliceCount);
    let capacity = Array.from({ length: sliceCount }, (_, slice) => roomAtFirst ?? POINTS_A_PAIR * (firstOf(slice + 1) - firstOf(slice)));
    const kindsAt = kindsOf.reserve(count + 16), startsAt = isWithPoints ? starts.reserve(4 * count + 4) : 0;
    const jobAt = work.reserve(SegmentJob.size + sliceCount * (SegmentSlice.size + segmentLimits.SEGMENT_SCRATCH_BYTES));
    const slicesAt = jobAt + SegmentJob.size, scratchAt = slicesAt + sliceCount * SegmentSlice.size;
    const side = (name: 'A' | 'B'): 'A' | 'B' => (isSwapped ? (name === 'A' ? 'B' : 'A') : name);
    for (;;) {
      const pointsAt = points.reserve(POINT_BYTES * capacity.reduce((sum, room) => sum + room, 1)), { u32 } = arena;
      const read = (field: keyof typeof PairRecord.at): number => u32[(pairAt + PairRecord.at[field]) / 4]!;
      const placement = (name: 'A' | 'B'): number => (read(`placed${name}`) ? pairAt + PairRecord.at[`placement${name}`] : 0);
      setWords(u32, jobAt, SegmentJob, {
        aAt, bAt, pairCount: count, sliceCount, cornersAt: 0, meshA: read(`mesh${side('A')}`), meshB: read(`mesh${side('B')}`),
        placementA: placement(side('A')), placementB: placement(side('B')), kindsAt, startsAt, pointsAt, slicesAt, scratchAt,
      });
      let first = 0;
      capacity.forEach((room, slice) => {
        setWords(u32, slicesAt + slice * SegmentSlice.size, SegmentSlice, { first, capacity: room });
        first += room;
      });
      runStep(backend, 'findSegments', jobAt, sliceCount);
      const counts = capacity.map((_, slice) => u32[(slicesAt + slice * SegmentSlice.size + SegmentSlice.at.count) / 4]!);
      const isFull = counts.some((found, slice) => found > capacity[slice]!);
      if (!isFull) { this.joinSlices(counts, capacity, firstOf, count, isWithPoints); break; }
      capacity = counts;
    }
    const unsettled = Array.from({ length: sliceCount }, (_, slice) => arena.u32[(slicesAt + slice * SegmentSlice.size + SegmentSlice.at.unsettled) / 4]!);
    if (unsettled.some((left) => left > 0)) this.settle(aAt, bAt, count, placed, isWithPoints);
  }

  // Points of all slices one after the other, and offsets of all pairs into them.
  private joinSlices(counts: number[], capacity: number[], firstOf: (slice: number) => number, count: number, isWithPoints: boolean): void {
    if (!isWithPoints) return;
    const { starts, points, host: { backend: { arena: { u8, u32 } } } } = this;
    let from = 0, to = 0;
    counts.forEach((found, slice) => {
      if (from !== to) u8.copyWithin(points.at + POINT_BYTES * to, points.at + POINT_BYTES * from, points.at + POINT_BYTES * (from + found));
      if (to > 0) for (let i = starts.at / 4 + firstOf(slice); i < starts.at / 4 + firstOf(slice + 1); i++) u32[i]! += to;
      from += capacity[slice]!;
      to += found;
    });
    u32[starts.at / 4 + count] = to;
    this.pointCount = to;
  }

  // What is too wide for expansions, or too near to the middle between two doubles, integers tell. Such pairs have no points so far.
  private settle(aAt: number, bAt: number, count: number, { pairAt, isSwapped }: Placed, isWithPoints: boolean): void {
    const { exactly, starts, points, host: { backend: { arena } } } = this, { u8, u32 } = arena, settled = new Map<number, CommonSet>();
    const corners = new Float64Array(18), exchanged = new Float64Array(18);
    for (let i = 0; i < count; i++) {
      if (u8[this.kindsOf.at + i] !== segmentLimits.UNSETTLED) continue;
      const a = u32[aAt / 4 + i]!, b = u32[bAt / 4 + i]!;
      exactly.placePoints(arena, pairAt, isSwapped ? b : a, isSwapped ? a : b, corners, 0);
      exchanged.set(corners.subarray(9));
      exchanged.set(corners.subarray(0, 9), 9);
      const set = commonSetExact(isSwapped ? exchanged : corners);
      u8[this.kindsOf.at + i] = set.kind;
      settled.set(i, set);
    }
    if (!isWithPoints) return;
    const known = arena.f64.slice(points.at / 8, points.at / 8 + 3 * this.pointCount), offsets = u32.slice(starts.at / 4, starts.at / 4 + count + 1);
    const all = new Float64Array(known.length + [...settled.values()].reduce((sum, set) => sum + set.points.length, 0));
    let end = 0;
    for (let i = 0; i < count; i++) {
      const own = settled.get(i)?.points ?? known.subarray(3 * offsets[i]!, 3 * offsets[i + 1]!);
      u32[starts.at / 4 + i] = end / 3;
      all.set(own, end);
      end += own.length;
    }
    u32[starts.at / 4 + count] = this.pointCount = end / 3;
    const at = points.reserve(all.byteLength);
    arena.f64.set(all, at / 8);
  }
}
