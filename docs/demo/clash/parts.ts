// Extracts parts (named and placed triangle meshes) from an object loaded by three.js.

import type { MeshData } from 'pfront/samples';
import { type BufferGeometry, type InstancedMesh, Matrix4, type Mesh, type Object3D } from 'three';

export interface Part {
  name: string;
  mesh: MeshData;
  /** 16 doubles, column-major. */
  transform: Float64Array;
}

/**
 * Returns the parts of an object. Usually each mesh below the object is a part. An InstancedMesh has a part
 * for each instance. A geometry with several groups, such as the solids of an STL file, has a part for each
 * group. Parts with the same geometry and group share a mesh. `fallback`: name of parts for which the file
 * has no name.
 */
export function partsOf(root: Object3D, fallback: string): Part[] {
  const parts: Part[] = [];
  const meshes = new Map<BufferGeometry, MeshData[]>();
  root.updateMatrixWorld(true);
  root.traverse(object => {
    const mesh = object as Mesh;
    if (!mesh.isMesh) return;
    let datas = meshes.get(mesh.geometry);
    if (!datas) meshes.set(mesh.geometry, (datas = meshesOf(mesh.geometry)));
    const name = nameOf(object, fallback);
    for (const [i, data] of datas.entries()) {
      const own = datas.length > 1 ? (groupName(mesh.geometry, i) ?? `${name} ${i + 1}`) : name;
      for (const [k, transform] of placements(mesh).entries())
        parts.push({ name: k > 0 ? `${own}, ${k + 1}` : own, mesh: data, transform });
    }
  });
  return parts;
}

// Returns the name of the object. If the object has no name, returns the name of its nearest named ancestor,
// because loaders do not name the mesh of a node with only one mesh.
function nameOf(object: Object3D, fallback: string): string {
  for (let at: Object3D | null = object; at; at = at.parent) if (at.name.trim() !== '') return at.name;
  return fallback;
}

// The STL loader stores the names of solids in `userData`.
function groupName(geometry: BufferGeometry, group: number): string | undefined {
  const names = (geometry.userData as { groupNames?: string[] }).groupNames;
  return names?.[group] || undefined;
}

function placements(mesh: Mesh): Float64Array[] {
  const instances = mesh as InstancedMesh;
  if (!instances.isInstancedMesh) return [Float64Array.from(mesh.matrixWorld.elements)];
  return Array.from({ length: instances.count }, (_, i) => {
    const matrix = new Matrix4();
    instances.getMatrixAt(i, matrix);
    return Float64Array.from(matrix.premultiply(mesh.matrixWorld).elements);
  });
}

function meshesOf(geometry: BufferGeometry): MeshData[] {
  const attribute = geometry.getAttribute('position');
  if (!attribute) return [];
  const positions = new Float32Array(3 * attribute.count);
  for (let vertex = 0; vertex < attribute.count; vertex++)
    positions.set([attribute.getX(vertex), attribute.getY(vertex), attribute.getZ(vertex)], 3 * vertex);
  const all = geometry.index
    ? Uint32Array.from(geometry.index.array)
    : Uint32Array.from({ length: attribute.count }, (_, i) => i);
  const ranges = geometry.groups.length > 1 ? geometry.groups : [{ start: 0, count: all.length }];
  return ranges
    .map(({ start, count }) =>
      all.slice(start, start + 3 * Math.floor(Math.min(count, all.length - start) / 3)),
    )
    .filter(indices => indices.length > 0)
    .map(indices => ({ positions, indices }));
}

/** Appends numbers to repeated names, so that parts can be distinguished in a table. */
export function makeNamesUnique(parts: readonly Part[]): Part[] {
  const times = new Map<string, number>();
  return parts.map(part => {
    const time = (times.get(part.name) ?? 0) + 1;
    times.set(part.name, time);
    return time === 1 ? part : { ...part, name: `${part.name} (${time})` };
  });
}
