// Reads values from the JSON of a glTF file, and checks that they have the types that the specification
// requires. Errors name the place of the value in the JSON.

import { checkJsonText } from './jsonText.js';
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';

export type JsonObject = Record<string, unknown>;

const MAX_JSON_BYTES = 1 << 28;

/** Throws InvalidFile. @param where The place in the JSON, such as nodes[3].mesh. */
export function refuse(where: string, what: string, fix = EXPORT_AGAIN): never {
  throw new InvalidFile(`${where} ${what}`, fix);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses the JSON text of a file. Its root value must be an object. @throws InvalidFile */
export function parseJson(bytes: Uint8Array, budget: MemoryBudget): JsonObject {
  if (bytes.length > MAX_JSON_BYTES) {
    throw new InvalidFile(
      `has ${bytes.length} bytes of JSON, more than ${MAX_JSON_BYTES}`,
      'Keep the geometry in binary buffers (.glb).',
    );
  }
  checkJsonText(bytes, budget);
  let root: unknown;
  try {
    // A byte order mark is kept, so that the parser rejects it, as the specification requires.
    root = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new InvalidFile('the JSON is invalid or not UTF-8', EXPORT_AGAIN);
  }
  if (!isJsonObject(root)) throw new InvalidFile('the JSON is not an object', EXPORT_AGAIN);
  return root;
}

/** Returns a list of objects; empty if the property is missing. @throws InvalidFile */
export function objectsOf(item: JsonObject, key: string, where = key): JsonObject[] {
  const value = item[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(where, 'is not a list');
  for (let i = 0; i < value.length; i++)
    if (!isJsonObject(value[i])) refuse(`${where}[${i}]`, 'is not an object');
  return value as JsonObject[];
}

/** Returns an object, or undefined if the property is missing. @throws InvalidFile */
export function objectOf(item: JsonObject, key: string, where: string): JsonObject | undefined {
  const value = item[key];
  if (value === undefined || isJsonObject(value)) return value;
  return refuse(`${where}.${key}`, 'is not an object');
}

/** Returns an integer from `min` to `max`. @throws InvalidFile */
export function integerOf(item: JsonObject, key: string, where: string, min: number, max: number): number {
  const value = item[key];
  if (value === undefined) refuse(`${where}.${key}`, 'is missing');
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    refuse(
      `${where}.${key}`,
      `is ${quote(String(JSON.stringify(value)))}, not a whole number from ${min} to ${max}`,
    );
  }
  return value as number;
}

/** Returns an index into a list of `count` items. @throws InvalidFile */
export function referenceOf(
  item: JsonObject,
  key: string,
  where: string,
  count: number,
  listName: string,
): number {
  const value = item[key];
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < count) return value as number;
  return refuse(
    `${where}.${key}`,
    `is ${quote(String(JSON.stringify(value)))}, not an index into the ${count} ${listName} of the file`,
  );
}

/** Returns indices into a list of `count` items; empty if the property is missing. @throws InvalidFile */
export function referencesOf(
  item: JsonObject,
  key: string,
  where: string,
  count: number,
  listName: string,
): number[] {
  const value = item[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(`${where}.${key}`, 'is not a list');
  return value.map((_, i) =>
    referenceOf(value as unknown as JsonObject, String(i), `${where}.${key}`, count, listName),
  );
}

/**
 * Returns a list of finite numbers, or undefined if the property is missing. The list must have `length`
 * numbers; if `length` is undefined, it may have any length.
 * @throws InvalidFile
 */
export function numbersOf(
  item: JsonObject,
  key: string,
  where: string,
  length?: number,
): number[] | undefined {
  const value = item[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || (length !== undefined && value.length !== length))
    refuse(`${where}.${key}`, `is not a list of ${length === undefined ? '' : `${length} `}numbers`);
  for (const number of value) {
    if (Number.isFinite(number)) continue;
    refuse(
      `${where}.${key}`,
      `contains ${quote(String(JSON.stringify(number)))}, which is not a finite number`,
    );
  }
  return value as number[];
}

/** Returns the trimmed name of an object, or undefined if the name is missing or blank. */
export function nameOf(item: JsonObject): string | undefined {
  const { name } = item;
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
