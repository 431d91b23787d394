// Splits a part into its connected components. Two triangles are connected if they share a vertex, or if they
// have vertices at the same position.
import { weldPositions } from '../core/weldPositions.js';
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
  // In the beginning, the parent of each vertex is the first vertex at the same position.
  const parents = weldPositions(exactVerticesOf(part).positions);
  for (let i = 0; i < indices.length; i += 3) {
    unite(parents, indices[i], indices[i + 1]);
    unite(parents, indices[i], indices[i + 2]);
  }
  const components = groupByRoot(indices, parents);
  if (components.length <= 1) return [part];
  const picker = new VertexPicker(part);
  return components.map((component, number) => ({
    ...part,
    name: `${name} #${number + 1}`,
    ...picker.extractMesh(component),
  }));
}

function groupByRoot(indices: Uint32Array, parents: Uint32Array): Uint32Array[] {
  const componentOfRoot = new Map<number, number>();
  const componentOf = new Uint32Array(indices.length / 3);
  const lengths: number[] = [];
  for (let triangle = 0; triangle < componentOf.length; triangle++) {
    const root = rootOf(parents, indices[3 * triangle]);
    let component = componentOfRoot.get(root);
    if (component === undefined) {
      component = lengths.push(0) - 1;
      componentOfRoot.set(root, component);
    }
    componentOf[triangle] = component;
    lengths[component] += 3;
  }
  const components = lengths.map(length => new Uint32Array(length));
  const filled = lengths.fill(0);
  for (let triangle = 0; triangle < componentOf.length; triangle++) {
    const component = componentOf[triangle];
    for (let corner = 0; corner < 3; corner++)
      components[component][filled[component]++] = indices[3 * triangle + corner];
  }
  return components;
}
