// Makes and reads seeded mutants of an IFC file: copies in which one byte or one token is changed, removed or
// doubled. A token may be replaced by another token of the file or by a token of a fixed list.
import * as library from 'web-ifc';
import { readModel } from '../../dist/formats/ifcModel.js';
import { InvalidFile, type Part } from '../../dist/formats/part.js';

export interface Mutant {
  seed: number;
  change: string;
  text: string;
}

const TOKEN =
  /'(?:[^']|'')*'|\.[A-Z_0-9]+\.|#\d+|[A-Z][A-Z0-9_]*|[-+]?\d+(?:\.\d*)?(?:E[-+]?\d+)?|[$*(),;=]/g;
// Replacement tokens of every kind. Among them are text, a number that overflows to infinity, a reference to
// a missing entity, and a reference to the project.
const FOREIGN = [
  "'text'",
  '$',
  '*',
  '-1.',
  '0.',
  '1.E400',
  '7',
  '.T.',
  '#999999',
  '#1',
  '(',
  ')',
  '()',
  '(1.,2.)',
  'IFCWALL',
  'IFCNOTHING',
  "IFCLABEL('x')",
];

function randomOf(seed: number): (below: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Makes the mutant of a seed. Only the data section is changed. */
export function mutantOf(text: string, seed: number): Mutant {
  const random = randomOf(seed);
  const begin = text.indexOf('DATA;') + 6;
  const end = text.lastIndexOf('ENDSEC;');
  return seed % 2 === 0
    ? ofByte(text, seed, begin + random(end - begin), random)
    : ofToken(text, seed, begin, end, random);
}

function ofByte(text: string, seed: number, at: number, random: (below: number) => number): Mutant {
  const old = text[at];
  const replacements = [
    String.fromCharCode(old.charCodeAt(0) ^ (1 << random(7))),
    String.fromCharCode(32 + random(95)),
    '',
    old + old,
  ];
  const value = replacements[random(replacements.length)];
  return {
    seed,
    change: `byte ${at}: ${JSON.stringify(old)} replaced by ${JSON.stringify(value)} in ${lineAt(text, at)}`,
    text: text.slice(0, at) + value + text.slice(at + 1),
  };
}

function ofToken(
  text: string,
  seed: number,
  begin: number,
  end: number,
  random: (below: number) => number,
): Mutant {
  const tokens = [...text.slice(begin, end).matchAll(TOKEN)];
  const { 0: old, index } = tokens[random(tokens.length)];
  const others = [
    tokens[random(tokens.length)][0],
    FOREIGN[random(FOREIGN.length)],
    FOREIGN[random(FOREIGN.length)],
    '',
    `${old}${old}`,
    `${old},${old}`,
  ];
  const value = others[random(others.length)];
  const at = begin + index;
  return {
    seed,
    change: `token ${old} replaced by ${value} in ${lineAt(text, at)}`,
    text: text.slice(0, at) + value + text.slice(at + old.length),
  };
}

function lineAt(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, text.indexOf('\n', at));
}

/** Reads a text as `readHere` does; returns the numbers of parts and triangles. */
export async function readMutant(
  text: string,
): Promise<{ parts: number; triangles: number; isReported: boolean }> {
  const { parts, isReported } = await readHere(text);
  return {
    parts: parts.length,
    triangles: parts.reduce((sum, { indices }) => sum + indices.length / 3, 0),
    isReported,
  };
}

/**
 * Reads an IFC text in this thread, because a worker for each text would take half a second. isReported:
 * whether the reader refuses the file or reports a fault.
 */
export async function readHere(text: string): Promise<{ parts: Part[]; isReported: boolean }> {
  const logged: string[] = [];
  const { log } = console;
  console.log = (...words: unknown[]) => {
    logged.push(words.join(' '));
  };
  let isReported = false;
  try {
    const { parts, unread } = await readModel(new Uint8Array(Buffer.from(text, 'latin1')), {
      library,
      onWarning: () => {
        isReported = true;
      },
      onProgress() {},
      skip: new Map(),
      takeErrors: () => logged.splice(0),
    });
    return { parts, isReported: isReported || unread.length > 0 };
  } catch (error) {
    if (error instanceof InvalidFile) return { parts: [], isReported: true };
    // The worker that reads IFC files converts errors that web-ifc throws to InvalidFile, so such errors count
    // as reported here, too.
    const firstFrame = /^\s*at .*$/m.exec(String((error as Error)?.stack))?.[0] ?? '';
    if (typeof error === 'number' || /wasm|web-ifc/.test(firstFrame)) return { parts: [], isReported: true };
    throw error;
  } finally {
    console.log = log;
  }
}
