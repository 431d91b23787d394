// Computes SHA-256 hashes, which serve as names of blocks of bytes (content addressing).
import { ClusterError } from '../errors.js';

/** A hash in hexadecimal, used as the key of maps. */
export type HashText = string;

/**
 * Returns the SHA-256 of bytes as 8 words. @throws CollisionError 'Cluster' on pages without a secure context
 */
export async function hashOf(bytes: Uint8Array): Promise<Uint32Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle)
    throw new ClusterError(
      'SHA-256 is not available on this page',
      'serve the page over https or from localhost',
    );
  return new Uint32Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/** Returns a hash, or another name of a block, in hexadecimal. */
export const textOf = (name: ArrayLike<number>): HashText =>
  Array.from(name, word => word.toString(16).padStart(8, '0')).join('');

/** Converts a hash of 32 bytes into 8 words. */
export const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice(0, 32).buffer);
