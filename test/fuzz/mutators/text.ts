// Mutators for text formats: they change numbers, blanks, words and lines, and also remove, repeat and copy
// words and lines.
import type { MutationContext, Mutator } from '../target.js';
import { replaced } from './bytes.js';

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '2',
  '3',
  '4',
  '1.5',
  '-2.5',
  '.5',
  '5.',
  '1e0',
  '1e-3',
  '+1',
  '1e38',
  '3.5e38',
  '1e39',
  '1e-46',
  '1e308',
  '1e400',
  '-1e400',
  'nan',
  'inf',
  '-inf',
  '0x10',
  '1_0',
  '1e',
  '--1',
  '255',
  '256',
  '65536',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '99999999999999999999',
  '0.1000000000000000055',
  '12345678901234567890e-20',
  '0.30000001192092896',
  '16777217',
  '0000000000000000001',
]; // prettier-ignore
const BLANKS = [' ', '  ', '\t', '\r\n', '\n', '\n\n', '\v', '\u00a0', '\\\n', ' \\\r\n', '\r'];

export const latin = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
export const ofLatin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

/** Makes a mutator that changes one match of a pattern. */
function changeMatch(
  pattern: RegExp,
  change: (match: string, context: MutationContext, all: RegExpMatchArray[]) => string,
): Mutator {
  return (bytes, context) => {
    const all = [...latin(bytes).matchAll(pattern)];
    if (all.length === 0) return bytes.slice();
    const match = all[context.random.below(all.length)];
    return replaced(
      bytes,
      match.index!,
      match.index! + match[0].length,
      ofLatin(change(match[0], context, all)),
    );
  };
}

const WORD = /[^\s]+/g;
const NUMBER = /[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/g;
const LINE = /[^\n]*\n|[^\n]+$/g;

const changeNumber = changeMatch(NUMBER, (match, { random }) => {
  const value = Number(match);
  const values = [
    NUMBERS[random.below(NUMBERS.length)],
    String(value + random.below(5) - 2),
    String(-value),
    String(value * 10 ** (random.below(9) - 4)),
    `${match}${random.below(10)}`,
    String(random.between(-10, 10)),
    String(random.below(1000)),
  ];
  return values[random.below(values.length)];
});

const changeWord = changeMatch(WORD, (match, { random, dictionary }, all) => {
  const words = [
    '',
    `${match} ${match}`,
    match.toUpperCase(),
    match.toLowerCase(),
    all[random.below(all.length)][0],
    dictionary[random.below(dictionary.length)] ?? '',
    `${match} ${dictionary[random.below(dictionary.length)] ?? ''}`,
    `#${match}`,
  ];
  return words[random.below(words.length)];
});

const changeBlank = changeMatch(/\s+/g, (match, { random }) =>
  random.below(4) === 0 ? match + match : BLANKS[random.below(BLANKS.length)],
);

const changeLine = changeMatch(LINE, (match, { random, dictionary, other }, all) => {
  const others = latin(other).match(LINE) ?? [''];
  const lines = [
    '',
    match + match,
    match + all[random.below(all.length)][0],
    all[random.below(all.length)][0],
    match + others[random.below(others.length)],
    others[random.below(others.length)],
    `${dictionary[random.below(dictionary.length)] ?? ''} ${match}`,
    `${match.trimEnd()}\r\n`,
  ];
  return lines[random.below(lines.length)];
});

export const textMutators: readonly Mutator[] = [
  changeNumber,
  changeNumber,
  changeWord,
  changeBlank,
  changeLine,
  changeLine,
];
