// Compares the bounds in a glTF file, accessor.min and accessor.max, with the data. If they differ from the
// data, either the bounds or the data are damaged.
import { type JsonObject, numbersOf, refuse } from './gltfJson.js';

/**
 * Checks `min` and `max` of an accessor against its values. As in the Khronos glTF validator, numbers are
 * compared exactly; for float32 data the declared numbers are rounded to float32 first.
 * @param values The stored values before normalization. Sparse values have already been substituted.
 * @throws InvalidFile if `min` is not the minimum of the values, or if `max` is not the maximum
 */
export function checkBounds(
  accessor: JsonObject,
  values: ArrayLike<number>,
  componentCount: number,
  isFloat: boolean,
  where: string,
): void {
  for (const key of ['min', 'max'] as const) {
    const declared = numbersOf(accessor, key, where, componentCount);
    if (!declared) continue;
    const actual = extremes(values, componentCount, key === 'min' ? Math.min : Math.max);
    const wrongIndex = declared.findIndex(
      (value, i) => Number.isFinite(actual[i]) && actual[i] !== (isFloat ? Math.fround(value) : value),
    );
    if (wrongIndex >= 0)
      refuse(
        `${where}.${key}[${wrongIndex}]`,
        `is ${declared[wrongIndex]}, but the ${key === 'min' ? 'minimum' : 'maximum'} of the data is ${actual[wrongIndex]}`,
      );
  }
}

function extremes(
  values: ArrayLike<number>,
  componentCount: number,
  pick: (a: number, b: number) => number,
): number[] {
  const found = Array.from({ length: componentCount }, (_, i) => values[i]);
  for (let i = componentCount; i < values.length; i++)
    found[i % componentCount] = pick(found[i % componentCount], values[i]);
  return found;
}
