// Orients the triangles of closed surfaces consistently. A mesh bounds a solid only if neighboring triangles
// use their common edge in opposite directions.
import { edgesOf } from '../core/meshEdges.js';
import { volumeSign } from '../core/volumeSign.js';
import { weldPositions } from '../core/weldPositions.js';

type Positions = Float32Array | Float64Array;

/** Triangles that are connected by edges that exactly two triangles use. */
interface Sheet {
  triangles: number[];
  /** How many triangles must be flipped to agree with the first one. */
  flippedCount: number;
  /** Whether the sheet, once it is oriented, uses each edge equally often in both directions. */
  isClosed: boolean;
}

interface Box {
  min: number[];
  max: number[];
}

/**
 * Flips triangles of an indexed mesh in place, by exchanging two of their vertices. Vertices with equal
 * coordinates count as one vertex. A sheet is a set of triangles that are connected by edges that exactly two
 * triangles use.
 *
 * Orients each closed sheet consistently, so that it faces outward. If the volume of a sheet may be a rounding
 * error, the sheet gets the orientation for which fewer triangles have to be flipped. A sheet in the bounding
 * box of another sheet may bound a cavity and should then face inward, so such a sheet is not changed. In a
 * mesh with such a sheet, other sheets that are already consistent are not changed either, even if they face
 * inward. Sheets that are open, or cannot be oriented, are never changed.
 */
export function orientTriangles(positions: Positions, indices: Uint32Array): void {
  const welded = weldPositions(positions);
  const corners = indices.map(vertex => welded[vertex]);
  const isFlipped = new Uint8Array(corners.length / 3);
  const sheets = sheetsOf(corners, isFlipped);
  const writeCorners = (triangle: number, to: Float64Array): void => {
    for (let i = 0; i < 9; i++) {
      // Two corners of a flipped triangle are exchanged.
      const k = Math.floor(i / 3);
      const corner = corners[3 * triangle + (isFlipped[triangle] === 0 ? k : (3 - k) % 3)];
      to[i] = positions[3 * corner + (i % 3)];
    }
  };
  let inner: Set<Sheet> | undefined;
  for (const sheet of sheets) {
    const { triangles, flippedCount, isClosed } = sheet;
    if (!isClosed) continue;
    const sign = volumeSign(triangles, writeCorners);
    if (flippedCount === 0 && sign >= 0) continue;
    inner ??= sheets.length > 1 ? innerSheets(sheets, positions, corners) : new Set();
    if (inner.has(sheet) || (flippedCount === 0 && inner.size > 0)) continue;
    const flipsMarked = sign === 0 ? 2 * flippedCount <= triangles.length : sign > 0;
    for (const triangle of triangles)
      if ((isFlipped[triangle] !== 0) === flipsMarked) flip(indices, triangle);
  }
}

function flip(indices: Uint32Array, triangle: number): void {
  const second = indices[3 * triangle + 1];
  indices[3 * triangle + 1] = indices[3 * triangle + 2];
  indices[3 * triangle + 2] = second;
}

// Returns the sheets of a mesh, without triangles that have two equal corners. Sets `isFlipped` for each
// triangle that must be flipped to agree with the first triangle of its sheet.
function sheetsOf(corners: Uint32Array, isFlipped: Uint8Array): Sheet[] {
  const edges = edgesOf(corners);
  const isSeen = new Uint8Array(isFlipped.length);
  for (let i = 0; i < edges.length; i++) if (edges[i] < 0) isSeen[Math.floor(i / 3)] = 1;
  const { uses, others } = findNeighbors(edges, isSeen);
  // 1 or -1: the direction in which a corner's triangle uses the edge from this corner to the next one.
  const directionAt = (i: number): number =>
    (corners[i] === corners[edges[i]]) === (isFlipped[Math.floor(i / 3)] === 0) ? 1 : -1;
  const balance = new Int32Array(edges.length);
  const sheets: Sheet[] = [];
  for (let first = 0; first < isSeen.length; first++) {
    if (isSeen[first]) continue;
    isSeen[first] = 1;
    const triangles = [first];
    let flippedCount = 0;
    let isClosed = true;
    for (let next = 0; next < triangles.length; next++) {
      for (let i = 3 * triangles[next]; i < 3 * triangles[next] + 3; i++) {
        if (uses[edges[i]] !== 2) continue;
        const other = Math.floor(others[i] / 3);
        const agrees = directionAt(i) !== directionAt(others[i]);
        if (isSeen[other]) {
          isClosed &&= agrees;
          continue;
        }
        isSeen[other] = 1;
        triangles.push(other);
        if (agrees) continue;
        isFlipped[other] = 1;
        flippedCount++;
      }
    }
    for (const triangle of triangles)
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) balance[edges[i]] += directionAt(i);
    for (const triangle of triangles) {
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
        isClosed &&= balance[edges[i]] === 0;
        balance[edges[i]] = 0;
      }
    }
    sheets.push({ triangles, flippedCount, isClosed });
  }
  return sheets;
}

// Counts how many triangles use each edge. A corner stands for the edge from this corner to the next one. If
// exactly two triangles use an edge, two corners stand for this edge, and `others` maps each of them to the
// other one. isFlat: triangles that are not counted.
function findNeighbors(edges: Int32Array, isFlat: Uint8Array): { uses: Uint32Array; others: Int32Array } {
  const uses = new Uint32Array(edges.length);
  const others = new Int32Array(edges.length);
  const last = new Int32Array(edges.length);
  for (let i = 0; i < edges.length; i++) {
    if (isFlat[Math.floor(i / 3)]) continue;
    const edge = edges[i];
    if (uses[edge]++ > 0) {
      others[i] = last[edge];
      others[last[edge]] = i;
    }
    last[edge] = i;
  }
  return { uses, others };
}

// Returns the sheets whose bounding boxes are strictly inside the bounding box of another sheet.
function innerSheets(sheets: readonly Sheet[], positions: Positions, corners: Uint32Array): Set<Sheet> {
  const boxes = sheets.map(sheet => ({ sheet, ...boxOf(sheet, positions, corners) }));
  const inner = new Set<Sheet>();
  // The boxes that begin before the current box along the axis and have not ended. Only these boxes can contain
  // the current box.
  let open: typeof boxes = [];
  const axis = longestAxis(boxes);
  for (const box of boxes.sort((x, y) => x.min[axis] - y.min[axis])) {
    open = open.filter(({ max }) => max[axis] > box.min[axis]);
    const contains = ({ min, max }: Box): boolean =>
      [0, 1, 2].every(at => min[at] < box.min[at] && box.max[at] < max[at]);
    if (open.some(contains)) inner.add(box.sheet);
    open.push(box);
  }
  return inner;
}

// Returns the axis along which the bounding box of the boxes is longest.
function longestAxis(boxes: readonly Box[]): number {
  const sizes = [0, 1, 2].map(
    axis =>
      boxes.reduce((maxCoordinate, { max }) => Math.max(maxCoordinate, max[axis]), -Infinity) -
      boxes.reduce((minCoordinate, { min }) => Math.min(minCoordinate, min[axis]), Infinity),
  );
  return sizes.indexOf(Math.max(...sizes));
}

function boxOf({ triangles }: Sheet, positions: Positions, corners: Uint32Array): Box {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const triangle of triangles)
    for (let k = 0; k < 9; k++) {
      const axis = k % 3;
      const value = positions[3 * corners[3 * triangle + Math.floor(k / 3)] + axis];
      min[axis] = Math.min(min[axis], value);
      max[axis] = Math.max(max[axis], value);
    }
  return { min, max };
}
