// Loads the meshes of the benches by name. Skips meshes that are not on this machine, and prints their names.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import bunny from 'bunny';
import { readParts } from '../../dist/formats/readParts.js';
import { loopSubdivide, type MeshData, triangleCount } from '../../dist/samples/index.js';

const folder = fileURLToPath(new URL('../../../shared/data/mesh/', import.meta.url));

const files = {
  bunny: 'stanford-bunny.obj.gz',
  'dragon 203K': 'stanford-dragon-res2.ply.gz',
  'dragon 810K': 'stanford-dragon-res2-loop1-810k.ply.gz',
} as const;

export interface NamedMesh {
  name: string;
  data: MeshData;
}

/**
 * Loads a mesh. 'bunny' is Stanford's bunny of 69K triangles or, if its file is missing, the mesh of the npm
 * package `bunny`, subdivided twice. Measurements of the two bunnies are not comparable, so the `name` of the
 * result differs. 'dragon 3.2M' is the dragon of 810K triangles, subdivided. @returns undefined, after printing
 * a note, if there is no file
 */
export async function loadMesh(name: keyof typeof files | 'dragon 3.2M'): Promise<NamedMesh | undefined> {
  if (name === 'dragon 3.2M') {
    const coarse = await loadMesh('dragon 810K');
    return coarse && named('dragon', loopSubdivide(coarse.data));
  }
  const path = folder + files[name];
  if (existsSync(path)) {
    const [part] = await readParts(path);
    return named(name.split(' ')[0], { positions: part!.positions, indices: part!.indices });
  }
  if (name === 'bunny') return named('npm bunny', loopSubdivide(loopSubdivide(smallBunny())));
  console.log(`  ${name}: skipped, ${files[name]} is missing`);
  return undefined;
}

export async function loadMeshes(...names: Parameters<typeof loadMesh>[0][]): Promise<NamedMesh[]> {
  const meshes: NamedMesh[] = [];
  for (const name of names) {
    const mesh = await loadMesh(name);
    if (mesh) meshes.push(mesh);
  }
  return meshes;
}

export function countText(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)}K` : String(count);
}

const named = (name: string, data: MeshData): NamedMesh => ({
  name: `${name} ${countText(triangleCount(data))}`,
  data,
});

/** Returns the bunny of the package `bunny`, which has 3,674 triangles. */
export const smallBunny = (): MeshData => ({
  positions: Float32Array.from(bunny.positions.flat()),
  indices: Uint32Array.from(bunny.cells.flat()),
});
