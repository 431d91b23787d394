// Parses selectors, which choose parts by their properties, such as `type:IfcPipeSegment & storey:Level 1`.
import { basename } from 'node:path';
import { pattern } from './pattern.js';
import type { NamedPart } from './readModel.js';

/** A set of parts, as the user wrote it. */
export interface Selector {
  text: string;
  /** Whether the selector reads the properties of parts, so that the reader must provide them. */
  usesProperties: boolean;
  matches(part: NamedPart): boolean;
}

/** Returns a selector that matches a part if at least one of the given selectors matches it. */
export function anyOf(selectors: Selector[]): Selector {
  return {
    text: selectors.map(({ text }) => text).join(' | '),
    usesProperties: selectors.some(({ usesProperties }) => usesProperties),
    matches: part => selectors.some(({ matches }) => matches(part)),
  };
}

const KEYS = [
  'file',
  'name',
  'type',
  'objectType',
  'id',
  'storey',
  'layer',
  'system',
  'assembly',
  'property',
] as const;
type Key = (typeof KEYS)[number];

// A separator counts only before a term with a key, because names may contain the same characters.
const SEPARATOR = (sign: string) => new RegExp(`\\s*\\${sign}\\s*(?=!?(?:${KEYS.join('|')}):)`);
const TERM = /^(!?)(\w+):(.*)$/s;

/**
 * Parses a selector.
 *
 * @param fail - Throws the error for an invalid selector.
 */
export function readSelector(text: string, fail: (message: string, fix: string) => never): Selector {
  if (text.trim() === '') fail('a selector is empty', 'Write * for all parts.');
  const terms = text
    .trim()
    .split(SEPARATOR('|'))
    .map(group => group.split(SEPARATOR('&')));
  const alternatives = terms.map(group => group.map(term => readTerm(term, fail)));
  return {
    text,
    usesProperties: terms.flat().some(term => /^!?property:/.test(term)),
    matches: part => alternatives.some(tests => tests.every(isTrue => isTrue(part))),
  };
}

/** Returns a function that tells whether a part is of an IFC class or of a class that inherits from it. */
export function classSelector(name: string): (part: NamedPart) => boolean {
  const isMatch = pattern(name.toUpperCase());
  return ({ type, bases }) => (bases ?? (type ? [type.toUpperCase()] : [])).some(isMatch);
}

function readTerm(term: string, fail: (message: string, fix: string) => never): (part: NamedPart) => boolean {
  const [, sign, key, value] = TERM.exec(term) ?? [];
  if (key === undefined) {
    const [isMatch, isClass] = [pattern(term), classSelector(term)];
    return part => isMatch(part.name) || isMatch(part.id ?? '') || isClass(part);
  }
  if (!isKey(key))
    fail(
      `"${term}": ${key}: is not a key of selectors`,
      `Use one of ${KEYS.map(name => `${name}:`).join(', ')}. If it is the beginning of a name, write name:${term}.`,
    );
  if (value.trim() === '') fail(`"${term}" has no pattern`, `Write ${key}:* or a pattern.`);
  const isMatch = test(key as Key, value.trim());
  return sign ? part => !isMatch(part) : isMatch;
}

function isKey(key: string): key is Key {
  return (KEYS as readonly string[]).includes(key);
}

function test(key: Key, value: string): (part: NamedPart) => boolean {
  if (key === 'property') return propertyTest(value);
  const isMatch = pattern(value);
  switch (key) {
    case 'file':
      return ({ file }) => isMatch(file) || isMatch(basename(file));
    case 'type':
      return classSelector(value);
    case 'assembly':
      // A pattern may be the name of one assembly, or a path that does not begin at the outermost assembly.
      return remembered(assembly => subpathsOf(assembly).some(isMatch));
    case 'layer':
    case 'system':
      // A part may have several layers and systems; the reader separates them by commas.
      return part => {
        const names = part[key];
        return names !== undefined && (isMatch(names) || names.split(', ').some(isMatch));
      };
    default:
      return part => part[key] !== undefined && isMatch(part[key]);
  }
}

// Returns a test of the assembly of a part. Many parts have the same assembly, which is tested once.
function remembered(isMatch: (assembly: string) => boolean): (part: NamedPart) => boolean {
  const known = new Map<string, boolean>();
  return ({ assembly }) => {
    if (assembly === undefined) return false;
    const is = known.get(assembly) ?? isMatch(assembly);
    known.set(assembly, is);
    return is;
  };
}

// Returns all sequences of consecutive names of a path.
function subpathsOf(path: string): string[] {
  const names = path.split('/');
  return names.flatMap((_, from) =>
    names.slice(from).map((_, length) => names.slice(from, from + length + 1).join('/')),
  );
}

// Parses `NAME` or `NAME=VALUE`. NAME is the name of a property, with or without the name of its property
// set: `LoadBearing` or `Pset_WallCommon.LoadBearing`.
function propertyTest(text: string): (part: NamedPart) => boolean {
  const [, name, value = '*'] = /^([^=]*?)\s*(?:=\s*(.*))?$/s.exec(text)!;
  const [isName, isValue] = [pattern(name), pattern(value)];
  return ({ properties = {} }) =>
    Object.entries(properties).some(
      ([key, found]) => (isName(key) || isName(key.slice(key.indexOf('.') + 1))) && isValue(found),
    );
}
