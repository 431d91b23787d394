// Writes the records of the meshes that rays or shapes may hit: one mesh, or the bodies of a scene and a tree
// over their boxes. Also reads the placed vertices of these meshes.

import { describe, Unsupported } from '../core/errors.js';
import type { EngineHost, QueryResources } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import { CastTarget } from '../records/castTargetLayout.js';
import { MeshRecord, PairRecord } from '../records/layout.js';
import { PlacedMesh } from '../records/placedMeshLayout.js';
import { setWords } from '../records/record.js';
import { BodyRecord } from '../records/sceneLayout.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { Arena } from '../runtime/memory.js';
import type { Scene } from '../scene/scene.js';
import { writeBoxTree } from './bodyTree.js';

/**
 * The location of the targets. topAt: address of the record of the tree over the bodies' boxes; 0 if there are
 * fewer than two targets. depth: maximum depth of the trees of the meshes. topDepth: depth of the tree over the
 * boxes.
 */
export interface CastTargets {
  readonly at: number;
  readonly count: number;
  readonly topAt: number;
  readonly depth: number;
  readonly topDepth: number;
}

/** The bodies of a scene, as `Scene.beginCast` returns them. */
export interface CastBodies {
  readonly slots: readonly { readonly id: number; readonly mesh: Mesh | undefined }[];
  readonly recordsAt: number;
  readonly boxesAt: number;
}

// Bound of the error of a sum, relative to the numbers that are added. It covers a few roundings of doubles
// with a wide margin.
const ROUNDING = 2 ** -48;
/** Bytes of a body's box in a scene: six floats. */
const BOX_BYTES = 24;

/**
 * Returns the scene that rays or shapes are cast at, or undefined if `at` is a mesh of the engine. subject: the
 * first words of the error message.
 * @throws Unsupported if `at` is neither a mesh nor a scene of the engine
 */
export function findScene(host: EngineHost, at: unknown, subject: string): Scene | undefined {
  if (host.owns(at as Mesh)) return undefined;
  const scene = at as Scene | null | undefined;
  if (typeof scene?.belongsTo === 'function' && scene.belongsTo(host.context)) return scene;
  throw new Unsupported(
    `${subject} ${describe(at)}, not a mesh or a scene of this engine`,
    'pass a mesh from createMesh, or a scene from createScene, of this engine',
  );
}

/** Writes the targets of a mesh without a placement. */
export function writeMeshTargets(arena: Arena, blocks: BlockGroup, mesh: Mesh): CastTargets {
  const at = blocks.take(CastTarget.size);
  writeMeshTarget(arena, at, mesh);
  return { at, count: mesh.triangleCount > 0 ? 1 : 0, topAt: 0, depth: mesh.depth, topDepth: 0 };
}

/** Writes the target of a mesh without a placement to `at`. */
export function writeMeshTarget(arena: Arena, at: number, mesh: Mesh): void {
  const { center, scale, size, storedError } = readFrame(arena, mesh.recordAt);
  const { f64 } = arena;
  for (let row = 0; row < 3; row++) {
    const to = (at + CastTarget.at.rows) / 8 + 4 * row;
    f64.fill(0, to, to + 3);
    f64[to + row] = scale;
    f64[to + 3] = -center[row] * scale;
  }
  const reach = Math.max(...center.map(Math.abs)) + size / scale;
  setErrors(arena, at, storedError + ROUNDING * scale * reach, ROUNDING * scale, size);
  setWords(arena.u32, at, CastTarget, {
    meshAt: mesh.recordAt,
    placementAt: 0,
    nodesAt: arena.u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4],
    body: 0,
  });
}

/** Writes the targets of the bodies that the rays can hit according to the groups and masks of both. */
export function writeBodyTargets(
  arena: Arena,
  blocks: BlockGroup,
  { slots, recordsAt, boxesAt }: CastBodies,
  group: number,
  mask: number,
): CastTargets {
  const chosen = slots.flatMap(({ mesh }, slot) => {
    const words = (recordsAt + slot * BodyRecord.size) / 4;
    const isHit =
      mesh !== undefined &&
      mesh.triangleCount > 0 &&
      (arena.u32[words + BodyRecord.at.group / 4] & mask) !== 0 &&
      (arena.u32[words + BodyRecord.at.mask / 4] & group) !== 0;
    return isHit ? [slot] : [];
  });
  // The record of the tree over the boxes follows the targets.
  const at = blocks.take((chosen.length + 1) * CastTarget.size);
  let depth = 0;
  chosen.forEach((slot, i) => {
    const { id, mesh } = slots[slot];
    depth = Math.max(depth, mesh!.depth);
    writeBodyTarget(arena, at + i * CastTarget.size, recordsAt + slot * BodyRecord.size, mesh!, id);
  });
  if (chosen.length < 2) return { at, count: chosen.length, topAt: 0, depth, topDepth: 0 };
  const boxes = Float64Array.from(
    chosen.flatMap(slot => {
      const from = (boxesAt + slot * BOX_BYTES) / 4;
      return Array.from(arena.f32.subarray(from, from + 6));
    }),
  );
  const topAt = at + chosen.length * CastTarget.size;
  const tree = writeBoxTree(arena, blocks, boxes);
  const { f64 } = arena;
  for (let row = 0; row < 3; row++) {
    const to = (topAt + CastTarget.at.rows) / 8 + 4 * row;
    f64.fill(0, to, to + 3);
    f64[to + row] = tree.scale;
    f64[to + 3] = -tree.center[row] * tree.scale;
  }
  const reach = Math.max(...tree.center.map(Math.abs)) + 1 / tree.scale;
  setErrors(arena, topAt, 2 ** -22 + ROUNDING * tree.scale * reach, ROUNDING * tree.scale, 1);
  // Here, the field `body` holds the number of targets instead of an id.
  setWords(arena.u32, topAt, CastTarget, {
    meshAt: 0,
    placementAt: 0,
    nodesAt: tree.nodesAt,
    body: chosen.length,
  });
  return { at, count: chosen.length, topAt, depth, topDepth: tree.depth };
}

/** Writes the target of a body to `at`. body: address of its BodyRecord. id: id of the body. */
export function writeBodyTarget(arena: Arena, at: number, body: number, mesh: Mesh, id: number): void {
  const { f64, u32 } = arena;
  const { center, scale, size, storedError } = readFrame(arena, mesh.recordAt);
  const placed = body + BodyRecord.at.placed;
  const inverse = (placed + PlacedMesh.at.inverse) / 8;
  const condition = f64[(placed + PlacedMesh.at.condition) / 8];
  const extent = f64[(placed + PlacedMesh.at.extent) / 8];
  const reaches = f64.subarray((placed + PlacedMesh.at.reach) / 8, (placed + PlacedMesh.at.reach) / 8 + 3);
  const rows = (body + BodyRecord.at.rows) / 8;
  const isUsable = condition < Infinity;
  // The rows are the inverse of the placement, followed by the transform to the normalized frame of the mesh.
  // Let inv be the computed inverse and cond its condition number. The error of inv moves a vertex by at most
  // about 2^-47 (1 + cond)^2 times the extent of the mesh (see MAX_RESIDUAL in assembly/mesh/placedMesh.ts).
  // Rounding of placed vertices, origins and directions adds the other terms.
  let norm = 0;
  for (let row = 0; row < 3; row++) {
    const to = (at + CastTarget.at.rows) / 8 + 4 * row;
    let shift = 0;
    let sum = 0;
    for (let column = 0; column < 3; column++) {
      const entry = isUsable ? f64[inverse + 4 * column + row] : 0;
      f64[to + column] = entry * scale;
      shift += entry * f64[rows + 4 * column + 3];
      sum += Math.abs(entry);
    }
    f64[to + 3] = -(shift + center[row]) * scale;
    norm = Math.max(norm, sum);
  }
  const shifts = [3, 7, 11].map(i => Math.abs(f64[rows + i]));
  const reach = Math.max(...reaches, ...shifts);
  const frameError = isUsable
    ? storedError + scale * (2 ** -46 * (1 + condition) ** 2 * extent + ROUNDING * 4 * norm * reach)
    : Infinity;
  setErrors(arena, at, frameError, 4 * ROUNDING * scale * norm, size);
  setWords(u32, at, CastTarget, {
    meshAt: mesh.recordAt,
    placementAt: body + BodyRecord.at.rows,
    nodesAt: u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4],
    body: id,
  });
}

/**
 * Returns the placed vertices of a triangle of a target: nine doubles. pairAt: address of a PairRecord, which
 * is overwritten.
 */
export function cornersOf(
  arena: Arena,
  { writePlacedPoints }: QueryResources,
  pairAt: number,
  targetAt: number,
  triangle: number,
): Float64Array {
  const { u32, f64 } = arena;
  const meshAt = u32[(targetAt + CastTarget.at.meshAt) / 4];
  const placementAt = u32[(targetAt + CastTarget.at.placementAt) / 4];
  const placedA = placementAt === 0 ? 0 : 1;
  setWords(u32, pairAt, PairRecord, { meshA: meshAt, meshB: meshAt, placedA, placedB: 0 });
  if (placedA) {
    const rows = f64.subarray(placementAt / 8, placementAt / 8 + 12);
    f64.set(rows, (pairAt + PairRecord.at.placementA) / 8);
  }
  const corners = new Float64Array(18);
  writePlacedPoints(arena, pairAt, triangle, triangle, corners, 0);
  return corners.subarray(0, 9);
}

/**
 * Returns the frame of a mesh, in which x is stored as (x - center) * scale, and its box in this frame. size:
 * an upper bound of all stored |coordinates|, at least 1. storedError: the max error of a stored coordinate.
 */
export function readFrame({ f32 }: Arena, meshAt: number) {
  const read = (field: keyof typeof MeshRecord.at): number => f32[(meshAt + MeshRecord.at[field]) / 4];
  const middle = [read('middleX'), read('middleY'), read('middleZ')];
  const half = [read('halfX'), read('halfY'), read('halfZ')];
  return {
    center: [read('centerX'), read('centerY'), read('centerZ')],
    scale: read('scale'),
    middle,
    half,
    size: Math.max(1, ...middle.map((value, axis) => Math.abs(value) + half[axis])),
    storedError: read('storedError'),
  };
}

function setErrors({ f64 }: Arena, at: number, frameError: number, originError: number, size: number): void {
  f64[(at + CastTarget.at.frameError) / 8] = frameError;
  f64[(at + CastTarget.at.originError) / 8] = originError;
  f64[(at + CastTarget.at.size) / 8] = size;
}
