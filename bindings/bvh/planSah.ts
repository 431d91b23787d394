// Plans a tree by the surface area heuristic: in several rounds, all threads split the triangle records into
// ranges. One thread then builds the subtree of each range. Ranges and splits depend on the records alone, so
// the tree is the same for any number of threads.

import {
  BuildRecord,
  Chunk,
  limits,
  MeshRecord,
  OpenRange,
  SliceBox,
  TopJob,
  TopRange,
} from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import type { MeshStatistics } from './normalize.js';
import {
  BOX_WORDS,
  boxesOf,
  foldBoxes,
  frameMesh,
  type Plan,
  SUBTREE_TRIANGLES,
  type SubtreeRange,
  type Top,
  type TopSplit,
} from './plan.js';

const CHUNK_TRIANGLES = 8192;
/** Minimum number of triangles per thread. */
const SLICE_TRIANGLES = 8192;

/** Returns half the surface area of a box in the format of SubtreeRange.boxes. */
function halfArea(boxes: Float32Array): number {
  const [x, y, z] = [0, 1, 2].map(axis => boxes[4 + axis] - boxes[axis]);
  return x * y + y * z + z * x;
}

/** split: the split that created this range. child: the side of that split on which this range lies. */
type Side = SubtreeRange & { split?: TopSplit; child?: 'left' | 'right' };

/** Makes the plan of the surface area heuristic. @yields progress, 0 to 1 */
export function* planSah(
  context: EngineContext,
  meshAt: number,
  statistics: MeshStatistics,
  scratch: BlockGroup,
): Generator<number, Plan> {
  const count = context.arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4];
  const bytes = Math.max(count, 1) * BuildRecord.size;
  const [recordsAt, spareAt] = [scratch.take(bytes), scratch.take(bytes)];
  const { bounds, box } = frameMesh(context, meshAt, statistics, () =>
    boundTriangles(context, meshAt, recordsAt, count),
  );
  return { bounds, top: count === 0 ? undefined : yield* splitTop(context, recordsAt, spareAt, count, box) };
}

// Writes the records of all triangles. Returns the minimum and maximum x, y, z of all triangles in stored
// coordinates.
function boundTriangles(
  context: EngineContext,
  meshAt: number,
  recordsAt: number,
  count: number,
): Float32Array {
  const { arena, pool } = context;
  const sliceCount = sliceCountOf(pool.threadCount, count, SLICE_TRIANGLES);
  const blocks = new BlockGroup(arena);
  try {
    const boxesAt = blocks.take(sliceCount * SliceBox.size);
    runStep(
      context,
      'boundTriangles',
      blocks.takeWords([meshAt, recordsAt, boxesAt, sliceCount]),
      sliceCount,
    );
    return foldBoxes(context, boxesAt, sliceCount);
  } finally {
    blocks.releaseAll();
  }
}

/**
 * Splits records until every range is small enough. At the end, the records of a range are in one of the two
 * buffers: see `recordsAt` of the range.
 * @yields the completed fraction, 0 to 1
 */
function* splitTop(
  context: EngineContext,
  recordsAt: number,
  spareAt: number,
  count: number,
  box: Float32Array,
): Generator<number, Top> {
  const whole: Side = {
    begin: 0,
    end: count,
    depth: 0,
    boxes: boxesOf(box),
    recordsAt,
    shapesAt: spareAt,
    idsAt: 0,
  };
  const holder: TopSplit = { weight: 0, left: whole, right: whole };
  whole.split = holder;
  whole.child = 'left';
  let open = [whole].filter(isLarge);
  let [fromAt, toAt] = [recordsAt, spareAt];
  while (open.length > 0) {
    open = splitRound(context, open, fromAt, toAt).filter(isLarge);
    [fromAt, toAt] = [toAt, fromAt];
    yield 1 - open.reduce((sum, side) => sum + side.end - side.begin, 0) / count;
  }
  return holder.left;
}

const isLarge = (side: Side): boolean => side.end - side.begin > SUBTREE_TRIANGLES;

function splitRound(context: EngineContext, open: Side[], fromAt: number, toAt: number): Side[] {
  const { arena, pool } = context;
  const blocks = new BlockGroup(arena);
  try {
    const rangesAt = blocks.take(open.length * TopRange.size);
    const chunkCount = open.reduce(
      (sum, side) => sum + Math.ceil((side.end - side.begin) / CHUNK_TRIANGLES),
      0,
    );
    const chunksAt = blocks.take(chunkCount * Chunk.size);
    const sidesAt = blocks.take(open.length * 2 * OpenRange.size);
    const binsAt = blocks.take((chunkCount + 1) * limits.BINS_BYTES);
    writeRanges(context, open, rangesAt, chunksAt);
    const sliceCount = Math.min(pool.threadCount, chunkCount);
    const jobAt = blocks.take(TopJob.size);
    setWords(context.arena.u32, jobAt, TopJob, {
      fromAt,
      toAt,
      rangesAt,
      rangeCount: open.length,
      chunksAt,
      chunkCount,
      binsAt,
      sidesAt,
      sliceCount,
    });
    runStep(context, 'binChunks', jobAt, sliceCount);
    runStep(context, 'splitTop', jobAt, 1);
    runStep(context, 'moveChunks', jobAt, sliceCount);
    return open.flatMap((side, i) =>
      splitSide(context, side, sidesAt + i * 2 * OpenRange.size, toAt, fromAt),
    );
  } finally {
    blocks.releaseAll();
  }
}

function writeRanges({ arena }: EngineContext, open: Side[], rangesAt: number, chunksAt: number): void {
  let chunk = 0;
  open.forEach((side, range) => {
    const at = (rangesAt + range * TopRange.size) / 4;
    const firstChunk = chunk;
    for (let begin = side.begin; begin < side.end; begin += CHUNK_TRIANGLES, chunk++) {
      arena.u32.set(
        [range, begin, Math.min(side.end, begin + CHUNK_TRIANGLES)],
        (chunksAt + chunk * Chunk.size) / 4,
      );
    }
    const { begin, end, depth } = side;
    setWords(arena.u32, 4 * at, TopRange, { begin, end, depth, firstChunk, chunkCount: chunk - firstChunk });
    arena.f32.set(side.boxes, at + TopRange.at.low / 4);
  });
}

function splitSide(
  { arena }: EngineContext,
  parent: Side,
  sidesAt: number,
  recordsAt: number,
  shapesAt: number,
): Side[] {
  const sides = (['left', 'right'] as const).map((child, i): Side => {
    const at = (sidesAt + i * OpenRange.size) / 4;
    return {
      begin: arena.u32[at + OpenRange.at.begin / 4],
      end: arena.u32[at + OpenRange.at.end / 4],
      depth: arena.u32[at + OpenRange.at.depth / 4],
      boxes: arena.f32.slice(at + OpenRange.at.low / 4, at + OpenRange.at.low / 4 + BOX_WORDS),
      recordsAt,
      shapesAt,
      idsAt: 0,
      child,
    };
  });
  const split: TopSplit = { weight: halfArea(parent.boxes), left: sides[0], right: sides[1] };
  parent.split![parent.child!] = split;
  for (const side of sides) side.split = split;
  return sides;
}
