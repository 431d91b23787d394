// Converts clash sets of the program ifcclash (part of IfcOpenShell) to rules.
import { basename, resolve } from 'node:path';
import { CLASSES, type ClashClass } from '../../report/clashClasses.js';
import { type IfcSelector, readIfcSelector } from './ifcSelector.js';
import { type Length, NO_LENGTH } from './lengthOption.js';
import type { NamedPart } from './readModel.js';
import type { Rule } from './rules.js';
import { anyOf, type Selector } from './selector.js';

export type JsonObject = Record<string, unknown>;
/** Throws the error for an invalid rule. */
export type Fail = (message: string, fix: string) => never;

const KEYS = ['name', 'a', 'b', 'mode', 'tolerance', 'clearance', 'allow_touching', 'check_all', 'clashes'];
const SOURCE_KEYS = ['file', 'mode', 'selector'];

/** Checks that an object has only keys in `known`. @throws InvalidFile, through `fail`, if it has others. */
export function rejectUnknownKeys(entry: JsonObject, known: readonly string[], fail: Fail): void {
  for (const key of Object.keys(entry))
    if (!known.includes(key))
      fail(`"${key}" is not a key of a rule`, `Remove it, or write one of ${known.join(', ')}.`);
}

/**
 * Converts a clash set. The lengths of clash sets are in meters. `check_all` has no effect, because all
 * triangles of a pair are always tested. The key `clashes`, which ifcclash adds to a set after a run, is
 * ignored.
 *
 * @param files - The files to read. A file that only the clash set names is added.
 */
export function readClashSet(name: string, entry: JsonObject, files: string[], fail: Fail): Rule {
  rejectUnknownKeys(entry, KEYS, fail);
  for (const key of ['allow_touching', 'check_all'])
    if (entry[key] !== undefined && typeof entry[key] !== 'boolean')
      fail(`"${key}" is ${JSON.stringify(entry[key])}`, 'Write true or false.');
  const a = readSources('a', entry.a, files, fail);
  // As in ifcclash, if b is missing or empty, the set a is tested against itself.
  const hasB = entry.b !== undefined && !(Array.isArray(entry.b) && entry.b.length === 0);
  const b = hasB ? readSources('b', entry.b, files, fail) : a;
  return { name, a, b, ...readMode(entry, fail) };
}

function readMode(
  entry: JsonObject,
  fail: Fail,
): Required<Pick<Rule, 'tolerance' | 'clearance' | 'classes'>> {
  const { mode = entry.clearance === undefined ? 'intersection' : 'clearance' } = entry;
  const classes: readonly ClashClass[] =
    mode === 'intersection'
      ? ['hard', 'contained']
      : mode === 'collision'
        ? entry.allow_touching === true
          ? ['hard', 'coplanar', 'touch']
          : ['hard']
        : mode === 'clearance'
          ? CLASSES
          : fail(
              `the mode ${JSON.stringify(mode)} is unknown`,
              'Write intersection, collision or clearance.',
            );
  const clearance = mode === 'clearance' ? meters('clearance', entry.clearance, fail) : NO_LENGTH;
  if (mode === 'clearance' && clearance.value === 0)
    fail('the clearance is 0', 'Write a clearance in meters, such as 0.05, or the mode collision.');
  const tolerance =
    mode === 'intersection' && entry.tolerance !== undefined
      ? meters('tolerance', entry.tolerance, fail)
      : NO_LENGTH;
  return { tolerance, clearance, classes };
}

function meters(key: string, value: unknown, fail: Fail): Length {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? { value, unit: 'm', text: `${value}m` }
    : fail(`"${key}" is ${JSON.stringify(value)}`, `Write "${key}" as a number of meters, such as 0.01.`);
}

// Returns the selector of the parts that at least one of the sources selects.
function readSources(key: string, sources: unknown, files: string[], fail: Fail): Selector {
  if (!Array.isArray(sources) || sources.length === 0)
    return fail(`the set ${key} is empty`, `Write "${key}": [{ "file": "model.ifc" }].`);
  return anyOf(sources.map((source: unknown) => readSource(key, source, files, fail)));
}

function readSource(key: string, source: unknown, files: string[], fail: Fail): Selector {
  if (typeof source !== 'object' || source === null)
    return fail(`the set ${key} has an entry that is not an object`, 'Write { "file": "model.ifc" }.');
  rejectUnknownKeys(source as JsonObject, SOURCE_KEYS, fail);
  const { file, mode, selector } = source as JsonObject;
  if (typeof file !== 'string' || file === '')
    return fail(`the set ${key} has an entry without a file`, 'Write { "file": "model.ifc" }.');
  if (mode !== undefined && mode !== 'i' && mode !== 'e' && mode !== 'a')
    return fail(
      `the mode ${JSON.stringify(mode)} of ${file} is unknown`,
      'Write i (include), e (exclude) or a (all).',
    );
  if (selector !== undefined && typeof selector !== 'string')
    return fail(`the selector of ${file} is not a string`, 'Write a string such as "IfcWall".');
  const path = addFile(file, files);
  // ifcclash ignores a selector without a mode and silently selects all elements. Here, it is an error.
  if (selector && mode === undefined)
    fail(
      `${file} has a selector but no mode`,
      'Add "mode": "i" to include its elements, or "e" to exclude them.',
    );
  const { matches: isSelected, usesProperties = false } = selector
    ? readIfcSelector(selector, fail)
    : ({} as Partial<IfcSelector>);
  const isWanted =
    isSelected === undefined || mode === 'a'
      ? isClashable
      : mode === 'i'
        ? isSelected
        : (part: NamedPart) => isClashable(part) && !isSelected(part);
  return {
    usesProperties,
    text: `${basename(path)}${selector ? ` ${mode} ${selector}` : ''}`,
    matches: part => part.file === path && isWanted(part),
  };
}

// Returns the entry of `files` for a file that a clash set names: the entry with the same path or, if there is
// none, the only entry with the same file name, because clash sets are moved between computers. If neither
// exists, adds the file.
function addFile(file: string, files: string[]): string {
  const same = files.find(path => resolve(path) === resolve(file));
  if (same !== undefined) return same;
  const base = file.split(/[\\/]/).pop()!;
  const named = files.filter(path => basename(path) === base);
  if (named.length === 1) return named[0];
  files.push(file);
  return file;
}

// Without a selector, ifcclash tests all elements except holes and projections.
function isClashable({ bases }: NamedPart): boolean {
  return bases === undefined || (bases.includes('IFCELEMENT') && !bases.includes('IFCFEATUREELEMENT'));
}
