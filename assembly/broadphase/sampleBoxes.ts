// Some of many boxes -> how many a box would be tested against by sweep and prune of all of them, and how
// many it overlaps. The slice is ignored: one thread a job.
import { BoxPlan, SampleBoxesJob, SampledBox, SWEEP_CELLS } from '../records';
import { cellsFor, rangeOf, slabsFor } from './slabs';

const GOLDEN: f64 = 0.6180339887498949;
/** More tests than this are not counted: the sweep is hopeless. */
const ENOUGH: u32 = 16384;

export function sampleBoxes(jobAt: usize, begin: u32, end: u32): void {
  aimSample(jobAt);
  takeSample(jobAt);
  sort(orderOf(jobAt), load<u32>(jobAt, SampleBoxesJob.size));
  sweep(jobAt);
}

// Sort keys and addresses; boxes of the sample in each slab.
function orderOf(job: usize): usize {
  return job + SampleBoxesJob.SIZE + <usize>load<u32>(job, SampleBoxesJob.size) * SampledBox.SIZE;
}
function heldOf(job: usize): usize {
  return orderOf(job) + ((<usize>load<u32>(job, SampleBoxesJob.size)) << 3);
}

// The slabs and columns that all boxes would be swept in.
function aimSample(job: usize): void {
  const plan: usize = load<u32>(job, SampleBoxesJob.planAt);
  const count = load<u32>(plan, BoxPlan.count);
  const slab: usize = load<u32>(plan, BoxPlan.slabAxis);
  const column: usize = load<u32>(plan, BoxPlan.columnAxis);
  const slabCount = slabsFor(plan, count, load<u32>(job, SampleBoxesJob.threads));
  const columnCount = cellsFor(plan, column, count);
  store<u32>(job, slabCount, SampleBoxesJob.slabCount);
  store<u32>(job, columnCount, SampleBoxesJob.columnCount);
  store<f64>(job, load<f64>(plan + (slab << 3), BoxPlan.low), SampleBoxesJob.slabLow);
  store<f64>(job, <f64>slabCount / max<f64>(rangeOf(plan, slab), 1e-300), SampleBoxesJob.slabScale);
  store<f64>(job, load<f64>(plan + (column << 3), BoxPlan.low), SampleBoxesJob.columnLow);
  store<f64>(job, <f64>columnCount / max<f64>(rangeOf(plan, column), 1e-300), SampleBoxesJob.columnScale);
  store<f64>(job, rangeOf(plan, load<u32>(plan, BoxPlan.sweepAxis)), SampleBoxesJob.sweepRange);
  store<f64>(job, <f64>count / <f64>load<u32>(job, SampleBoxesJob.size), SampleBoxesJob.boxesEach);
}

// Boxes at multiples of the golden ratio: evenly spread, and in step with no order that they may have.
function takeSample(job: usize): void {
  const size = load<u32>(job, SampleBoxesJob.size);
  const boxCount = <f64>load<u32>(job, SampleBoxesJob.boxCount);
  const boxes: usize = load<u32>(job, SampleBoxesJob.boxesAt);
  const order = orderOf(job);
  const held = heldOf(job);
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
  memory.fill(held, 0, (<usize>slabCount) << 2);
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let sumZ: f64 = 0;
  let volumes: f64 = 0;
  for (let i: u32 = 0; i < size; i++) {
    const turn = <f64>i * GOLDEN;
    const box = boxes + <usize>(<u32>((turn - floor(turn)) * boxCount)) * 24;
    const to = job + SampleBoxesJob.SIZE + <usize>i * SampledBox.SIZE;
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
      store<u32>(held + ((<usize>s) << 2), load<u32>(held + ((<usize>s) << 2)) + 1);
    store<u32>(to, 0, SampledBox.pairs);
    store<u64>(order + ((<usize>i) << 3), ((<u64>ordered(x)) << 32) | <u64>to);
    const sizeX = <f64>maxX - <f64>x;
    const sizeY = <f64>maxY - <f64>y;
    const sizeZ = <f64>maxZ - <f64>z;
    sumX += sizeX;
    sumY += sizeY;
    sumZ += sizeZ;
    volumes += sizeX * sizeY * sizeZ;
  }
  store<f64>(job, ((sumX / <f64>size) * (sumY / <f64>size) * sumZ) / volumes, SampleBoxesJob.mixture);
}

function cellOf(x: f32, low: f64, scale: f64, count: u32): u32 {
  return <u32>max(0, min(<f64>count - 1, (<f64>x - low) * scale));
}

// Bits that compare as unsigned numbers the way floats do.
function ordered(x: f32): u32 {
  const bits = reinterpret<i32>(x);
  return <u32>(bits ^ ((bits >> 31) | <i32>0x80000000));
}

// By shells: each gap about 2.2 times the next one.
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

// Pairs of the sample that would be tested, those that overlap, and those that cells would not tell.
function sweep(job: usize): void {
  const size = load<u32>(job, SampleBoxesJob.size);
  const order = orderOf(job);
  const held = heldOf(job);
  const range = load<f64>(job, SampleBoxesJob.sweepRange);
  const boxesEach = load<f64>(job, SampleBoxesJob.boxesEach);
  const last = order + ((<usize>size) << 3);
  const cells = <f64>SWEEP_CELLS;
  const toCellsX = cells / range;
  const toCellsY =
    (cells * load<f64>(job, SampleBoxesJob.slabScale)) / <f64>load<u32>(job, SampleBoxesJob.slabCount);
  const toCellsZ =
    (cells * load<f64>(job, SampleBoxesJob.columnScale)) / <f64>load<u32>(job, SampleBoxesJob.columnCount);
  let tests: u32 = 0;
  let pairs: u32 = 0;
  let close: u32 = 0;
  for (let i = order; i < last && tests < ENOUGH; i += 8) {
    const a = <usize>load<u32>(i);
    const slab = load<u32>(a, SampledBox.slab);
    // How much earlier than a box a later one of its slab may start.
    const disorder = range / bucketsOf(<f64>load<u32>(held + ((<usize>slab) << 2)) * boxesEach);
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
  // One box may overlap nearly all others, and stand for no more than itself.
  let most: u32 = 0;
  for (let i = order; i < last; i += 8) most = max(most, load<u32>(<usize>load<u32>(i), SampledBox.pairs));
  store<u32>(job, pairs - most, SampleBoxesJob.pairs);
  store<u32>(job, close, SampleBoxesJob.close);
}

// Between two boxes on an axis; less than 0: how far they reach into each other.
function gap(a: usize, b: usize, axis: usize): f64 {
  return max(
    <f64>load<f32>(b + axis) - <f64>load<f32>(a + axis, 4),
    <f64>load<f32>(a + axis) - <f64>load<f32>(b + axis, 4),
  );
}

// As `sweepSlabs` sorts a slab of so many boxes.
function bucketsOf(count: f64): f64 {
  return count < 8 ? 1 : <f64>min<u32>(2048, 1 << (30 - clz(<u32>count)));
}
