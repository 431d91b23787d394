// Fuzz targets for the readers of OBJ, STL and PLY files.

import { binaryStl, squarePly } from '../../formats/smallFiles.js';
import { byteMutators } from '../mutators/bytes.js';
import { latin, ofLatin, textMutators } from '../mutators/text.js';
import {
  allCorners,
  checkParts,
  type ReadFile,
  read,
  requireAgreement,
  requireCorners,
  requireSameNumbers,
  requireSameParts,
} from '../oracles/parts.js';
import { slowObj } from '../oracles/slowObj.js';
import { cornersOf, slowPly, writePly } from '../oracles/slowPly.js';
import { hasPlainLines, slowStl } from '../oracles/slowStl.js';
import { require, type Target } from '../target.js';
import { dataFiles } from './seeds.js';

export const lines = (...all: string[]): Uint8Array => ofLatin([...all, ''].join('\n'));

/** Reads a file twice, compares the results, and checks the rules that all formats share. */
export function readTwice(name: string, bytes: Uint8Array): ReadFile | undefined {
  const file = read(name, bytes);
  if (!file) return undefined;
  checkParts(file.parts);
  requireSameParts('the second read', read(name, bytes), file.parts);
  return file;
}

export const obj: Target = {
  name: 'OBJ',
  covers:
    /^formats\/(obj|objParts|objStatements|textScanner|vertexPicker|growingList|uniqueNames|memoryBudget)\.js$/,
  mutants: 25_000,
  maxBytes: 4096,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    'v',
    'vt',
    'vn',
    'vp',
    'f',
    'fo',
    'g',
    'o',
    's',
    'p',
    'l',
    'curv',
    'curv2',
    'surf',
    'mg',
    'usemtl',
    'mtllib',
    'usemap',
    'maplib',
    'bevel',
    'c_interp',
    'lod',
    'shadow_obj',
    'ctech',
    'cstype',
    'deg',
    'bmat',
    'step',
    'parm',
    'trim',
    'end',
    'con',
    'sp',
    'call',
    'csh',
    'cdc',
    'bzp',
    'res',
    '1/1/1',
    '1//1',
    '-1',
    '-3 -2 -1',
    '1 2 3',
    '4 4',
    '/',
    '//',
    '#',
    '\\\n',
    '\0',
    'f 1 2 3',
    'v 0 0 0',
    'o a',
    'g b',
    'default',
    'nan',
    '(null)',
  ], // prettier-ignore
  seeds: () => [
    lines(
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
    ),
    lines(
      '4 1',
      'v 0 0 0 1',
      'v 1 0 0 0.5 0.5 0.5',
      'v 1 1 \\',
      '0',
      'v 0 1 0 1 1 1 1',
      'f 1//1 2//1 \\',
      '3//1 4//1',
      'p 1 2',
      'l 1/1 2/2',
    ),
    lines('g a', 'f 1 2 3', 'o b', 'f 3 2 1', 'v 0 0 0', 'v 1e-3 .5 5.', 'v +1 -0 1E2', 'g a', 'f -3 -2 -1'),
    ...dataFiles('malformed/hand/obj', /\.obj$/),
    ...dataFiles('malformed/peers', /\.obj$/),
  ], // prettier-ignore
  check(bytes) {
    const file = readTwice('file.obj', bytes);
    const text = latin(bytes);
    requireAgreement(file, slowObj(text));
    if (!file) return false;
    // Blanks and comments between two lines change nothing, unless a backslash continues the first line.
    const spaced = text.replace(/(?<=[^\\\r])(\r?\n)(?=.)/g, '$1  \t\n# comment\r\n \t');
    if (text.includes('\n') && !/\\\r*\n/.test(text))
      requireSameParts('with comments', read('file.obj', ofLatin(spaced)), file.parts);
    return true;
  },
};

export const stl: Target = {
  name: 'STL',
  covers: /^formats\/(stl|textScanner|growingList|uniqueNames|memoryBudget)\.js$/,
  mutants: 37_500,
  maxBytes: 4096,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    'solid',
    'endsolid',
    'facet',
    'normal',
    'outer',
    'loop',
    'vertex',
    'endloop',
    'endfacet',
    'facet normal 0 0 1',
    'vertex 0 0 0',
    'solid a\n',
    'endsolid\n',
    'nan',
    '-nan(ind)',
    '1.#QNAN',
    'inf',
    '\0',
  ], // prettier-ignore
  seeds: () => [
    binaryStl([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]),
    ...['', ' name'].map(name =>
      lines(
        ...Array<string[]>(name ? 2 : 1)
          .fill([
            `solid${name}`,
            'facet normal 0 0 1',
            'outer loop',
            'vertex 0 0 0',
            'vertex 1 0 0',
            'vertex 1 1 -0',
            'endloop',
            'endfacet',
            `endsolid${name}`,
          ])
          .flat(),
      ),
    ),
    ...dataFiles('malformed/hand/stl', /\.stl$/),
    ...dataFiles('malformed/peers', /\.stl$/),
  ], // prettier-ignore
  check(bytes) {
    const file = readTwice('file.stl', bytes);
    const expected = slowStl(bytes);
    // pfront's reader refuses some line breaks that the slow reader ignores. So a file that
    // only pfront's reader refuses fails this check only if each of its statements is on its own line.
    const isKnown = expected === 'refused' || file !== undefined || hasPlainLines(bytes);
    if (isKnown) requireAgreement(file, expected);
    if (!file) return false;
    const corners = allCorners(file.parts);
    const [binary] = [read('file.stl', binaryStl(corners))];
    require(binary !== undefined, () => 'a binary STL file of the same triangles is refused');
    requireSameNumbers('in binary', allCorners(binary.parts), corners);
    return true;
  },
};

export const ply: Target = {
  name: 'PLY',
  covers: /^formats\/(ply|plyHeader|plyRows|textScanner|growingList|memoryBudget)\.js$/,
  mutants: 37_500,
  maxBytes: 4096,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    'ply',
    'format ascii 1.0',
    'format binary_little_endian 1.0',
    'format binary_big_endian 1.0',
    'comment',
    'obj_info',
    'element vertex 4',
    'element face 1',
    'element tristrips 1',
    'element edge 0',
    'property float x',
    'property double y',
    'property uchar red',
    'property list uchar int vertex_indices',
    'property list int int vertex_index',
    'property list uchar float texcoord',
    'end_header\n',
    'char',
    'uchar',
    'short',
    'ushort',
    'int',
    'uint',
    'float',
    'double',
    'int8',
    'uint8',
    'float32',
    'float64',
    'list',
    'x',
    'y',
    'z',
    '-1',
    '3 0 1 2',
    '4 0 1 2 3',
  ], // prettier-ignore
  seeds: () => [
    squarePly(),
    squarePly(true),
    squarePly(false),
    lines(
      'ply',
      'format ascii 1.0',
      'element vertex 4',
      'property double z',
      'property float32 y',
      'property short x',
      'element tristrips 1',
      'property list int int vertex_indices',
      'element edge 1',
      'property list uchar float a',
      'end_header',
      '0 0 0',
      '0 0 1',
      '1e-3 1 1',
      '.5 -1 0',
      '6 0 1 2 -1 3 2',
      '2 0.5 1',
    ),
    ...dataFiles('malformed/hand/ply', /\.ply$/),
    ...dataFiles('malformed/peers', /\.ply$/),
  ], // prettier-ignore
  check(bytes) {
    const file = readTwice('file.ply', bytes);
    if (!file) return false;
    const slow = slowPly(bytes);
    if (!slow) return true;
    const corners = cornersOf(slow);
    if (corners) requireCorners(file.parts, corners);
    for (const format of ['ascii', 'binary_little_endian', 'binary_big_endian'] as const) {
      // Properties other than coordinates may be NaN or infinite, which writePly does not support in text.
      const areFinite = slow.elements.every(({ rows }) => rows.flat(2).every(Number.isFinite));
      if (format === slow.format || !areFinite) continue;
      const other = read('file.ply', writePly(slow, format));
      require(other !== undefined, () => `the same file in format ${format} is refused`);
      requireSameNumbers(`as ${format}`, allCorners(other.parts), allCorners(file.parts));
    }
    return true;
  },
};
