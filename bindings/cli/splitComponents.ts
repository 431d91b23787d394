// Splits a part into its connected components. Two triangles are connected if they share a vertex, or if they
// have vertices at the same position.
import { exactVerticesOf } from '../formats/part.js';
import type { Part } from '../formats/readParts.js';
import { VertexPicker } from '../formats/vertexPicker.js';
import { rootOf, unite } from './unionFind.js';

/**
 * Returns the components in the order of their first triangles, named `name #1`, `name #2`, ... A connected
 * part is returned unchanged.
 */
export function splitComponents(part: Part): Part[] {
  const { name, indices } = part;
  const parents = joinEqualPositions(exactVerticesOf(part).positions);
  for (let i = 0; i < indices.length; i += 3) {
    unite(parents, indices[i], indices[i + 1]);
    unite(parents, indices[i], indices[i + 2]);
  }
  const pieces = groupByRoot(indices, parents);
  if (pieces.length <= 1) return [part];
  const picker = new VertexPicker(part);
  return pieces.map((piece, number) => ({
    ...part,
    name: `${name} #${number + 1}`,
    ...picker.extractMesh(piece),
  }));
}

// Returns the initial parents for union-find: the parent of each vertex is the first vertex with the same
// coordinates. Finds it with a hash table that has open addressing and a load factor of at most 1/2.
function joinEqualPositions(positions: Float32Array | Float64Array): Uint32Array {
  const vertexCount = positions.length / 3;
  // Adding 0 turns -0 into 0, so that equal numbers have equal bits.
  const whole = positions.map(value => value + 0);
  const bits = bitsOf(whole);
  const mask = 2 ** Math.ceil(Math.log2(2 * vertexCount + 1)) - 1;
  const table = new Uint32Array(mask + 1).fill(0xffffffff);
  const parents = new Uint32Array(vertexCount);
  for (let vertex = 0, at = 0; vertex < vertexCount; vertex++, at += 3) {
    let slot = hash(bits[at], bits[at + 1], bits[at + 2]) & mask;
    while (table[slot] !== 0xffffffff && !areEqual(whole, 3 * table[slot], at)) slot = (slot + 1) & mask;
    if (table[slot] === 0xffffffff) table[slot] = vertex;
    parents[vertex] = table[slot];
  }
  return parents;
}

function hash(x: number, y: number, z: number): number {
  let mixed = Math.imul(x ^ Math.imul(y ^ Math.imul(z, 0x9e3779b1), 0x85ebca6b), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

// Returns one word for each coordinate. Both words of a double are mixed.
function bitsOf(positions: Float32Array | Float64Array): Uint32Array {
  const words = new Uint32Array(positions.buffer);
  if (positions instanceof Float32Array) return words;
  return Uint32Array.from(positions, (_, i) => words[2 * i] ^ Math.imul(words[2 * i + 1], 0x9e3779b1));
}

function areEqual(positions: Float32Array | Float64Array, a: number, b: number): boolean {
  return (
    positions[a] === positions[b] &&
    positions[a + 1] === positions[b + 1] &&
    positions[a + 2] === positions[b + 2]
  );
}

function groupByRoot(indices: Uint32Array, parents: Uint32Array): Uint32Array[] {
  const pieceOfRoot = new Map<number, number>();
  const pieceOf = new Uint32Array(indices.length / 3);
  const lengths: number[] = [];
  for (let triangle = 0; triangle < pieceOf.length; triangle++) {
    const root = rootOf(parents, indices[3 * triangle]);
    let piece = pieceOfRoot.get(root);
    if (piece === undefined) {
      piece = lengths.push(0) - 1;
      pieceOfRoot.set(root, piece);
    }
    pieceOf[triangle] = piece;
    lengths[piece] += 3;
  }
  const pieces = lengths.map(length => new Uint32Array(length));
  const filled = lengths.fill(0);
  for (let triangle = 0; triangle < pieceOf.length; triangle++) {
    const piece = pieceOf[triangle];
    for (let corner = 0; corner < 3; corner++)
      pieces[piece][filled[piece]++] = indices[3 * triangle + corner];
  }
  return pieces;
}
