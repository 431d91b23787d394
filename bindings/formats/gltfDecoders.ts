// Loads the optional packages that decode compressed glTF files, if a file names their extensions.
import { CollisionError } from '../core/errors.js';

/** Decodes a buffer view that is compressed with meshopt into `target`: `count` elements of `size` bytes. */
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
}

/**
 * Returns the decoders that a file may need. If a package is not installed, its decoder throws MissingPackage.
 * @param bytes A glTF or GLB file.
 */
export async function loadDecoders(bytes: Uint8Array): Promise<GltfDecoders> {
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return names.includes('_meshopt_compression') ? { meshopt: await loadMeshopt() } : {};
}

async function loadMeshopt(): Promise<MeshoptDecode> {
  try {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    return MeshoptDecoder.decodeGltfBuffer;
  } catch (error) {
    return failing(error, 'meshopt', 'meshoptimizer');
  }
}

// Returns a decoder for a package that could not be loaded. Files that only contain the name of an extension can
// be read without it.
function failing(error: unknown, format: string, library: string): () => never {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return () => {
    throw new CollisionError(
      'MissingPackage',
      `glTF files with ${format} compression require the package ${library}, which is not installed`,
      `Run npm install ${library}, then this command again.`,
    );
  };
}
