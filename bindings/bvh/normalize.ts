// Scans the positions and indices of a mesh, and chooses the coordinate frame in which the boxes of its tree
// are stored: a center and a power-of-two scale.

import { floatAbove } from '../core/floats.js';
import { BoundPositionsJob, MeshRecord, SliceBounds } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';

const GROUP = 4;
/** Minimum number of bytes per thread. For fewer bytes, the hand-off to a thread takes longer than it saves. */
const SLICE_BYTES = 1 << 18;
const MAX_EXPONENT = 120;
const HALF_STEP = 2 ** -25;
const MIN_NORMAL = 2 ** -126;

/** Results of one pass over a mesh's arrays. */
export interface MeshStatistics {
  /** Minimum x, y, z, then maximum x, y, z; all 0 if there is no vertex. */
  bounds: Float32Array;
  /** Smallest magnitude of all coordinates other than 0; Infinity if there is none. */
  minMagnitude: number;
  areFinite: boolean;
  maxIndex: number;
}

/**
 * Reads all positions of the mesh once, and its indices, too, if they are new. Uses several threads if there
 * is enough data.
 */
export const meshStatistics = (
  context: EngineContext,
  meshAt: number,
  indices: 'new' | 'known' = 'new',
): MeshStatistics => retry(() => scanOnce(context, meshAt, indices));

function scanOnce(context: EngineContext, meshAt: number, indices: 'new' | 'known'): MeshStatistics {
  const { arena, pool } = context;
  const word = (offset: number) => arena.u32[(meshAt + offset) / 4];
  const vertexCount = word(MeshRecord.at.vertexCount);
  const indexCount = indices === 'new' ? word(MeshRecord.at.triangleCount) * 3 : 0;
  const sliceCount = Math.max(
    1,
    Math.min(pool.threadCount, Math.floor((vertexCount * 12 + indexCount * 4) / SLICE_BYTES)),
  );
  const blocks = new BlockGroup(arena);
  try {
    const boundsAt = blocks.take(sliceCount * SliceBounds.size);
    const jobAt = blocks.take(BoundPositionsJob.size);
    setWords(arena.u32, jobAt, BoundPositionsJob, {
      positionsAt: word(MeshRecord.at.positionsAt),
      groupCount: Math.ceil(vertexCount / GROUP),
      indicesAt: word(MeshRecord.at.indicesAt),
      indexGroupCount: Math.ceil(indexCount / GROUP),
      boundsAt,
      sliceCount,
    });
    runStep(context, 'boundPositions', jobAt, sliceCount);
    return fold(context, boundsAt, sliceCount, vertexCount);
  } finally {
    blocks.releaseAll();
  }
}

function fold(
  { arena }: EngineContext,
  boundsAt: number,
  sliceCount: number,
  vertexCount: number,
): MeshStatistics {
  const bounds = new Float32Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  let maxIndex = 0;
  let areFinite = true;
  let tinyBits = 0xffffffff;
  for (let slice = 0; slice < sliceCount; slice++) {
    const at = (boundsAt + slice * SliceBounds.size) / 4;
    for (let k = 0; k < 12; k++) {
      const axis = k % 3;
      bounds[axis] = Math.min(bounds[axis], arena.f32[at + SliceBounds.at.low / 4 + k]);
      bounds[axis + 3] = Math.max(bounds[axis + 3], arena.f32[at + SliceBounds.at.high / 4 + k]);
    }
    for (let k = 0; k < GROUP; k++) {
      tinyBits = Math.min(tinyBits, arena.u32[at + SliceBounds.at.minMagnitude / 4 + k]);
      maxIndex = Math.max(maxIndex, arena.u32[at + SliceBounds.at.maxIndex / 4 + k]);
      if (arena.u32[at + SliceBounds.at.nonFinite / 4 + k] !== 0) areFinite = false;
    }
  }
  if (vertexCount === 0) bounds.fill(0);
  const minMagnitude =
    tinyBits === 0xffffffff ? Infinity : new Float32Array(Uint32Array.of(tinyBits + 1).buffer)[0];
  return { bounds, minMagnitude, areFinite, maxIndex };
}

/**
 * Returns the bounds of the vertices that triangles use. This is slow, and needed only for meshes in which
 * unreferenced vertices lie outside the bounds of the other vertices.
 */
export function boundReferenced({ arena }: EngineContext, meshAt: number): Float32Array {
  const positions = arena.u32[(meshAt + MeshRecord.at.positionsAt) / 4] / 4;
  const indices = arena.u32[(meshAt + MeshRecord.at.indicesAt) / 4] / 4;
  const last = indices + arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4] * 3;
  const bounds = new Float32Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  const { f32, u32 } = arena;
  for (let i = indices; i < last; i++) {
    const at = positions + u32[i] * 3;
    for (let axis = 0; axis < 3; axis++) {
      const value = f32[at + axis];
      if (value < bounds[axis]) bounds[axis] = value;
      if (value > bounds[axis + 3]) bounds[axis + 3] = value;
    }
  }
  if (indices === last) bounds.fill(0);
  return bounds;
}

/**
 * Returns the vertices that no triangle uses, and the first vertex that a triangle uses (0 if there is none).
 */
export function findUnreferenced(
  { arena }: EngineContext,
  meshAt: number,
): { unreferenced: Uint32Array; used: number } {
  const indices = arena.u32[(meshAt + MeshRecord.at.indicesAt) / 4] / 4;
  const last = indices + arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4] * 3;
  const isUsed = new Uint8Array(arena.u32[(meshAt + MeshRecord.at.vertexCount) / 4]);
  const { u32 } = arena;
  for (let i = indices; i < last; i++) isUsed[u32[i]] = 1;
  return {
    unreferenced: Uint32Array.from(isUsed.keys()).filter(vertex => !isUsed[vertex]),
    used: Math.max(0, isUsed.indexOf(1)),
  };
}

/**
 * Sets center, scale and storedError of the mesh record. The stored coordinate of x is (x - center) * scale.
 * Its magnitude is at most 1, unless MAX_EXPONENT limits the scale. storedError bounds the rounding errors of
 * stored coordinates. For a mesh with doubles, `bounds` are the bounds of its float32 vertices. These
 * vertices are already relative to a center, so the center that is set here is 0.
 */
export function setFrame(
  { arena }: EngineContext,
  meshAt: number,
  bounds: Float32Array,
  minMagnitude: number,
): void {
  const axes = [0, 1, 2];
  const maxMagnitude = Math.max(...Array.from(bounds, Math.abs));
  const maxHalf = Math.max(...axes.map(axis => (bounds[axis + 3] - bounds[axis]) / 2));
  // If the mesh is near the origin, the center is 0, so that coordinates are stored exactly. If it is far
  // from the origin, the center is the midpoint of the bounds, which preserves the digits of the coordinates.
  const at = meshAt / 4;
  const isNear = maxMagnitude <= 4 * maxHalf || arena.u32[at + MeshRecord.at.doublesAt / 4] !== 0;
  const center = axes.map(axis => (isNear ? 0 : Math.fround((bounds[axis] + bounds[axis + 3]) / 2)));
  const reach = Math.max(
    ...axes.flatMap(axis => [
      Math.abs(Math.fround(bounds[axis] - center[axis])),
      Math.abs(Math.fround(bounds[axis + 3] - center[axis])),
    ]),
  );
  const scale = reach === 0 ? 1 : 2 ** Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, -ceilLog2(reach)));
  const isExact = center.every(value => value === 0) && (scale >= 1 || minMagnitude * scale >= MIN_NORMAL);
  // If MAX_EXPONENT limits the scale, stored coordinates exceed 1, and their rounding error grows
  // accordingly.
  const storedError = isExact ? 0 : HALF_STEP * Math.max(1, 2 ** ceilLog2(Math.max(reach * scale, 1)));
  const rounding = arena.f32[at + MeshRecord.at.rounding / 4];
  arena.f32[at + MeshRecord.at.centerX / 4] = center[0];
  arena.f32[at + MeshRecord.at.centerY / 4] = center[1];
  arena.f32[at + MeshRecord.at.centerZ / 4] = center[2];
  arena.f32[at + MeshRecord.at.scale / 4] = scale;
  arena.f32[at + MeshRecord.at.storedError / 4] =
    rounding === 0 ? storedError : floatAbove((rounding * scale + storedError) * (1 + 2 ** -50));
}

/** Returns the smallest e with 2^e >= x, for positive x. */
export function ceilLog2(x: number): number {
  let e = Math.ceil(Math.log2(x));
  while (2 ** e < x) e++;
  while (2 ** (e - 1) >= x) e--;
  return e;
}

/** Returns whether these bounds, converted to stored coordinates, equal the box. */
export function isStoredBox(
  { arena }: EngineContext,
  meshAt: number,
  bounds: Float32Array,
  box: Float32Array,
): boolean {
  const scale = arena.f32[(meshAt + MeshRecord.at.scale) / 4];
  return bounds.every((value, i) => {
    const center = arena.f32[(meshAt + MeshRecord.at.centerX) / 4 + (i % 3)];
    return Math.fround(Math.fround(value - center) * scale) === box[i];
  });
}
