// Derives the GUIDs of clashes and reports from the identities of the parts and files, so that each run on
// the same model gives the same GUIDs.
import { createHash } from 'node:crypto';
import { uuidText } from './uuid.js';

/** The namespace of all GUIDs that pfront derives: a random UUID. */
const NAMESPACE = Buffer.from('0b4c8f6e3d0a4f52a1c7d9e25b7f3a64', 'hex');

/**
 * Returns a key for each part that no other part of the model has. The key is the part's id, such as the
 * GlobalId of IFC. If the part has no id, or if several parts have the same id, the key is the part's name.
 */
export function partKeys(parts: readonly { name: string; id?: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { id } of parts) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  return parts.map(({ name, id }) =>
    id !== undefined && counts.get(id) === 1 ? `id ${id}` : `name ${name}`,
  );
}

/**
 * Returns the GUID of a pair of parts. It also depends on the rule that asks for the pair, because several
 * rules may ask for the same pair. The order of the two keys does not matter.
 */
export function pairGuid(keyA: string, keyB: string, rule?: string): string {
  return uuidOf(JSON.stringify(['clash', ...[keyA, keyB].sort(), ...(rule === undefined ? [] : [rule])]));
}

/** Returns the GUID of a pair of parts that meet during a motion. The order of the two keys does not matter. */
export const motionPairGuid = (keyA: string, keyB: string, motion: string): string =>
  uuidOf(JSON.stringify(['motion', ...[keyA, keyB].sort(), motion]));

/**
 * Returns an identifier of a report, which is the same in each run on the same files.
 *
 * @param paths - The absolute paths of the files of the model.
 */
export const reportGuid = (paths: readonly string[]): string =>
  uuidOf(JSON.stringify(['report', ...[...paths].sort()]));

// Returns a UUID of version 5 (RFC 9562): the SHA-1 hash of a namespace and a name.
function uuidOf(name: string): string {
  return uuidText(createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16), 5);
}
