// Tests small valid files in which one byte or word was changed. The reader must refuse such a file or give
// the same triangles as before. Other triangles are allowed only if the change affects a number, turns an OBJ
// statement into another one, or causes a warning.

import * as assert from 'uvu/assert';
import { InvalidFile, parseParts } from '../../dist/formats/readParts.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { binaryStl, corners, glb, squareGltf, squarePly, text } from './smallFiles.js';

const ROUNDS = 4000;
const FACETS = ['0 0 0,1 0 0,1 1 0', '0 0 0,1 1 0,0 1 0'].flatMap(vertices => [
  'facet normal 0 0 1',
  'outer loop',
  ...vertices.split(',').map(vertex => `vertex ${vertex}`),
  'endloop',
  'endfacet',
]);
const OBJ = text(
  '# square',
  'mtllib a.mtl',
  'o Square',
  'v 0 0 0',
  'v 1 0 0',
  'v 1 1 0',
  'v 0 1 0',
  'vt 0 0',
  'vn 0 0 1',
  'usemtl red',
  's off',
  'g left',
  'f 1/1/1 2/1/1 3/1/1',
  'g right',
  'f -4 -2 -1',
  '',
);
const STL = text('solid a', ...FACETS, 'endsolid a', '');

function squareGlb(): Uint8Array {
  const { json, binary } = squareGltf();
  json.nodes[0].translation = [1, 2, 3];
  Object.assign(json.accessors[1], { min: [0], max: [3] });
  return glb(json, binary);
}

/** dataAt: the offset at which the numbers of a binary file begin; Infinity for text files. */
const FILES: { name: string; bytes: Uint8Array; dataAt: number }[] = [
  { name: 'square.obj', bytes: OBJ, dataAt: Infinity },
  { name: 'text.ply', bytes: squarePly(), dataAt: Infinity },
  { name: 'little.ply', bytes: squarePly(true), dataAt: squarePly(true).length - 69 },
  { name: 'text.stl', bytes: STL, dataAt: Infinity },
  {
    name: 'binary.stl',
    bytes: binaryStl([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]),
    dataAt: 84,
  },
  { name: 'square.glb', bytes: squareGlb(), dataAt: squareGlb().length - 60 },
];

interface Outcome {
  shape?: string;
  notes: number;
}

/**
 * Reads a file. shape: the corners and the placement of every part as text, or undefined if the file is
 * refused. notes: the number of warnings.
 */
function read(name: string, bytes: Uint8Array): Outcome {
  let notes = 0;
  try {
    const parts = parseParts(name, bytes, undefined, {
      onWarning: () => {
        notes++;
      },
    });
    return { shape: JSON.stringify(parts.map(part => [corners(part), [...part.transform]])), notes };
  } catch (error) {
    assert.instance(error, InvalidFile, `${name}: ${(error as Error).stack}`);
    return { notes };
  }
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const isNumberText = (character: string): boolean => /[\d.eE+\s-]/.test(character);
const OBJ_STATEMENT = /^(#.*|(v|vt|vn|f|g|o|s|p|l|usemtl|mtllib)\s.*)$/s;

// Returns whether the change replaced a statement of an OBJ file by another one, which a reader cannot
// detect.
function isOtherStatement(name: string, before: string, after: string, at: number): boolean {
  const lineOf = (content: string): string =>
    content.slice(content.lastIndexOf('\n', at - 1) + 1, at + content.slice(at).search(/\n|$/));
  const [old, changed] = [lineOf(before), lineOf(after)];
  return (
    name.endsWith('.obj') &&
    old !== '' &&
    OBJ_STATEMENT.test(old) &&
    OBJ_STATEMENT.test(changed) &&
    /^\S*/.exec(old)![0] !== /^\S*/.exec(changed)![0]
  );
}

function changeByte(random: Random, bytes: Uint8Array): { bytes: Uint8Array; at: number } {
  const copy = bytes.slice();
  const at = random.below(bytes.length);
  // Half of the changes flip one bit, like faults of memory and disks.
  copy[at] = random.below(2) === 0 ? copy[at] ^ (1 << random.below(8)) : random.below(256);
  return { bytes: copy, at };
}

for (const { name, bytes, dataAt } of FILES) {
  test(`${name}: after a change of one byte, the file is refused or gives the same triangles, unless the change affects a number, replaces a statement or causes a warning`, () => {
    const random = createRandom(20);
    const whole = read(name, bytes);
    const before = latin(bytes);
    let refusals = 0;
    let changes = 0;
    for (let iteration = 0; iteration < ROUNDS; iteration++) {
      const { bytes: mutant, at } = changeByte(random, bytes);
      const { shape, notes } = read(name, mutant);
      const after = latin(mutant);
      if (shape === undefined) refusals++;
      if (shape === undefined || shape === whole.shape) continue;
      changes++;
      const isNumber = at >= dataAt || (isNumberText(before[at]) && isNumberText(after[at]));
      const around = (content: string): string =>
        JSON.stringify(content.slice(Math.max(0, at - 20), at + 20));
      assert.ok(
        isNumber || notes > whole.notes || isOtherStatement(name, before, after, at),
        `byte ${at}: ${around(before)} became ${around(after)}`,
      );
    }
    assert.ok(refusals > 0 && changes > 0, `${refusals} refusals, ${changes} changes`);
  });
}

test('text files in which one word is omitted, doubled or has its letter case swapped are refused, or give the same triangles', () => {
  for (const { name, bytes } of FILES.filter(({ dataAt }) => dataAt === Infinity)) {
    const { shape: whole } = read(name, bytes);
    const content = latin(bytes);
    for (const { 0: word, index } of content.matchAll(/\S+/g)) {
      const swapped = [...word]
        .map(letter => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
        .join('');
      for (const other of ['', `${word} ${word}`, swapped]) {
        const mutant = content.slice(0, index) + other + content.slice(index + word.length);
        // Skips repeated corners of OBJ faces: they add a triangle without area, which is no error.
        if (other.includes(' ') && /f [^\n]*$/.test(content.slice(0, index))) continue;
        const { shape } = read(name, Buffer.from(mutant, 'latin1'));
        assert.ok(
          shape === undefined || shape === whole,
          `${name} with ${JSON.stringify(other)} for ${JSON.stringify(word)} at ${index}`,
        );
      }
    }
  }
});

test.run();
