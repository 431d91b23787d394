// glTF's JSON -> values of the kind that its specification asks for, or a refusal that names the place.
import type { MemoryBudget } from './budget.js';
import { checkJsonText } from './jsonText.js';
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';

export type Item = Record<string, unknown>;

const LONGEST_JSON_BYTES = 1 << 28;

/** Throws InvalidFile: `where` is the place in the JSON, as in nodes[3].mesh. */
export function refuse(where: string, what: string, fix = EXPORT_AGAIN): never {
  throw new InvalidFile(`${where} ${what}`, fix);
}

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJson(bytes: Uint8Array, budget: MemoryBudget): Item {
  if (bytes.length > LONGEST_JSON_BYTES) {
    throw new InvalidFile(
      `has ${bytes.length} bytes of JSON, more than ${LONGEST_JSON_BYTES}`,
      'Keep the geometry in binary buffers (.glb).',
    );
  }
  checkJsonText(bytes, budget);
  let root: unknown;
  try {
    // A byte order mark is kept, so that the parser refuses it as the specification does.
    root = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new InvalidFile('the JSON is broken', EXPORT_AGAIN);
  }
  if (!isItem(root)) throw new InvalidFile('the JSON is not an object', EXPORT_AGAIN);
  return root;
}

/** A list of objects; empty when there is none. */
export function itemsOf(item: Item, key: string, where = key): Item[] {
  const value = item[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(where, 'is not a list');
  for (let i = 0; i < value.length; i++) if (!isItem(value[i])) refuse(`${where}[${i}]`, 'is not an object');
  return value as Item[];
}

/** An object, or undefined where there is none. */
export function itemOf(item: Item, key: string, where: string): Item | undefined {
  const value = item[key];
  if (value === undefined || isItem(value)) return value;
  return refuse(`${where}.${key}`, 'is not an object');
}

/** A whole number from `least` to `most`. */
export function integerOf(item: Item, key: string, where: string, least: number, most: number): number {
  const value = item[key];
  if (value === undefined) refuse(`${where}.${key}`, 'is missing');
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    refuse(
      `${where}.${key}`,
      `is ${quote(String(JSON.stringify(value)))}, not a whole number from ${least} to ${most}`,
    );
  }
  return value as number;
}

/** The place of another item in its list of `count`. */
export function referenceOf(item: Item, key: string, where: string, count: number, listName: string): number {
  const value = item[key];
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < count) return value as number;
  return refuse(
    `${where}.${key}`,
    `is ${quote(String(JSON.stringify(value)))}, but the file has ${count} ${listName}`,
  );
}

/** Places of other items in their list of `count`; empty when there is none. */
export function referencesOf(
  item: Item,
  key: string,
  where: string,
  count: number,
  listName: string,
): number[] {
  const value = item[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(`${where}.${key}`, 'is not a list');
  return value.map((_, i) =>
    referenceOf(value as unknown as Item, String(i), `${where}.${key}`, count, listName),
  );
}

/** `length` finite numbers, or undefined where there are none; any length when it is not given. */
export function numbersOf(item: Item, key: string, where: string, length?: number): number[] | undefined {
  const value = item[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || (length !== undefined && value.length !== length))
    refuse(`${where}.${key}`, `is not a list of ${length === undefined ? '' : `${length} `}numbers`);
  for (const number of value) {
    if (Number.isFinite(number)) continue;
    refuse(`${where}.${key}`, `holds ${quote(String(JSON.stringify(number)))}, which is not a finite number`);
  }
  return value as number[];
}

/** A name, or undefined where there is none or a blank one. */
export function nameOf(item: Item): string | undefined {
  const { name } = item;
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
