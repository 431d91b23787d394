// Parses selectors, which choose parts by their file, name, type, GlobalId, storey, layer or system, such as
// `type:IfcPipeSegment & storey:Level 1`.
import { basename } from 'node:path';
import { pattern } from './pattern.js';
import type { NamedPart } from './readModel.js';

/** A set of parts, as the user wrote it. */
export interface Selector {
  text: string;
  matches(part: NamedPart): boolean;
}

const KEYS = ['file', 'name', 'type', 'id', 'storey', 'layer', 'system'] as const;
type Key = (typeof KEYS)[number];

/** The keys of selectors, for messages. */
export const SELECTOR_KEYS = KEYS.map(key => `${key}:`).join(', ');

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
  const alternatives = text
    .trim()
    .split(SEPARATOR('|'))
    .map(group => group.split(SEPARATOR('&')).map(term => readTerm(term, fail)));
  return { text, matches: part => alternatives.some(terms => terms.every(isTrue => isTrue(part))) };
}

/** Returns the selector of the parts of an IFC class and of the classes that inherit from it. */
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
      `Use one of ${SELECTOR_KEYS}. If it is the beginning of a name, write name:${term}.`,
    );
  if (value.trim() === '') fail(`"${term}" has no pattern`, `Write ${key}:* or a pattern.`);
  const isMatch = test(key as Key, value.trim());
  return sign ? part => !isMatch(part) : isMatch;
}

function isKey(key: string): key is Key {
  return (KEYS as readonly string[]).includes(key);
}

function test(key: Key, value: string): (part: NamedPart) => boolean {
  const isMatch = pattern(value);
  switch (key) {
    case 'file':
      return ({ file }) => isMatch(file) || isMatch(basename(file));
    case 'type':
      return classSelector(value);
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
