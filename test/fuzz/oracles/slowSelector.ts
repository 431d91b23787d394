// A slow matcher for the selectors of `pfront clash --between` and `--rules`. It shares no code with pfront, so
// that the two can be compared. It handles only selectors that pfront accepts.
import { slowMatch } from './slowGlob.js';

/** The properties of a part that selectors use. */
export interface SelectedPart {
  name: string;
  file: string;
  type?: string;
  objectType?: string;
  id?: string;
  storey?: string;
  layer?: string;
  system?: string;
  assembly?: string;
  properties?: Record<string, string>;
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
];

// Splits a text at each `sign` (`|` or `&`) that is followed by a term with a key, such as `type:IfcWall`.
function split(text: string, sign: string): string[] {
  const pieces = [''];
  for (let i = 0; i < text.length; i++) {
    const rest = text
      .slice(i + 1)
      .trimStart()
      .replace(/^!/, '');
    if (text[i] === sign && KEYS.some(key => rest.startsWith(`${key}:`))) pieces.push('');
    else pieces[pieces.length - 1] += text[i];
  }
  return pieces.map(piece => piece.trim());
}

const isClass = (part: SelectedPart, name: string): boolean =>
  part.type !== undefined && slowMatch(name.toUpperCase(), part.type.toUpperCase());

function hasProperty({ properties = {} }: SelectedPart, text: string): boolean {
  const at = text.indexOf('=');
  const name = (at < 0 ? text : text.slice(0, at)).trimEnd();
  const value = at < 0 ? '*' : text.slice(at + 1).trimStart();
  return Object.entries(properties).some(
    ([key, found]) =>
      (slowMatch(name, key) || slowMatch(name, key.slice(key.indexOf('.') + 1))) && slowMatch(value, found),
  );
}

function matchesKey(part: SelectedPart, key: string, value: string): boolean {
  if (key === 'property') return hasProperty(part, value);
  if (key === 'type') return isClass(part, value);
  const own = part[key as 'name'];
  if (own === undefined) return false;
  const words = [own];
  if (key === 'file') words.push(own.slice(own.lastIndexOf('/') + 1));
  if (key === 'layer' || key === 'system') words.push(...own.split(', '));
  if (key === 'assembly') {
    const names = own.split('/');
    for (let from = 0; from < names.length; from++)
      for (let end = from + 1; end <= names.length; end++) words.push(names.slice(from, end).join('/'));
  }
  return words.some(word => slowMatch(value, word));
}

function matchesTerm(part: SelectedPart, term: string): boolean {
  const isNegated = term.startsWith('!');
  const colon = term.indexOf(':');
  const key = term.slice(isNegated ? 1 : 0, Math.max(0, colon));
  if (!/^\w+$/.test(key))
    return slowMatch(term, part.name) || slowMatch(term, part.id ?? '') || isClass(part, term);
  return matchesKey(part, key, term.slice(colon + 1).trim()) !== isNegated;
}

/** Returns whether a part matches a selector. */
export const slowSelect = (selector: string, part: SelectedPart): boolean =>
  split(selector.trim(), '|').some(group => split(group, '&').every(term => matchesTerm(part, term)));
