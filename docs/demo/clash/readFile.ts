// Reads the parts of a user's file, or explains why it cannot be read.
import { type BufferGeometry, Group, Mesh, type Object3D } from 'three';
import { type Part, partsOf } from './parts.js';

/** A file cannot be read; the message is for the user. */
export class FileError extends Error {}

type Read = (bytes: ArrayBuffer) => Promise<Object3D>;

const text = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

// Wraps a geometry, which may have groups, in an object.
function meshOf(geometry: BufferGeometry): Object3D {
  return new Group().add(new Mesh(geometry));
}

const readers: Record<string, Read> = {
  glb: async bytes =>
    (await new (await import('three/examples/jsm/loaders/GLTFLoader.js')).GLTFLoader().parseAsync(bytes, ''))
      .scene,
  stl: async bytes =>
    meshOf(new (await import('three/examples/jsm/loaders/STLLoader.js')).STLLoader().parse(bytes)),
  obj: async bytes =>
    new (await import('three/examples/jsm/loaders/OBJLoader.js')).OBJLoader().parse(text(bytes)),
  ply: async bytes =>
    meshOf(new (await import('three/examples/jsm/loaders/PLYLoader.js')).PLYLoader().parse(bytes)),
};

/**
 * Reads a file.
 *
 * @throws FileError with the file name, the problem and, if there is one, a fix.
 */
export async function readFile(file: File): Promise<Part[]> {
  const [, base = file.name, ending = ''] = /^(.*)\.(\w+)$/.exec(file.name) ?? [];
  const read = readers[ending.toLowerCase()];
  if (!read)
    throw new FileError(
      `${file.name} is not a GLB, STL, OBJ or PLY file.${ending.toLowerCase() === 'gltf' ? ' A .gltf file needs other files: save it as GLB.' : ''}`,
    );
  let parts: Part[];
  try {
    parts = partsOf(await read(await file.arrayBuffer()), base || 'part');
  } catch (error) {
    throw new FileError(`${file.name} could not be read: ${reasonOf(error)}.`);
  }
  parts = parts.filter(({ mesh }) => mesh.indices.length > 0);
  if (parts.length === 0) throw new FileError(`${file.name} has no triangles.`);
  check(file.name, parts);
  return parts;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/DRACO|meshopt/i.test(message)) return 'it is compressed; save it without Draco or meshopt compression';
  return message.replace(/^THREE\.\w+: /, '').replace(/\.$/, '');
}

// Loaders may read damaged files partly. Non-finite positions or invalid indices reveal that.
function check(name: string, parts: readonly Part[]): void {
  for (const {
    name: part,
    mesh: { positions, indices },
  } of parts) {
    const isValid =
      positions.every(Number.isFinite) && indices.every(vertex => vertex < positions.length / 3);
    if (!isValid)
      throw new FileError(`${name} is damaged: part “${part}” has triangles without valid positions.`);
  }
}
