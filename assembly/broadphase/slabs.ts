// Chooses how sweep and prune divides space into slabs, columns and grid cells, from the statistics of the
// boxes.
import { BOXES_PER_COLUMN, BoxPlan, MAX_SLABS, SlabJob, SWEEP_CELLS } from '../records';

/**
 * Minimum average number of boxes per slab. With fewer, distributing the boxes to slabs costs more than it
 * saves.
 */
const MIN_SLAB_BOXES: u32 = 64;
/**
 * Minimum mean length of the boxes along the sweep axis, in cells. Shorter boxes share their first cell with
 * too many others.
 */
const MIN_CELLS: f64 = 4;
/** Minimum number of slabs per thread, so that work can be distributed evenly. */
const MIN_THREAD_SLABS: u32 = 4;

/** Returns the extent of all boxes on an axis. */
export function rangeOf(plan: usize, axis: usize): f64 {
  return load<f64>(plan + (axis << 3), BoxPlan.high) - load<f64>(plan + (axis << 3), BoxPlan.low);
}

/**
 * Returns the optimal number of slabs or columns along an axis, or NaN if all boxes have size 0 on that axis.
 * With narrower slabs, boxes would be copied more often. With wider slabs, more boxes that are far apart
 * would be tested.
 */
function optimalCells(plan: usize, axis: usize): f64 {
  const width =
    (3 * load<f64>(plan + (axis << 3), BoxPlan.meanSquare)) / load<f64>(plan + (axis << 3), BoxPlan.meanSize);
  return width > 0 ? rangeOf(plan, axis) / width : NaN;
}

/**
 * Returns the number of slabs or columns along an axis, 1..MAX_SLABS: the optimal number, or sqrt(count) if
 * all boxes have size 0.
 */
export function cellCountFor(plan: usize, axis: usize, count: u32): u32 {
  const optimal = optimalCells(plan, axis);
  return <u32>max<f64>(1, min<f64>(<f64>MAX_SLABS, isNaN(optimal) ? sqrt(<f64>count) : optimal));
}

/**
 * Returns the number of slabs: the optimal number or, with several threads, at least MIN_THREAD_SLABS slabs per
 * thread. Two limits take precedence: there are at most MAX_SLABS slabs, and if there are several slabs, their
 * average number of boxes is at least MIN_SLAB_BOXES.
 */
export function slabCountFor(plan: usize, count: u32, threads: u32): u32 {
  const optimal = max(
    cellCountFor(plan, load<u32>(plan, BoxPlan.slabAxis), count),
    threads > 1 ? MIN_THREAD_SLABS * threads : 1,
  );
  return max(1, min(min(MAX_SLABS, count / MIN_SLAB_BOXES), optimal));
}

/**
 * Returns whether slabs and columns can be as narrow as the sizes of the boxes require. Two conditions must
 * hold. First, MAX_SLABS, MIN_SLAB_BOXES and BOXES_PER_COLUMN allow the optimal numbers of slabs and columns.
 * Second, on average, the boxes extend over at least MIN_CELLS cells of the sweep axis, so that few boxes begin
 * in the same cell.
 */
export function slabsSuffice(plan: usize): bool {
  const count = <f64>load<u32>(plan, BoxPlan.count);
  const sweep: usize = load<u32>(plan, BoxPlan.sweepAxis);
  const slabs = optimalCells(plan, load<u32>(plan, BoxPlan.slabAxis));
  const columns = optimalCells(plan, load<u32>(plan, BoxPlan.columnAxis));
  // If a number is NaN (all boxes have size 0 on its axis), its comparison is false.
  return (
    MIN_CELLS * rangeOf(plan, sweep) <= <f64>SWEEP_CELLS * load<f64>(plan + (sweep << 3), BoxPlan.meanSize) &&
    max(slabs, columns) <= <f64>MAX_SLABS &&
    slabs * <f64>MIN_SLAB_BOXES <= count &&
    max<f64>(1, slabs) * columns * <f64>BOXES_PER_COLUMN <= count
  );
}

/**
 * Sets the axes, the number of slabs, and the origin and scale of the grid in a SlabJob, from its BoxPlan.
 */
export function planSlabJob(job: usize): void {
  const plan: usize = load<u32>(job, SlabJob.planAt);
  store<u32>(
    job,
    slabCountFor(
      plan,
      load<u32>(job, SlabJob.last) - load<u32>(job, SlabJob.first),
      load<u32>(job, SlabJob.threads),
    ),
    SlabJob.slabCount,
  );
  for (let lane: usize = 0; lane < 4; lane++) {
    // The last lane is unused, but must not become a denormal number, which would be slow.
    const axis: usize = load<u32>(plan + (min<usize>(lane, 2) << 2), BoxPlan.sweepAxis);
    const at = plan + (axis << 3);
    const to = job + (lane << 2);
    const low = load<f64>(at, BoxPlan.low) / 2;
    const half = load<f64>(at, BoxPlan.high) / 2 - low;
    store<u32>(to, 0x03020100 + <u32>axis * 0x04040404, SlabJob.permutation);
    store<f32>(to, lane < 3 ? <f32>low : 0, SlabJob.origin);
    // The scale is finite, so that no product is NaN. It is 0 if the range is empty.
    store<f32>(
      to,
      lane < 3 && half > 0 ? <f32>min<f64>(<f64>(SWEEP_CELLS - 1) / half, 1e38) : 0,
      SlabJob.scale,
    );
  }
}
