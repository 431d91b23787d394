// Loads the optional packages that decode compressed glTF files, if a file names their glTF extensions.
import { type DracoDecode, dracoDecoder } from './dracoDecoder.js';
import { missingPackage } from './missingPackage.js';

/**
 * Decodes a buffer view that is compressed with meshopt, and writes `count` elements of `size` bytes to
 * `target`.
 */
export type MeshoptDecode = (
  target: Uint8Array,
  count: number,
  size: number,
  source: Uint8Array,
  mode: string,
  filter: string,
) => void;

/** The decoders of compressed glTF files. A missing decoder means that compressed files are refused. */
export interface GltfDecoders {
  meshopt?: MeshoptDecode;
  draco?: DracoDecode;
}

/**
 * Returns the decoders that a file may need. If a package is not installed, its decoder throws MissingPackage.
 * @param bytes A glTF or GLB file.
 */
export async function loadDecoders(bytes: Uint8Array): Promise<GltfDecoders> {
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    ...(names.includes('_meshopt_compression') ? { meshopt: await loadMeshopt() } : {}),
    ...(names.includes('KHR_draco_mesh_compression') ? { draco: await loadDraco() } : {}),
  };
}

async function loadDraco(): Promise<DracoDecode> {
  try {
    const { default: draco } = await import('draco3d');
    return dracoDecoder(await draco.createDecoderModule());
  } catch (error) {
    return failing(error, 'glTF files with Draco compression', 'draco3d');
  }
}

async function loadMeshopt(): Promise<MeshoptDecode> {
  try {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    return MeshoptDecoder.decodeGltfBuffer;
  } catch (error) {
    return failing(error, 'glTF files with meshopt compression', 'meshoptimizer');
  }
}

// Returns a decoder that throws when it is called. An error is not thrown earlier, because a file that contains
// the name of the extension, but no compressed data, can be read without the package.
function failing(error: unknown, files: string, library: string): () => never {
  const missing = missingPackage(error, files, library);
  return () => {
    throw missing;
  };
}
