// Reads GLB files with the library @gltf-transform/core, and compares the triangles with those that pfront
// read.
import { WebIO } from '@gltf-transform/core';
import type { Part } from '../../../dist/formats/part.js';
import { require } from '../target.js';
import { allCorners } from './parts.js';

const io = new WebIO();
type Node = ReturnType<Awaited<ReturnType<WebIO['readBinary']>>['createNode']>;

/**
 * Fails unless the triangles that the library reads from `bytes` are those of `parts`. Compares only some
 * files, because the library also reads many files that are invalid or that it understands only in part.
 * json: the text of the file's JSON chunk.
 */
export async function requireSameAsLibrary(bytes: Uint8Array, parts: Part[], json: string): Promise<void> {
  // Skips features that the two readers may treat differently. Matrices are among these: the library splits
  // each matrix into translation, rotation and scale, which is impossible for some matrices.
  if (/matrix|targets|sparse|Morph|draco|meshopt|weights|extensions|normalized|skin/.test(json)) return;
  let nodes: Node[];
  try {
    const root = (await io.readBinary(bytes)).getRoot();
    const scene = root.getDefaultScene() ?? root.listScenes()[0];
    // If a file has no nodes, pfront reads all its meshes, but the traversal below would find none.
    if (!scene || root.listNodes().length === 0) return;
    nodes = [];
    scene.traverse(node => {
      if (node.getMesh()) nodes.push(node);
    });
  } catch {
    return;
  }
  // The two readers may visit the nodes in different orders, so the triangles are sorted.
  const expected = nodes.flatMap(trianglesOf);
  if (expected.length > 2000) return;
  const actual = parts.flatMap(part => placed(allCorners([part]), part.transform));
  require(actual.length === expected.length, () =>
    `${actual.length} triangles, but @gltf-transform reads ${expected.length}`);
  const [a, b] = [actual, expected].map(triangles => triangles.map(String).sort());
  require(a.every((triangle, i) => triangle === b[i]), () =>
    `triangles differ from those that @gltf-transform reads: ${a.find((triangle, i) => triangle !== b[i])}`);
}

function trianglesOf(node: Node): number[][] {
  return node
    .getMesh()!
    .listPrimitives()
    .flatMap(primitive => {
      const mode = primitive.getMode() as number;
      const positions = primitive.getAttribute('POSITION')?.getArray();
      if (mode < 4 || !positions) return [];
      const order =
        primitive.getIndices()?.getArray() ?? Array.from({ length: positions.length / 3 }, (_, i) => i);
      const triangles: number[][] = [];
      for (let i = 0; i + 2 < order.length; i += mode === 4 ? 3 : 1)
        triangles.push(
          mode === 6
            ? [order[0], order[i + 1], order[i + 2]]
            : mode === 5 && i % 2 === 1
              ? [order[i + 1], order[i], order[i + 2]]
              : [order[i], order[i + 1], order[i + 2]],
        );
      return placed(
        triangles.flat().flatMap(vertex => [...positions.slice(3 * vertex, 3 * vertex + 3)]),
        node.getWorldMatrix(),
      );
    });
}

// Applies the column-major matrix `m` to the corners; returns the nine coordinates of each triangle. They are
// rounded, because the two readers multiply the matrices of nodes in different orders.
function placed(corners: number[], m: ArrayLike<number>): number[][] {
  const triangles: number[][] = [];
  for (let i = 0; i < corners.length; i += 9) {
    const triangle: number[] = [];
    for (let k = i; k < i + 9; k += 3)
      for (let row = 0; row < 3; row++)
        triangle.push(
          Number(
            (
              m[row] * corners[k] +
              m[4 + row] * corners[k + 1] +
              m[8 + row] * corners[k + 2] +
              m[12 + row]
            ).toPrecision(5),
          ) + 0,
        );
    triangles.push(triangle);
  }
  return triangles;
}
