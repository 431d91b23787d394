// Parses selectors of IfcOpenShell, with which clash sets of ifcclash choose the elements of a file.
import type { NamedPart } from './readModel.js';
import { classSelector } from './selector.js';

type Test = (part: NamedPart) => boolean;
type Fail = (message: string, fix: string) => never;

/** An entry of a selector. Classes and GlobalIds add or remove elements; other facets filter the elements. */
interface Facet {
  effect: 'adds' | 'removes' | 'filters';
  isMatch: Test;
  readsProperties?: boolean;
}

export interface IfcSelector {
  /** Whether the properties of elements must be read. */
  usesProperties: boolean;
  matches: Test;
}

/**
 * Parses a selector: groups joined by `+`, each a list of facets joined by `,` or `|`. An element is selected
 * if any group selects it. The facets of a group apply from left to right.
 *
 * @param fail - Throws the error for an invalid selector.
 */
export function readIfcSelector(text: string, fail: Fail): IfcSelector {
  const groups = split(text, '+').map(group => split(group, ',|').map(piece => readFacet(text, piece, fail)));
  for (const [first] of groups)
    if (first.effect === 'filters')
      fail(
        `the selector "${text}" has a group that begins with a filter, so that it selects nothing`,
        'Begin each group with an IFC class or a GlobalId, such as IfcElement.',
      );
  return {
    usesProperties: groups.flat().some(({ readsProperties }) => readsProperties),
    matches: part => groups.some(facets => facets.reduce((is, facet) => apply(facet, is, part), false)),
  };
}

function apply({ effect, isMatch }: Facet, isSelected: boolean, part: NamedPart): boolean {
  if (effect === 'filters') return isSelected && isMatch(part);
  return isMatch(part) ? effect === 'adds' : isSelected;
}

// Divides a text into quoted texts, regular expressions, and single characters.
const tokensOf = (text: string): string[] =>
  text.match(/"(?:\\.|[^"\\])*"|(?<=(?:^|[=.,|+!])\s*)\/[^/]+\/|[\s\S]/g) ?? [];

// Splits a filter into its key, and the rest, which begins with an operator. If there is no operator, the rest
// is empty.
function splitAtOperator(text: string): [key: string, rest: string] {
  const tokens = tokensOf(text);
  const at = tokens.findIndex(token => token.length === 1 && '=!*'.includes(token));
  return at < 0 ? [text.trim(), ''] : [tokens.slice(0, at).join('').trim(), tokens.slice(at).join('')];
}

// Splits a text at the given characters, except in quoted texts and in regular expressions.
function split(text: string, separators: string): string[] {
  const pieces = [''];
  for (const token of tokensOf(text))
    if (token.length === 1 && separators.includes(token)) pieces.push('');
    else pieces[pieces.length - 1] += token;
  return pieces.map(piece => piece.trim());
}

function readFacet(text: string, piece: string, fail: Fail): Facet {
  const [, sign, name] = /^(!?)\s*(.*)$/s.exec(piece)!;
  const effect = sign ? 'removes' : 'adds';
  if (/^\.?Ifc\w+$/i.test(name)) return { effect, isMatch: classSelector(name.replace('.', '')) };
  const [, id] = /^#?([0-9A-Za-z_$]{22})$/.exec(name) ?? [];
  if (id !== undefined) return { effect, isMatch: part => part.id === id };
  const [key, operation] = splitAtOperator(piece);
  const [, isNegated, isContained, value] = /^(!?)(\*?)=\s*(.*)$/s.exec(operation) ?? [];
  if (key === '' || value === undefined)
    return fail(
      `the selector "${text}" cannot be evaluated: "${piece}" is neither an IFC class, a GlobalId nor a filter`,
      FIX,
    );
  const refuse = (reason: string): never =>
    fail(`the selector "${text}" cannot be evaluated: ${reason}`, FIX);
  const isValue = readValue(value, isContained !== '', refuse);
  const valuesOf = readKey(key, refuse);
  return {
    effect: 'filters',
    isMatch: part => valuesOf(part).some(isValue) === (isNegated === ''),
    readsProperties: key.includes('.'),
  };
}

const FIX =
  'Use classes, GlobalIds, and filters such as Name="Pipe", type=, location=, group= and Pset_WallCommon.LoadBearing=TRUE; or write the rule with "between", which also selects by layer.';

// Returns a function that lists the values of an element for a key. If the element has no value for the key,
// the list contains only undefined.
function readKey(
  key: string,
  refuse: (reason: string) => never,
): (part: NamedPart) => (string | undefined)[] {
  const [set, property] = split(key, '.');
  if (property !== undefined) {
    const [isSet, isProperty] = [set, property].map(name => readValue(name, false, refuse));
    return ({ properties = {} }) => {
      const found = Object.entries(properties).filter(([name]) => {
        const dot = name.indexOf('.');
        return isSet(name.slice(0, dot)) && isProperty(name.slice(dot + 1));
      });
      return found.length > 0 ? found.map(([, value]) => value) : [undefined];
    };
  }
  switch (key) {
    case 'Name':
      return part => [ownName(part)];
    case 'type':
      return ({ objectType }) => [objectType];
    case 'location':
      return ({ storey }) => [storey];
    case 'group':
      return ({ system }) => system?.split(', ') ?? [undefined];
    default:
      return refuse(`filters by "${key}" are not supported`);
  }
}

// Returns the name that an element has in its file. In `name`, the reader puts the class in front of this name,
// and replaces a missing name by the record number.
function ownName({ name, type }: NamedPart): string | undefined {
  const own = type !== undefined && name.startsWith(`${type} `) ? name.slice(type.length + 1) : name;
  return /^#\d+$/.test(own) ? undefined : own;
}

// Returns a test for a value. `text` is a quoted or plain text, a regular expression between slashes that
// matches from the start, NULL, TRUE or FALSE. Numbers are compared by value.
function readValue(
  text: string,
  isContained: boolean,
  refuse: (reason: string) => never,
): (value: string | undefined) => boolean {
  if (text === 'NULL') return value => value === undefined;
  if (text === 'TRUE' || text === 'FALSE')
    return value => value !== undefined && value.toUpperCase() === text;
  const [, expression] = /^\/([^/]+)\/$/.exec(text) ?? [];
  if (expression !== undefined) {
    const pattern = compiled(expression) ?? refuse(`${text} is not a regular expression`);
    return value => value !== undefined && pattern.test(value);
  }
  const wanted = /^"(.*)"$/s.exec(text)?.[1].replaceAll('\\"', '"') ?? text;
  if (isContained) return value => value?.includes(wanted) === true;
  const number = wanted.trim() === '' ? NaN : Number(wanted);
  return value =>
    value !== undefined && (value === wanted || (value.trim() !== '' && Number(value) === number));
}

function compiled(expression: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${expression})`);
  } catch {
    return undefined;
  }
}
