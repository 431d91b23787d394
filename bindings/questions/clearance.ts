// Two placed meshes and a clearance -> all pairs of triangles that are no farther apart, over the same front as pairs that meet.
import { Clearance, distanceLimits, MeasureJob } from '../distanceLayout.js';
import { Unsupported } from '../errors.js';
import type { EngineHost, OwnParts } from '../feature.js';
import { limits, PairRecord } from '../layout.js';
import { Buffer } from '../memory.js';
import type { Mesh } from '../mesh.js';
import { refuse, type QueryOptions } from '../options.js';
import { setWords } from '../record.js';
import { TrianglePairs, type Clock, type ResultPlace } from '../results.js';
import type { QueryStats } from '../stats.js';
import type { FrontSystem } from '../systems/front.js';
import type { StartingFront } from '../systems/startingFront.js';
import { copyScaleOf } from './copyScale.js';
import { extentOf, rowsToStored, scaleOf, stretchOf } from './metric.js';

/** What query may be asked for besides, all but the clearance may be left out. */
export interface ClearanceOptions extends QueryOptions {
  /** Pairs of triangles whose distance is at most this are found, in units of the common frame: a finite number from 0 on. 0: those that meet. */
  clearance: number;
}

/** Pairs of triangles that are near each other: a[i] of mesh A is distances[i] from b[i] of mesh B. */
export class NearPairs extends TrianglePairs {
  private readonly distancesAt: number;
  private viewOfDistances: Float64Array | undefined;

  /** @internal */
  constructor(place: ResultPlace, clock: Clock, summarise: () => QueryStats, distancesAt: number) {
    super(place, clock, summarise);
    this.distancesAt = distancesAt;
  }

  /** How far the pairs are apart; 0 only for those that meet. A view that holds until the engine is asked again. @throws Stale */
  get distances(): Float64Array {
    const { arena, count } = this.fresh(), at = this.distancesAt / 8;
    return this.viewOfDistances ??= (arena as unknown as { f64: Float64Array }).f64.subarray(at, at + count);
  }
}

/** Error of triangleDistance, in extents of both triangles. */
const ERROR = 2 ** -46;
/** Covers what is rounded as a width is added. */
const UP = 1 + 2 ** -18;
/** Fewer pairs than this a thread are not worth a hand-off. */
const PAIRS_A_SLICE = 512;

export class ClearanceAsker {
  private readonly host: EngineHost;
  private readonly own: OwnParts;
  private readonly limit: Buffer;
  private readonly job: Buffer;
  private readonly distances: Buffer;
  private readonly verdicts: Buffer;
  private readonly scratch: Buffer;
  // Costs of near pairs are not those of pairs that meet.
  private readonly fronts = new WeakMap<Mesh, WeakMap<Mesh, (StartingFront | undefined)[]>>();

  constructor(host: EngineHost) {
    this.host = host;
    this.own = host.makeOwn();
    const make = (): Buffer => new Buffer(host.backend.arena);
    [this.limit, this.job, this.distances, this.verdicts, this.scratch] = [make(), make(), make(), make(), make()];
  }

  /** @returns nothing where no clearance is asked for. @throws as query */
  query(a: Mesh, b: Mesh, options: Partial<ClearanceOptions>): NearPairs | boolean | undefined {
    const { host, host: { backend: { arena } } } = this;
    if (typeof options !== 'object' || options === null || options.clearance === undefined) return undefined;
    const { clearance, want } = options;
    if (!(typeof clearance === 'number' && clearance >= 0 && clearance < Infinity)) refuse('clearance', clearance, 'a finite number from 0 on');
    host.checks.checkQueryOptions({ ...options, clearance: undefined } as QueryOptions);
    const limitAt = this.limit.reserve(Clearance.size);
    const write = (front: FrontSystem): readonly Mesh[] => {
      const trees = host.writer.write(front, [{ a, b, transformA: options.transformA, transformB: options.transformB }]);
      if (clearance > 0) this.widen(limitAt, front.pairs.at, trees as [Mesh, Mesh], host.writer.swapped[0] === 1 ? [b, a] : [a, b], clearance);
      return trees;
    };
    const front = host.run(want === 'any' ? 'runAny' : 'run', write, options, this.frontsOf(a, b), clearance > 0 ? 'Near' : undefined);
    if (want === 'any') return arena.u32[front.hitsAt / 4] === 1;
    const place = host.join(1, host.writer.swapped, options.order);
    return new NearPairs(place, host.clock, host.summarise, host.trapped(() => (clearance > 0 ? this.measure(front.pairs.at, place) : this.noDistances(place.count))));
  }

  /** @throws Unsupported where a clearance is asked for */
  queryMany(options: object): undefined {
    if (typeof options !== 'object' || options === null || (options as { clearance?: unknown }).clearance === undefined) return;
    throw new Unsupported('clearance is for query, not for queryMany', 'ask query about one pair after the other');
  }

  private frontsOf(a: Mesh, b: Mesh): (StartingFront | undefined)[] {
    if (!this.host.owns(a) || !this.host.owns(b)) return [];
    let ofA = this.fronts.get(a);
    if (!ofA) this.fronts.set(a, ofA = new WeakMap());
    let fronts = ofA.get(b);
    if (!fronts) ofA.set(b, fronts = [undefined]);
    return fronts;
  }

  // Boxes that may hold triangles as near as the clearance overlap once the slacks are as much wider: on an axis of a stored frame a way of the common one
  // is at most its length times the axis' row.
  private widen(limitAt: number, pairAt: number, trees: [Mesh, Mesh], meshes: readonly [Mesh, Mesh], clearance: number): void {
    const { host: { backend: { arena }, writer: { hasCopies } } } = this, { at } = PairRecord;
    const copyScale = hasCopies ? copyScaleOf(arena, pairAt) : 1, reach = (clearance + ERROR * extentOf(arena, pairAt, meshes[0].bounds, meshes[1].bounds)) * UP;
    const rowsOf = (side: 'A' | 'B', tree: Mesh) => rowsToStored(arena, pairAt, side, copyScale * scaleOf(arena, tree.recordAt), hasCopies);
    const rowsA = rowsOf('A', trees[0]), rowsB = rowsOf('B', trees[1]), widest = (rows: number[][]): number => Math.max(...rows.map((row) => Math.hypot(...row)));
    const widthA = rowsA ? reach * widest(rowsA) : Infinity, widthB = rowsB ? reach * widest(rowsB) : Infinity;
    const add = (field: number, width: number): void => { arena.f32[(pairAt + field) / 4] = (arena.f32[(pairAt + field) / 4]! + width) * UP; };
    add(at.slackA, widthA);
    add(at.boxSlack, widthA);
    add(at.slackB, widthB);
    arena.f64[(limitAt + Clearance.at.distance) / 8] = clearance;
    arena.f32[(limitAt + Clearance.at.reach) / 4] = rowsA ? reach * stretchOf(rowsA) : Infinity;
    arena.u32[(pairAt + at.selfTreeAt) / 4] = limitAt;
  }

  private noDistances(count: number): number {
    const at = this.distances.reserve(8 * count);
    this.host.backend.arena.f64.fill(0, at / 8, at / 8 + count);
    return at;
  }

  // @returns where the distances of a joined result lie.
  private measure(pairAt: number, { aAt, bAt, count }: ResultPlace): number {
    const { host: { backend: { arena, pool }, writer } } = this, swapped = writer.swapped[0] === 1 ? 1 : 0;
    for (;;) {
      const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(count / PAIRS_A_SLICE)));
      const distancesAt = this.distances.reserve(8 * count), verdictsAt = this.verdicts.reserve(4 * count), scratchAt = this.scratch.reserve(sliceCount * distanceLimits.MEASURE_BYTES);
      const jobAt = this.job.reserve(MeasureJob.size);
      setWords(arena.u32, jobAt, MeasureJob, { pairAt, firstAt: aAt, secondAt: bAt, swapped, pointsAt: 0, count, distancesAt, nearestAt: 0, verdictsAt, scratchAt, sliceCount, meet: 0 });
      if (pool.run('measureTriangles', jobAt, sliceCount)) {
        this.settleWide(pairAt, aAt / 4, bAt / 4, count, swapped === 1);
        return distancesAt;
      }
      // A lost worker may still write to all of this.
      for (const buffer of [this.job, this.distances, this.verdicts, this.scratch]) buffer.dispose();
    }
  }

  // Coordinates that span too many exponents for expansions: integers of any size decide whether the triangles meet.
  private settleWide(pairAt: number, a: number, b: number, count: number, isSwapped: boolean): void {
    const { host: { backend: { arena } }, own, verdicts, distances } = this, points = new Float64Array(18), { u32 } = arena;
    for (let i = 0; i < count; i++) {
      if (u32[verdicts.at / 4 + i] !== limits.TOO_WIDE) continue;
      own.placePoints(arena, pairAt, u32[(isSwapped ? b : a) + i]!, u32[(isSwapped ? a : b) + i]!, points, 0);
      if (own.trianglesMeetExact(points)) arena.f64[distances.at / 8 + i] = 0;
    }
  }
}
