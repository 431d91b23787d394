// Closes narrow gaps of a triangle mesh, such as the cracks between the faces of models that were exported from
// CAD programs, so that the mesh bounds a solid.
import type { Mesh } from '../../mesh/mesh.js';
import { emptyBox, extendBox } from '../boxAround.js';
import { lengthOf, minus, type Vector } from '../overlapDepth/piece.js';
import { edgeUses, shellsOf, weldedCornersOf } from '../shells.js';
import { Surface } from '../surface.js';
import { type Edge, EdgeChain, type PointOf } from './edgeChain.js';
import { areaOf, fillLoop } from './fillLoop.js';
import { nearVertices } from './nearVertices.js';

/** By default, the added triangles may have at most this share of the area of the mesh. */
const MAX_AREA = 0.01;
/**
 * Open edges are joined at vertices that are at most this share of the diagonal of the mesh's box apart. The
 * first share for which the added triangles are small enough is used.
 */
const REACHES = [2 ** -13, 2 ** -11, 2 ** -9, 2 ** -7];
/** A mesh with more open edges, or with a larger loop of open edges, is not a solid with narrow gaps. */
const MAX_OPEN_EDGES = 2 ** 19;
const MAX_LOOP = 2 ** 12;

/** Options of `closeGaps`; all are optional. */
export interface CloseGapsOptions {
  /** The added triangles may have at most this share of the area of the mesh. 0 or more. Default 0.01. */
  maxArea?: number;
}

/** The triangles of a closed mesh, between the vertices of the given mesh. */
export interface ClosedMesh {
  /** Three vertex numbers per triangle: the triangles of the given mesh, then the added ones. */
  indices: Uint32Array;
  /** Number of edges of the given mesh that were not used equally often in both directions. */
  openEdges: number;
  /** The area of the added triangles, divided by the area of the given mesh; 0 if the mesh was closed. */
  addedArea: number;
}

/** Closes a mesh: see `SolidMethods.closeGaps`. @throws Disposed */
export function closeGaps(mesh: Mesh, { maxArea = MAX_AREA }: CloseGapsOptions): ClosedMesh | undefined {
  const surface = new Surface(mesh);
  const { openEdges } = shellsOf(mesh);
  const { positions, indices } = surface;
  if (openEdges === 0) return { indices: indices.slice(), openEdges, addedArea: 0 };
  const pointOf: PointOf = vertex => [
    positions[3 * vertex],
    positions[3 * vertex + 1],
    positions[3 * vertex + 2],
  ];
  const corners = weldedCornersOf(surface);
  const area = totalArea(corners, pointOf);
  if (openEdges > MAX_OPEN_EDGES || area === 0) return undefined;
  const open = openEdgesOf(corners);
  const diagonal = diagonalOf(corners, pointOf);
  for (const reach of REACHES) {
    const added = trianglesBetween(open, pointOf, reach * diagonal);
    if (!added) continue;
    const addedArea = totalArea(added, pointOf) / area;
    if (addedArea > maxArea) continue;
    const all = new Uint32Array(indices.length + added.length);
    all.set(indices);
    all.set(added, indices.length);
    return { indices: all, openEdges, addedArea };
  }
  return undefined;
}

// Returns triangles that close the mesh; undefined if a loop is too large.
function trianglesBetween(open: readonly Edge[], pointOf: PointOf, reach: number): number[] | undefined {
  const chain = new EdgeChain();
  for (const { from, to, count } of open) chain.add(from, to, count);
  const added = joinNearVertices(chain, pointOf, reach);
  for (const loop of chain.takeLoops(pointOf)) {
    if (loop.length > MAX_LOOP) return undefined;
    for (const vertex of fillLoop(loop, pointOf)) added.push(vertex);
  }
  return added;
}

// Returns the edges that are not used equally often in both directions. count: how often the edge is used in
// this direction, minus how often it is used in the other one.
function openEdgesOf(corners: Uint32Array): Edge[] {
  const open: Edge[] = [];
  edgeUses(corners).forEach((count, i) => {
    if (count !== 0) open.push({ from: corners[i], to: corners[i % 3 === 2 ? i - 2 : i + 1], count });
  });
  return open;
}

// Moves the ends of the chain's edges to vertices near them, so that edges along a narrow gap cancel out.
// Returns the triangles between the old and the new edges.
function joinNearVertices(chain: EdgeChain, pointOf: PointOf, reach: number): number[] {
  const added: number[] = [];
  const add = (a: number, b: number, c: number): void => {
    if (a !== b && b !== c && c !== a) added.push(a, b, c);
  };
  const targets = nearVertices(chain.vertices, pointOf, reach);
  for (const { from, to, count } of chain.edges()) {
    const newFrom = targets.get(from)!;
    const newTo = targets.get(to)!;
    if (newFrom === from && newTo === to) continue;
    chain.add(from, to, -count);
    chain.add(newFrom, newTo, count);
    for (let i = 0; i < count; i++) {
      add(to, from, newFrom);
      add(to, newFrom, newTo);
    }
  }
  return added;
}

function diagonalOf(corners: Uint32Array, pointOf: PointOf): number {
  const box = emptyBox();
  for (const vertex of corners) extendBox(box, pointOf(vertex));
  const [min, max] = [[...box.subarray(0, 3)], [...box.subarray(3)]] as unknown as [Vector, Vector];
  return lengthOf(minus(max, min));
}

function totalArea(corners: ArrayLike<number>, pointOf: PointOf): number {
  let area = 0;
  for (let i = 0; i < corners.length; i += 3)
    area += areaOf(pointOf(corners[i]), pointOf(corners[i + 1]), pointOf(corners[i + 2]));
  return area;
}
