// Lists mutants of the shaders. Each mutant weakens an error bound, a box or another protection against
// rounding errors: a constant is reduced, or a part of an expression is removed. The checks of
// precisionSites.ts must find each mutant, except those for which a reason is given.

import type { Edit } from './wgslFunctions.js';

/**
 * site: the beginning of the name of the site (see precisionSites.ts) whose checks run on the mutant. why: the
 * reason why these checks cannot find the mutant, or undefined if they must find it.
 */
export interface Mutant extends Edit {
  site: string;
  why: string | undefined;
}

const PRODUCTS =
  'dotError allows for 64 roundings of a product, of which at most 39 occur in any order of the additions';
const BEHIND = 'the error of `behind` alone contains more roundings of the same size';
const RARE =
  'only motions in which differences add up to a sum of about 2^-63, a thousand times shorter than each of them, could show it, and the search does not reach them';
const DIRECTION =
  'the error of the first direction contains five roundings of this size, which are added to each error after it';

/**
 * Mutants by site and file. Each row has a text of the file, its replacement and, if no check finds the mutant,
 * the reason.
 */
interface Group {
  site: string;
  file: string;
  rows: readonly (readonly [from: string, to: string, why?: string])[];
}

const groups: readonly Group[] = [
  {
    site: 'bounds',
    file: 'bounds',
    rows: [
      ['2.0625 * (', '0.5 * ('],
      ['0x1p-20 * (sizeA * sizeB) + ', ''],
      ['0x1p-20 *', '0x1p-22 *'],
      ['0x1p-20 * (sizeA * sizeB) + 0x1p-116', '0x1p-20 * (sizeA * sizeB)'],
      ['3.0625 * (', '0.75 * ('],
      ['0x1p-17 *', '0x1p-21 *'],
      ['0x1p-17 * (sizeA * sizeB) + 0x1p-116', '0x1p-17 * (sizeA * sizeB)'],
    ],
  },
  {
    site: 'filterTriTri:',
    file: 'bounds',
    rows: [
      ['2.0625 * (', '0.5 * ('],
      ['3.0625 * (', '0.75 * ('],
      ['0x1p-17 *', '0x1p-21 *', PRODUCTS],
    ],
  },
  {
    site: 'filterTriTri:',
    file: 'filterTriTri',
    rows: [
      ['2.0 * errorA', '0.5 * errorA'],
      [' + 0x1p-22 * sizeA', '', PRODUCTS],
      ['errorA + errorB', 'errorA'],
      ['errorA + errorB', 'errorB'],
      [' + 0x1p-22 * sizeB', '', PRODUCTS],
      ['3.0 * tauV + tauO', '0.5 * tauO'],
      ['2.0 * (tauD + tauV)', '0.25 * (tauD + tauV)'],
      ['momentError, sizeA', '0.0625 * momentError, sizeA'],
      ['momentError, sizeB', '0.0625 * momentError, sizeB'],
    ],
  },
  {
    site: 'separatesInPlane',
    file: 'separatesInPlane',
    rows: [
      ['error + 0x1p-22 * size)', '0.25 * error + 0x1p-22 * size)'],
      [' + 0x1p-22 * size)', ')', PRODUCTS],
      ['2.0 * error', '0.25 * error'],
      ['let outError = ', 'let outError = 0.0625 * '],
      ['let normalError = ', 'let normalError = 0.0625 * '],
      ['let below = -', 'let below = -0.0625 * '],
    ],
  },
  {
    site: 'placedTriangles',
    file: 'placedTriangles',
    rows: [
      ['(*at).localError', '0.0625 * (*at).localError'],
      ['(*at).offsetError', '0.0625 * (*at).offsetError'],
      ['(*at).pointErrorB', '0.0 * (*at).pointErrorB'],
      ['settled(o - a, (*at).zero)', 'o - a'],
    ],
  },
  {
    site: 'filterTriTri and',
    file: 'placedTriangles',
    rows: [
      [
        'return settled(vec3(dot((*at).toA0.xyz, d), dot((*at).toA1.xyz, d), dot((*at).toA2.xyz, d)) + offset, (*at).zero)',
        'return vec3(dot((*at).toA0.xyz, d), dot((*at).toA1.xyz, d), dot((*at).toA2.xyz, d)) + offset',
      ],
    ],
  },
  {
    site: 'testLeafPairs',
    file: 'testLeafPairs',
    rows: [
      ['let slack = 2.0', 'let slack = 0.125'],
      ['0x1p-21 * (*a).size', '0x1p-25 * (*a).size'],
      [' + b.error', ''],
    ],
  },
  { site: 'boxes', file: 'boxes', rows: [['dot(r0.xyz, v) + r0.w', 'dot(r0.xyz, v)']] },
  {
    site: 'farApart',
    file: 'farApart',
    rows: [
      ['(1f + 4f * ULP)', '(1f)'],
      [' + 2f * params.pointError;', ' + 0.25f * params.pointError;'],
      ['1.01f * ULP * (5f', '0.0631f * ULP * (5f'],
      ['+ 8f * params.pointError);', '+ 0.5f * params.pointError);'],
      ['40f * ULP * maxSize', '2.5f * ULP * maxSize'],
      ['maxSize + 8f * params.pointError;', 'maxSize + 0.5f * params.pointError;'],
      ['sideError.yzx + 0x1p-122f', 'sideError.yzx'],
      ['72f * ULP', '4.5f * ULP'],
      ['10f * params.pointError', '0.625f * params.pointError'],
      [' + MIN_HEIGHT;', ';'],
      ['LENGTH_ERROR * length', '0f * length'],
      ['3f * (direction.error.x', '0.1875f * (direction.error.x'],
      ['if (square < MIN_SQUARE)', 'if (square < 0f)'],
      ['2.1f * dot(direction.error', '0.13f * dot(direction.error'],
      ['let behindError = 1.01f', 'let behindError = 0.0631f'],
      ['2.1f * dot(reach, behindError)', '0.13f * dot(reach, behindError)'],
      ['4f * ULP * square + ', '', BEHIND],
      ['square + 0x1p-120f', 'square', RARE],
      ['let alongError = 1.01f', 'let alongError = 0f'],
      ['4f * ULP * dot(abs(direction.along), reach) + ', '', BEHIND],
      ['dot(abs(direction.along), reach) + 0x1p-120f', 'dot(abs(direction.along), reach)', RARE],
      ['1.25f * (ROTATION', '0.0781f * (ROTATION'],
      ['+ 8f * ULP * abs(share)', '', BEHIND],
      ['direction.error += 1.01f', 'direction.error += 0.0631f'],
      ['4f * ULP * (abs(direction.along) + abs(share) * reach) + ', '', DIRECTION],
      ['abs(share) * reach) + 0x1p-120f', 'abs(share) * reach)', RARE],
    ],
  },
  {
    site: 'farApart',
    file: 'neverCoplanar',
    rows: [
      ['640f * ', '40f * '],
      ['24f * params.pointError', '1.5f * params.pointError'],
      [' + MIN_VOLUME', ''],
    ],
  },
  {
    site: 'filterBodyPairs: planes',
    file: 'filterBodyPairs',
    rows: [
      ['4.0 * params.pointError', '0.25 * params.pointError'],
      ['0x1p-18 * size', '0x1p-24 * size'],
      [' + 0x1p-122', ''],
    ],
  },
  {
    site: 'traverseMoving',
    file: 'traverseMoving',
    rows: [
      ['box.center * (*at).frame.w + (*at).frame.xyz', 'box.center * (*at).frame.w'],
      ['box.half * (*at).frame.w', '0.99 * box.half * (*at).frame.w'],
      ['abs(r1)', 'r1'],
      ['box.half) + params.margin', 'box.half)'],
      ['box.half) + params.margin', 'box.half) + 0.99 * params.margin'],
      ['min(start.low, end.low)', 'start.low'],
      ['max(start.high, end.high)', 'end.high'],
    ],
  },
];

export const mutants: readonly Mutant[] = groups.flatMap(({ site, file, rows }) =>
  rows.map(([from, to, why]) => ({ site, file, from, to, why })),
);
