// What all boxes are like -> how narrow slabs and columns should be for them, and the cells that they are cut
// by.
import { BOXES_A_COLUMN, BoxPlan, MOST_SLABS, SlabJob, SWEEP_CELLS } from '../records';

/** Fewer boxes a slab than this cost more to cut than they save. */
const BOXES_A_SLAB: u32 = 64;
/** Of the whole's cells, along the sweep: boxes shorter than this start where too many others do. */
const LEAST_CELLS: f64 = 4;
/** Slabs that each thread finds, so that they can be shared out evenly. */
const SLABS_A_THREAD: u32 = 4;

/** From the lowest box to the highest. */
export function rangeOf(plan: usize, axis: usize): f64 {
  return load<f64>(plan + (axis << 3), BoxPlan.high) - load<f64>(plan + (axis << 3), BoxPlan.low);
}

/**
 * The number of cells that costs least for boxes of these sizes, where their width is above 0: too narrow
 * copies boxes, too wide tests what is far apart. Else NaN.
 */
function cellsWanted(plan: usize, axis: usize): f64 {
  const width =
    (3 * load<f64>(plan + (axis << 3), BoxPlan.square)) / load<f64>(plan + (axis << 3), BoxPlan.size);
  return width > 0 ? rangeOf(plan, axis) / width : NaN;
}

/** The same for this many boxes, no more than there may be. */
export function cellsFor(plan: usize, axis: usize, count: u32): u32 {
  const wanted = cellsWanted(plan, axis);
  return <u32>max<f64>(1, min<f64>(<f64>MOST_SLABS, isNaN(wanted) ? sqrt(<f64>count) : wanted));
}

/** Slabs too wide leave the cache, too, and have to be enough for all threads. */
export function slabsFor(plan: usize, count: u32, threads: u32): u32 {
  const wanted = max(
    cellsFor(plan, load<u32>(plan, BoxPlan.slabAxis), count),
    threads > 1 ? SLABS_A_THREAD * threads : 1,
  );
  return max(1, min(min(MOST_SLABS, count / BOXES_A_SLAB), wanted));
}

/**
 * Whether there may be as many slabs and columns as boxes of these sizes ask for, and boxes are no smaller
 * than cells along the sweep can tell.
 */
export function hasCells(plan: usize): bool {
  const count = <f64>load<u32>(plan, BoxPlan.count);
  const sweep: usize = load<u32>(plan, BoxPlan.sweepAxis);
  const slabs = cellsWanted(plan, load<u32>(plan, BoxPlan.slabAxis));
  const columns = cellsWanted(plan, load<u32>(plan, BoxPlan.columnAxis));
  // Nothing is less than NaN.
  return (
    LEAST_CELLS * rangeOf(plan, sweep) <= <f64>SWEEP_CELLS * load<f64>(plan + (sweep << 3), BoxPlan.size) &&
    max(slabs, columns) <= <f64>MOST_SLABS &&
    slabs * <f64>BOXES_A_SLAB <= count &&
    max<f64>(1, slabs) * columns * <f64>BOXES_A_COLUMN <= count
  );
}

/** A job's axes, slabs and cells by its plan. */
export function aimJob(job: usize): void {
  const plan: usize = load<u32>(job, SlabJob.planAt);
  store<u32>(
    job,
    slabsFor(
      plan,
      load<u32>(job, SlabJob.last) - load<u32>(job, SlabJob.first),
      load<u32>(job, SlabJob.threads),
    ),
    SlabJob.slabCount,
  );
  for (let lane: usize = 0; lane < 4; lane++) {
    // The last lane is not looked at, except that numbers in it may be no denormal ones.
    const axis: usize = load<u32>(plan + (min<usize>(lane, 2) << 2), BoxPlan.sweepAxis);
    const at = plan + (axis << 3);
    const to = job + (lane << 2);
    const low = load<f64>(at, BoxPlan.low) / 2;
    const half = load<f64>(at, BoxPlan.high) / 2 - low;
    store<u32>(to, 0x03020100 + <u32>axis * 0x04040404, SlabJob.permutation);
    store<f32>(to, lane < 3 ? <f32>low : 0, SlabJob.origin);
    // Finite, so that no product is NaN; 0 where there is no range.
    store<f32>(
      to,
      lane < 3 && half > 0 ? <f32>min<f64>(<f64>(SWEEP_CELLS - 1) / half, 1e38) : 0,
      SlabJob.scale,
    );
  }
}
