// Bytes by what they are: their SHA-256, and where they are kept.
import { ClusterError } from '../errors.js';

/** Of content, as text: what tables are keyed by. */
export type HashText = string;

/** SHA-256, 8 words. @throws CollisionError 'Cluster' where the page may not compute it */
export async function hashOf(bytes: Uint8Array): Promise<Uint32Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle)
    throw new ClusterError('this page may not compute SHA-256', 'serve it by https or from localhost');
  return new Uint32Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/** Of a hash, or of another name of a block. */
export const textOf = (name: ArrayLike<number>): HashText =>
  Array.from(name, word => word.toString(16).padStart(8, '0')).join('');

/** Words of a hash that stands in bytes. */
export const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice(0, 32).buffer);
