// Estimates the cost of sweep and prune from a sample of the boxes: counts the pairs of sampled boxes that
// would be tested, and the pairs that overlap. Runs on one thread: begin and end are ignored.
import { BoxPlan, SampleBoxesJob, SampledBox, SWEEP_BUCKET_BITS, SWEEP_CELLS } from '../records';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';
import { cellCountFor, rangeOf, slabCountFor } from './slabs';

const GOLDEN: f64 = 0.6180339887498949;
/** Counting stops at this many tests, which already show that sweep and prune would be far too slow. */
const MAX_TESTS: u32 = 16384;

export function sampleBoxes(jobAt: usize, begin: u32, end: u32): void {
  planSample(jobAt);
  takeSample(jobAt);
  sort(orderOf(jobAt), load<u32>(jobAt, SampleBoxesJob.sampledCount));
  sweep(jobAt);
}

// orderOf returns the address of the sort keys. countsOf returns the address of an array that holds, for each
// slab, the number of sampled boxes in it.
function orderOf(job: usize): usize {
  return job + SampleBoxesJob.SIZE + <usize>load<u32>(job, SampleBoxesJob.size) * SampledBox.SIZE;
}
function countsOf(job: usize): usize {
  return orderOf(job) + ((<usize>load<u32>(job, SampleBoxesJob.size)) << 3);
}

// Computes the slabs and columns that sweep and prune would use for all boxes.
function planSample(job: usize): void {
  const plan: usize = load<u32>(job, SampleBoxesJob.planAt);
  const count = load<u32>(plan, BoxPlan.count);
  const slab: usize = load<u32>(plan, BoxPlan.slabAxis);
  const column: usize = load<u32>(plan, BoxPlan.columnAxis);
  const slabCount = slabCountFor(plan, count, load<u32>(job, SampleBoxesJob.threads));
  const columnCount = cellCountFor(plan, column, count);
  store<u32>(job, slabCount, SampleBoxesJob.slabCount);
  store<u32>(job, columnCount, SampleBoxesJob.columnCount);
  store<f64>(job, load<f64>(plan + (slab << 3), BoxPlan.low), SampleBoxesJob.slabLow);
  store<f64>(job, <f64>slabCount / max<f64>(rangeOf(plan, slab), 1e-300), SampleBoxesJob.slabScale);
  store<f64>(job, load<f64>(plan + (column << 3), BoxPlan.low), SampleBoxesJob.columnLow);
  store<f64>(job, <f64>columnCount / max<f64>(rangeOf(plan, column), 1e-300), SampleBoxesJob.columnScale);
  store<f64>(job, rangeOf(plan, load<u32>(plan, BoxPlan.sweepAxis)), SampleBoxesJob.sweepRange);
}

// Samples the boxes at the relative positions frac(i * GOLDEN) in the list of boxes, i = 0, 1, 2, ... These
// positions spread evenly and do not correlate with the order of the boxes. Skips empty boxes, and takes more
// positions instead, until the sample has `size` boxes.
function takeSample(job: usize): void {
  const size = load<u32>(job, SampleBoxesJob.size);
  const boxCount = load<u32>(job, SampleBoxesJob.boxCount);
  const boxes: usize = load<u32>(job, SampleBoxesJob.boxesAt);
  const order = orderOf(job);
  const slabCounts = countsOf(job);
  const plan: usize = load<u32>(job, SampleBoxesJob.planAt);
  const sweepAxis: usize = load<u32>(plan, BoxPlan.sweepAxis);
  const slabAxis: usize = load<u32>(plan, BoxPlan.slabAxis);
  const columnAxis: usize = load<u32>(plan, BoxPlan.columnAxis);
  const slabCount = load<u32>(job, SampleBoxesJob.slabCount);
  const columnCount = load<u32>(job, SampleBoxesJob.columnCount);
  const slabLow = load<f64>(job, SampleBoxesJob.slabLow);
  const slabScale = load<f64>(job, SampleBoxesJob.slabScale);
  const columnLow = load<f64>(job, SampleBoxesJob.columnLow);
  const columnScale = load<f64>(job, SampleBoxesJob.columnScale);
  memory.fill(slabCounts, 0, (<usize>slabCount) << 2);
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let sumZ: f64 = 0;
  let volumes: f64 = 0;
  let sampled: u32 = 0;
  for (let i: u32 = 0; i < boxCount && sampled < size; i++) {
    const phase = <f64>i * GOLDEN;
    const box = boxes + <usize>(<u32>((phase - floor(phase)) * <f64>boxCount)) * 24;
    if (!isNonEmpty(minCornerOf(box), maxCornerOf(box))) continue;
    const to = job + SampleBoxesJob.SIZE + <usize>sampled * SampledBox.SIZE;
    const x = load<f32>(box + 4 * sweepAxis);
    const y = load<f32>(box + 4 * slabAxis);
    const z = load<f32>(box + 4 * columnAxis);
    const maxX = load<f32>(box + 4 * sweepAxis, 12);
    const maxY = load<f32>(box + 4 * slabAxis, 12);
    const maxZ = load<f32>(box + 4 * columnAxis, 12);
    const slab = cellOf(y, slabLow, slabScale, slabCount);
    const lastSlab = cellOf(maxY, slabLow, slabScale, slabCount);
    store<f32>(to, x, SampledBox.minX);
    store<f32>(to, maxX, SampledBox.maxX);
    store<f32>(to, y, SampledBox.minY);
    store<f32>(to, maxY, SampledBox.maxY);
    store<f32>(to, z, SampledBox.minZ);
    store<f32>(to, maxZ, SampledBox.maxZ);
    store<u32>(to, slab, SampledBox.slab);
    store<u32>(to, lastSlab, SampledBox.lastSlab);
    store<u32>(to, cellOf(z, columnLow, columnScale, columnCount), SampledBox.column);
    store<u32>(to, cellOf(maxZ, columnLow, columnScale, columnCount), SampledBox.lastColumn);
    for (let s = slab; s <= lastSlab; s++)
      store<u32>(slabCounts + ((<usize>s) << 2), load<u32>(slabCounts + ((<usize>s) << 2)) + 1);
    store<u32>(to, 0, SampledBox.pairs);
    store<u64>(order + ((<usize>sampled) << 3), ((<u64>orderedBits(x)) << 32) | <u64>to);
    sampled++;
    const sizeX = <f64>maxX - <f64>x;
    const sizeY = <f64>maxY - <f64>y;
    const sizeZ = <f64>maxZ - <f64>z;
    sumX += sizeX;
    sumY += sizeY;
    sumZ += sizeZ;
    volumes += sizeX * sizeY * sizeZ;
  }
  const count = <f64>sampled;
  store<u32>(job, sampled, SampleBoxesJob.sampledCount);
  store<f64>(job, <f64>load<u32>(plan, BoxPlan.count) / count, SampleBoxesJob.boxesEach);
  store<f64>(job, ((sumX / count) * (sumY / count) * sumZ) / volumes, SampleBoxesJob.mixture);
}

function cellOf(x: f32, low: f64, scale: f64, count: u32): u32 {
  return <u32>max(0, min(<f64>count - 1, (<f64>x - low) * scale));
}

// Returns an unsigned integer for a float. These integers are in the same order as the floats.
function orderedBits(x: f32): u32 {
  const bits = reinterpret<i32>(x);
  return <u32>(bits ^ ((bits >> 31) | <i32>0x80000000));
}

// Sorts the keys by Shell sort. Each gap is about 2.2 times the gap after it.
function sort(keys: usize, size: u32): void {
  for (let gap = max<u32>(1, (size * 5) / 11); ; gap = gap == 2 ? 1 : (gap * 5) / 11) {
    for (let i = gap; i < size; i++) {
      const key = load<u64>(keys + ((<usize>i) << 3));
      let to = i;
      for (; to >= gap; to -= gap) {
        const before = load<u64>(keys + ((<usize>(to - gap)) << 3));
        if (before <= key) break;
        store<u64>(keys + ((<usize>to) << 3), before);
      }
      store<u64>(keys + ((<usize>to) << 3), key);
    }
    if (gap <= 1) break;
  }
}

// Counts three kinds of pairs in the sample: pairs that would be tested, pairs that overlap, and tested pairs
// whose gap or overlap is less than a cell, so that cell numbers cannot decide them.
function sweep(job: usize): void {
  const order = orderOf(job);
  const slabCounts = countsOf(job);
  const range = load<f64>(job, SampleBoxesJob.sweepRange);
  const boxesEach = load<f64>(job, SampleBoxesJob.boxesEach);
  const last = order + ((<usize>load<u32>(job, SampleBoxesJob.sampledCount)) << 3);
  const cells = <f64>SWEEP_CELLS;
  const toCellsX = cells / range;
  const toCellsY =
    (cells * load<f64>(job, SampleBoxesJob.slabScale)) / <f64>load<u32>(job, SampleBoxesJob.slabCount);
  const toCellsZ =
    (cells * load<f64>(job, SampleBoxesJob.columnScale)) / <f64>load<u32>(job, SampleBoxesJob.columnCount);
  let tests: u32 = 0;
  let pairs: u32 = 0;
  let close: u32 = 0;
  for (let i = order; i < last && tests < MAX_TESTS; i += 8) {
    const a = <usize>load<u32>(i);
    const slab = load<u32>(a, SampledBox.slab);
    // The width of a bucket of the sweep. Boxes in the same bucket are not sorted, so a box may start before
    // its predecessor by up to this distance.
    const disorder = range / bucketsOf(<f64>load<u32>(slabCounts + ((<usize>slab) << 2)) * boxesEach);
    const end = load<f32>(a, SampledBox.maxX);
    const limit = <f64>end + disorder;
    const lastSlab = load<u32>(a, SampledBox.lastSlab);
    const column = load<u32>(a, SampledBox.column);
    const lastColumn = load<u32>(a, SampledBox.lastColumn);
    for (let k = i + 8; k < last; k += 8) {
      const b = <usize>load<u32>(k);
      if (<f64>load<f32>(b, SampledBox.minX) > limit) break;
      if (
        load<u32>(b, SampledBox.slab) > lastSlab ||
        slab > load<u32>(b, SampledBox.lastSlab) ||
        load<u32>(b, SampledBox.column) > lastColumn ||
        column > load<u32>(b, SampledBox.lastColumn)
      )
        continue;
      tests++;
      const x = gap(a, b, SampledBox.minX);
      const y = gap(a, b, SampledBox.minY);
      const z = gap(a, b, SampledBox.minZ);
      const isPair = u32(max(x, max(y, z)) <= 0);
      pairs += isPair;
      store<u32>(a, load<u32>(a, SampledBox.pairs) + isPair, SampledBox.pairs);
      store<u32>(b, load<u32>(b, SampledBox.pairs) + isPair, SampledBox.pairs);
      close += u32(abs(max(x * toCellsX, max(y * toCellsY, z * toCellsZ))) < 1);
    }
  }
  store<u32>(job, tests, SampleBoxesJob.tests);
  // Leave out the pairs of the box with the most pairs: it may be an outlier that overlaps nearly all others.
  let maxPairs: u32 = 0;
  for (let i = order; i < last; i += 8)
    maxPairs = max(maxPairs, load<u32>(<usize>load<u32>(i), SampledBox.pairs));
  store<u32>(job, pairs - maxPairs, SampleBoxesJob.pairs);
  store<u32>(job, close, SampleBoxesJob.undecidedTests);
}

// Returns the gap between two boxes on an axis; a negative gap is the depth of their overlap.
function gap(a: usize, b: usize, axis: usize): f64 {
  return max(
    <f64>load<f32>(b + axis) - <f64>load<f32>(a + axis, 4),
    <f64>load<f32>(a + axis) - <f64>load<f32>(b + axis, 4),
  );
}

// Returns approximately the maximum number of buckets into which sweepSlabs sorts a slab of `count` boxes.
function bucketsOf(count: f64): f64 {
  return count < 4 ? 1 : <f64>min<u32>(1 << SWEEP_BUCKET_BITS, 1 << (30 - clz(<u32>count)));
}
