// Checks the rules that the parts of every accepted mesh file must satisfy, and compares the results of two
// reads.

import type { Part } from '../../../dist/formats/part.js';
import { parseParts } from '../../../dist/formats/readParts.js';
import { require, requireTypedError } from '../target.js';

export interface ReadFile {
  parts: Part[];
  warnings: string[];
}

/** Reads a file; returns undefined if it is refused with InvalidFile. */
export function read(name: string, bytes: Uint8Array): ReadFile | undefined {
  const warnings: string[] = [];
  try {
    return {
      parts: parseParts(name, bytes, undefined, { onWarning: text => warnings.push(text) }),
      warnings,
    };
  } catch (error) {
    requireTypedError(error, ['InvalidFile']);
    return undefined;
  }
}

/** Checks the names, coordinates, indices and placements of parts. */
export function checkParts(parts: Part[]): void {
  const names = new Set(parts.map(({ name }) => name));
  require(names.size === parts.length, () => 'two parts have the same name');
  for (const { name, positions, indices, transform } of parts) {
    require(typeof name === 'string' && name !== '', () => `a part has the name ${JSON.stringify(name)}`);
    require(positions instanceof Float32Array && positions.length % 3 === 0, () =>
      `part "${name}" has ${positions.length} coordinates`);
    require(indices instanceof Uint32Array && indices.length % 3 === 0 && indices.length > 0, () =>
      `part "${name}" has ${indices.length} indices`);
    for (const value of positions)
      require(Number.isFinite(value), () => `part "${name}" has the coordinate ${value}`);
    for (const vertex of indices)
      require(3 * vertex < positions.length, () => `part "${name}" has the index ${vertex}`);
    require(transform.length === 16 &&
      transform.every(Number.isFinite) &&
      [3, 7, 11].every(i => transform[i] === 0) &&
      transform[15] === 1, () => `part "${name}" has the placement ${transform.join()}`);
  }
}

/** The coordinates of all corners, part after part, in the order of the triangles. */
export function allCorners(parts: Part[]): number[] {
  const corners: number[] = [];
  for (const { positions, indices } of parts)
    for (const vertex of indices)
      for (let axis = 0; axis < 3; axis++) corners.push(positions[3 * vertex + axis]);
  return corners;
}

/** Fails unless two lists of numbers are equal; 0 and -0 differ. */
export function requireSameNumbers(
  what: string,
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
): void {
  require(actual.length === expected.length, () =>
    `${what}: ${actual.length} numbers, not ${expected.length}`);
  for (let i = 0; i < actual.length; i++)
    require(Object.is(actual[i], expected[i]), () =>
      `${what}: number ${i} is ${actual[i]}, not ${expected[i]}`);
}

/** Fails unless two reads give the same parts: names, types, ids, units, up axes, corners and placements. */
export function requireSameParts(what: string, file: ReadFile | undefined, expected: Part[]): void {
  require(file !== undefined, () => `${what}: the file is refused`);
  const describe = (parts: Part[]) =>
    JSON.stringify(parts.map(({ name, type, id, unit, up }) => [name, type, id, unit, up]));
  require(describe(file.parts) === describe(expected), () =>
    `${what}: ${describe(file.parts)}, not ${describe(expected)}`);
  requireSameNumbers(what, allCorners(file.parts), allCorners(expected));
  file.parts.forEach(({ transform }, i) =>
    requireSameNumbers(`${what}: placement`, transform, expected[i].transform),
  );
}

/**
 * Fails unless the corners of the parts are the expected ones. `expected` holds placed coordinates: they are
 * moved to the frame of each part and then rounded to float32. The transform of a part must be a translation.
 */
export function requireCorners(parts: Part[], expected: readonly number[]): void {
  const actual: number[] = [];
  const rounded: number[] = [];
  for (const { positions, indices, transform } of parts)
    for (const vertex of indices)
      for (let axis = 0; axis < 3; axis++) {
        rounded.push(Math.fround(expected[actual.length] - transform[12 + axis]));
        actual.push(positions[3 * vertex + axis]);
      }
  require(actual.length === expected.length, () => `${actual.length} corners, not ${expected.length}`);
  requireSameNumbers('corners', actual, rounded);
}

/**
 * Compares the result of a reader with that of a slow reader (such as slowObj.ts). The two share no code.
 * expected: the corners that the slow reader found, as doubles, or 'refused'. If the slow reader does not
 * support the file, `expected` is undefined and nothing is compared.
 */
export function requireAgreement(
  file: ReadFile | undefined,
  expected: number[] | 'refused' | undefined,
): void {
  if (expected === undefined) return;
  if (expected === 'refused')
    require(file === undefined, () => 'the file is accepted, but the slow reader refuses it');
  else {
    require(file !== undefined, () => 'the file is refused, but the slow reader accepts it');
    requireCorners(file.parts, expected);
  }
}
