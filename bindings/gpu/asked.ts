// What a question was asked with, kept as it was at the call: it may be answered later.
import { Disposed, Stale } from '../core/errors.js';
import type { PlacedPair } from '../core/options.js';
import { copyOptions, type OptionTable } from '../core/optionTable.js';
import type { Mesh } from '../mesh/mesh.js';

/** A list of numbers in memory of its own, also of a Matrix4; anything else as it is. */
export function kept<Value>(value: Value): Value {
  const list = (value as { elements?: unknown } | null | undefined)?.elements ?? value;
  // Of a detached array there is nothing to copy: whoever reads it says so.
  const isList =
    Array.isArray(list) || (ArrayBuffer.isView(list) && 'slice' in list && (list as Uint8Array).length > 0);
  return isList ? ((list as unknown as Float64Array).slice() as Value) : value;
}

/**
 * Checks options and copies them with their arrays and transforms, as they are at the call. @throws
 * Unsupported
 */
export function keepOptions<Options extends object>(table: OptionTable<Options>, options: Options): Options {
  const copy = copyOptions(table, options);
  for (const name in copy) copy[name] = kept(copy[name]);
  return copy;
}

/** A placed pair with transforms of its own. */
export const keepPair = (pair: PlacedPair): PlacedPair => ({
  ...pair,
  transformA: kept(pair.transformA),
  transformB: kept(pair.transformB),
});

/** @returns what throws where one of the meshes has changed or gone since. */
export function watch(meshes: readonly (Mesh | undefined)[]): () => void {
  const versions = meshes.map(mesh => mesh?.version);
  return () =>
    meshes.forEach((mesh, i) => {
      if (mesh === undefined || mesh === null || versions[i] === undefined) return;
      if (mesh.isGone)
        throw new Disposed(
          `mesh ${mesh.id} or its engine was disposed while it was asked about`,
          'await the answer before disposing of meshes',
        );
      if (mesh.version !== versions[i])
        throw new Stale(
          `mesh ${mesh.id} changed while it was asked about`,
          'await the answer before updating meshes',
        );
    });
}
