// What a question was asked with, kept as it was at the call: it may be answered later.
import { Disposed, Stale } from './errors.js';
import type { Mesh } from './mesh.js';

/** A list of numbers in memory of its own; anything else as it is. */
export const kept = <Value>(value: Value): Value => (ArrayBuffer.isView(value) && 'slice' in value ? (value as unknown as Float64Array).slice() as unknown as Value : value);

/** The same, one level down. */
export const keptOptions = <Options extends object>(options: Options): Options =>
  (typeof options === 'object' && options !== null ? Object.fromEntries(Object.entries(options).map(([name, value]) => [name, kept(value)])) as Options : options);

/** @returns what throws where one of the meshes has changed or gone since. */
export function watch(meshes: readonly (Mesh | undefined)[]): () => void {
  const versions = meshes.map((mesh) => mesh?.version);
  return () => meshes.forEach((mesh, i) => {
    if (mesh === undefined || mesh === null || versions[i] === undefined) return;
    if (mesh.isGone) throw new Disposed(`mesh ${mesh.id} or its engine was disposed while it was asked about`, 'await the answer before disposing of meshes');
    if (mesh.version !== versions[i]) throw new Stale(`mesh ${mesh.id} changed while it was asked about`, 'await the answer before updating meshes');
  });
}
