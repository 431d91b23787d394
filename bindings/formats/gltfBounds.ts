// Compares accessor.min and accessor.max of a glTF file with the data. If they differ, one of the two is
// damaged.
import { type JsonObject, numbersOf, refuse } from './gltfJson.js';

/**
 * Checks `min` and `max` of an accessor against its values. As in the Khronos glTF validator, numbers are
 * compared exactly; for float32 data the declared numbers are rounded to float32 first.
 * @param values The stored values before normalization. Sparse values have already been substituted.
 * @throws InvalidFile if `min` or `max` is not the smallest or the largest of the values
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
        `is ${declared[wrongIndex]}, but the data has ${actual[wrongIndex]}`,
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
