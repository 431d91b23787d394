// Checks the properties of a mesh's tree that queries rely on. For example, every triangle is in one leaf, and
// every box contains everything below it in the tree. The code favors simplicity over speed.
import type { Mesh } from '../mesh/mesh.js';
import { Leaf, limits, MeshRecord, Node } from '../records/layout.js';
import type { KernelContext } from '../runtime/engineContext.js';

/** Maximum number of faults that are listed. */
export const MAX_FAULTS = 20;

/**
 * Returns the faults of a mesh's tree; an empty array if there is no fault. leafOrder: 'by depth' if leaves
 * are numbered depth first, 'by level' if they are numbered level by level.
 */
export function validateTree(
  { arena }: KernelContext,
  mesh: Mesh,
  leafOrder: 'by depth' | 'by level' = 'by depth',
): string[] {
  const faults: string[] = [];
  const addFault = (text: string) => {
    if (faults.length < MAX_FAULTS) faults.push(text);
  };
  const { u32, f32 } = arena;
  const word = (field: keyof typeof MeshRecord.at) => u32[(mesh.recordAt + MeshRecord.at[field]) / 4];
  const real = (field: keyof typeof MeshRecord.at) => f32[(mesh.recordAt + MeshRecord.at[field]) / 4];
  const positions = word('positionsAt') / 4;
  const indices = word('indicesAt') / 4;
  const nodes = word('nodesAt') / 4;
  const leavesFrom = word('leavesAt') / 4;
  const nodeCount = word('nodeCount');
  const leafCount = word('leafCount');
  const triangleCount = word('triangleCount');
  // If the mesh stores doubles, its floats are already relative to the center.
  const center = word('doublesAt') !== 0 ? [0, 0, 0] : [real('centerX'), real('centerY'), real('centerZ')];
  const scale = real('scale');
  const stored = (vertex: number, axis: number) =>
    Math.fround(Math.fround(f32[positions + vertex * 3 + axis] - center[axis]) * scale);

  const seenTriangle = new Uint8Array(triangleCount);
  const seenNode = new Uint8Array(nodeCount);
  const seenLeaf = new Uint8Array(leafCount);
  let nextLeaf = 0;
  let depth = 0;
  // Checks a node and everything below it. Returns the box of this subtree in stored coordinates: relative to
  // the mesh's center, and scaled.
  function visitNode(node: number, level: number, parent: number): number[] {
    const at = nodes + node * (Node.size / 4);
    depth = Math.max(depth, level);
    if (seenNode[node]) addFault(`node ${node} has two parents`);
    seenNode[node] = 1;
    if (u32[at + Node.at.parent / 4] !== parent)
      addFault(`node ${node}: parent is ${u32[at + Node.at.parent / 4]}, not ${parent}`);
    const handles = Array.from(u32.subarray(at + Node.at.child / 4, at + Node.at.child / 4 + 4));
    const inner = handles.filter(handle => handle < limits.LEAF_BIT);
    inner.forEach((child, i) => {
      if (child <= node || child >= nodeCount)
        addFault(`node ${node}: child ${child} is outside ${node + 1}..${nodeCount - 1}`);
      if (i > 0 && child !== inner[i - 1] + 1) addFault(`node ${node}: children ${inner} are not adjacent`);
    });
    const leafChildren = handles
      .filter(handle => handle >= limits.LEAF_BIT && handle !== limits.NOTHING)
      .map(handle => handle - limits.LEAF_BIT);
    leafChildren.forEach((leaf, i) => {
      if (i > 0 && leaf !== leafChildren[i - 1] + 1)
        addFault(`node ${node}: leaves ${leafChildren} are not adjacent`);
    });
    const order = handles.map(handle => (handle === limits.NOTHING ? 2 : handle < limits.LEAF_BIT ? 1 : 0));
    if (order.some((kind, lane) => lane > 0 && kind < order[lane - 1]))
      addFault(`node ${node}: lanes ${handles} are not in the order leaves, nodes, empty`);
    if (faults.length > 0) return [];
    const all = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const boxes = new Map<number, number[]>();
    // The leaves that are children of a node are numbered before the leaves below its inner children.
    handles.forEach((handle, lane) => {
      if (handle >= limits.LEAF_BIT && handle !== limits.NOTHING)
        boxes.set(lane, visitLeaf(handle - limits.LEAF_BIT));
    });
    handles.forEach((handle, lane) => {
      if (handle < limits.LEAF_BIT) boxes.set(lane, visitNode(handle, level + 1, node * 4 + lane));
    });
    for (let lane = 0; lane < 4; lane++) {
      for (let axis = 0; axis < 3; axis++) {
        const middle = f32[at + axis * 4 + lane];
        const half = f32[at + Node.at.halfX / 4 + axis * 4 + lane];
        const box = boxes.get(lane);
        if (box === undefined) {
          if (middle !== 0 || half !== -Infinity)
            addFault(`node ${node} lane ${lane} is empty, but has the box ${middle} +- ${half}`);
          continue;
        }
        // The fault that left the child without a box is already listed.
        if (box.length === 0) continue;
        if (!(middle - half <= box[axis] && middle + half >= box[axis + 3]))
          addFault(
            `node ${node} lane ${lane} axis ${axis}: ${middle} +- ${half} does not contain ${box[axis]}..${box[axis + 3]}`,
          );
        const size = Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]), 2 ** -126);
        if (half > (box[axis + 3] - box[axis]) / 2 + size * 1e-5)
          addFault(`node ${node} lane ${lane} axis ${axis}: half extent ${half} is too large`);
        if (box[axis] === box[axis + 3] && half !== 0)
          addFault(`node ${node} lane ${lane} is flat along axis ${axis}, but its half extent is ${half}`);
        all[axis] = Math.min(all[axis], box[axis]);
        all[axis + 3] = Math.max(all[axis + 3], box[axis + 3]);
      }
    }
    return all;
  }

  function visitLeaf(leaf: number): number[] {
    if (leaf >= leafCount || seenLeaf[leaf]) {
      addFault(`leaf ${leaf} is referenced twice or does not exist`);
      return [];
    }
    seenLeaf[leaf] = 1;
    if (leafOrder === 'by depth' && leaf !== nextLeaf++) addFault(`leaf ${leaf} is out of depth-first order`);
    const at = leavesFrom + leaf * (Leaf.size / 4);
    const ids = Array.from(u32.subarray(at + Leaf.at.id / 4, at + Leaf.at.id / 4 + 4));
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    let size = 0;
    ids.forEach((id, lane) => {
      const triangle = id === limits.NOTHING ? ids[0] : id;
      if (id === limits.NOTHING && lane === 0) addFault(`leaf ${leaf} is empty`);
      if (id !== limits.NOTHING && lane > 0 && ids[lane - 1] === limits.NOTHING)
        addFault(`leaf ${leaf} has an empty lane before a triangle`);
      if (triangle >= triangleCount) {
        addFault(`leaf ${leaf}: triangle ${triangle} does not exist; the mesh has ${triangleCount}`);
        return;
      }
      if (id !== limits.NOTHING && seenTriangle[id]++) addFault(`triangle ${id} occurs twice`);
      for (let corner = 0; corner < 3; corner++) {
        for (let axis = 0; axis < 3; axis++) {
          const want = stored(u32[indices + triangle * 3 + corner], axis);
          const origin = stored(u32[indices + ids[0] * 3], axis);
          if (f32[at + Leaf.at.originX / 4 + axis] !== origin)
            addFault(
              `leaf ${leaf} axis ${axis}: origin is ${f32[at + Leaf.at.originX / 4 + axis]}, not ${origin}`,
            );
          const local = Math.fround(want - origin);
          const got = f32[at + (corner * 3 + axis) * 4 + lane];
          if (got !== local)
            addFault(`leaf ${leaf} lane ${lane} corner ${corner} axis ${axis} is ${got}, not ${local}`);
          size = Math.max(size, Math.abs(local));
          box[axis] = Math.min(box[axis], want);
          box[axis + 3] = Math.max(box[axis + 3], want);
        }
      }
    });
    if (f32[at + Leaf.at.size / 4] !== size)
      addFault(`leaf ${leaf}: size is ${f32[at + Leaf.at.size / 4]}, not ${size}`);
    return box;
  }

  const box = visitNode(0, 1, limits.NOTHING);
  if (faults.length > 0) return faults;
  if (depth !== word('depth')) addFault(`depth is ${word('depth')}, not ${depth}`);
  if (seenNode.includes(0)) addFault(`node ${seenNode.indexOf(0)} is unreachable`);
  if (seenLeaf.includes(0)) addFault(`leaf ${seenLeaf.indexOf(0)} is unreachable`);
  if (seenTriangle.includes(0)) addFault(`triangle ${seenTriangle.indexOf(0)} is missing`);
  (['X', 'Y', 'Z'] as const).forEach((axis, i) => {
    const middle = real(`middle${axis}`);
    const half = real(`half${axis}`);
    if (triangleCount > 0 && !(middle - half <= box[i] && middle + half >= box[i + 3]))
      addFault(`mesh axis ${axis}: ${middle} +- ${half} does not contain ${box[i]}..${box[i + 3]}`);
  });
  return faults;
}
