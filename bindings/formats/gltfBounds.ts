// glTF's accessor.min and accessor.max repeat what the data say. Where they differ, one of the two is
// damaged.
import { type Item, numbersOf, refuse } from './gltfJson.js';

/**
 * Throws InvalidFile if `min` or `max` of an accessor is not the smallest or the largest of its values.
 * As in the Khronos glTF validator, numbers are compared exactly, after the declared ones are rounded to
 * float32 where the data are. values: as stored, before normalization, sparse ones replaced.
 */
export function checkBounds(
  accessor: Item,
  values: ArrayLike<number>,
  componentCount: number,
  isFloat: boolean,
  where: string,
): void {
  for (const key of ['min', 'max'] as const) {
    const declared = numbersOf(accessor, key, where, componentCount);
    if (!declared) continue;
    const actual = extremes(values, componentCount, key === 'min' ? Math.min : Math.max);
    const wrong = declared.findIndex(
      (value, i) => Number.isFinite(actual[i]) && actual[i] !== (isFloat ? Math.fround(value) : value),
    );
    if (wrong >= 0)
      refuse(`${where}.${key}[${wrong}]`, `is ${declared[wrong]}, but the data have ${actual[wrong]}`);
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
