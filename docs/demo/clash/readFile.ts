// Reads the parts of a user's file, or explains why it cannot be read.
import { type BufferGeometry, Group, Mesh, type Object3D } from 'three';
import { type Part, partsOf } from './parts.js';
import { readIfc } from './readIfc.js';

/** The error for a file that cannot be read. The page shows its message. */
export class FileError extends Error {}

/**
 * The parts of a file, and a text for each element of the file that could not be read: its name and the
 * reason.
 */
export interface FileResult {
  parts: Part[];
  unread: string[];
}

type Read = (bytes: ArrayBuffer) => Promise<Object3D>;

const text = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

// Wraps a geometry in an object, because `partsOf` takes an object. The geometry may have groups.
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
 * @param onProgress Called with texts for the user that describe the progress.
 * @param signal Aborts the reading of an IFC file.
 * @throws FileError, whose message names the file, the problem and, if known, a fix; AbortError if `signal`
 *   aborts
 */
export async function readFile(
  file: File,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<FileResult> {
  const [, base = file.name, ending = ''] = /^(.*)\.(\w+)$/.exec(file.name) ?? [];
  const kind = ending.toLowerCase();
  const read = readers[kind];
  if (!read && kind !== 'ifc')
    throw new FileError(
      `${file.name} is not a GLB, IFC, STL, OBJ or PLY file.${kind === 'gltf' ? ' A .gltf file needs other files: save it as GLB.' : ''}`,
    );
  let found: FileResult;
  try {
    const bytes = await file.arrayBuffer();
    found = read
      ? { parts: partsOf(await read(bytes), base || 'part'), unread: [] }
      : await readIfc(bytes, begun => onProgress(`Reading ${file.name}… element ${begun}`), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new FileError(`${file.name} could not be read: ${reasonOf(error)}.`);
  }
  const parts = found.parts.filter(({ mesh }) => mesh.indices.length > 0);
  if (parts.length === 0)
    throw new FileError(`${file.name} has no triangles.${found.unread[0] ? ` ${found.unread[0]}.` : ''}`);
  check(file.name, parts);
  return { parts, unread: found.unread };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/DRACO|meshopt/i.test(message)) return 'it is compressed; save it without Draco or meshopt compression';
  return message.replace(/^THREE\.\w+: /, '').replace(/\.$/, '');
}

// Throws an error if a part has non-finite positions or invalid indices. A loader may read a damaged file
// without an error, but then its parts usually have such values.
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
