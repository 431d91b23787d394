// Lists error bounds of the shaders, each made too small: a constant divided by 16 or a term removed. The checks of
// precisionSites.ts must find each mutant, unless the list gives a reason why no input can show the difference.

import type { Edit } from './wgslFunctions.js';

/** site: the beginning of the name of the site that must find the mutant. why: why none can. */
export interface Mutant extends Edit {
  site: string;
  why?: string;
}

const mutant = (site: string, file: string, from: string, to: string, why?: string): Mutant => ({
  site,
  file,
  from,
  to,
  ...(why === undefined ? {} : { why }),
});

const PRODUCTS =
  'dotError allows for 64 roundings of a product, of which at most 39 occur in any order of the additions';
const BEHIND = 'the error of `behind` alone contains more roundings of the same size';
const RARE =
  'only motions in which differences add up to a sum of about 2^-63, a thousand times shorter than each of them, could show it, and the search does not reach them';
const DIRECTION =
  'the error of the first direction contains five roundings of this size, which are added to each error after it';

export const mutants: readonly Mutant[] = [
  // bounds.wgsl
  mutant('bounds', 'bounds', '2.0625 * (', '0.5 * ('),
  mutant('bounds', 'bounds', '0x1p-20 * (sizeA * sizeB) + 0x1p-116', '0x1p-116'),
  mutant('bounds', 'bounds', '0x1p-20 * (sizeA * sizeB) + 0x1p-116', '0x1p-22 * (sizeA * sizeB) + 0x1p-116'),
  mutant('bounds', 'bounds', '0x1p-20 * (sizeA * sizeB) + 0x1p-116', '0x1p-20 * (sizeA * sizeB)'),
  mutant('bounds', 'bounds', '3.0625 * (', '0.75 * ('),
  mutant('bounds', 'bounds', '0x1p-17 * (sizeA * sizeB) + 0x1p-116', '0x1p-21 * (sizeA * sizeB) + 0x1p-116'),
  mutant('bounds', 'bounds', '0x1p-17 * (sizeA * sizeB) + 0x1p-116', '0x1p-17 * (sizeA * sizeB)'),
  // filterTriTri.wgsl
  mutant('filterTriTri:', 'bounds', '2.0625 * (', '0.5 * ('),
  mutant('filterTriTri:', 'bounds', '3.0625 * (', '0.75 * ('),
  mutant(
    'filterTriTri:',
    'bounds',
    '0x1p-17 * (sizeA * sizeB) + 0x1p-116',
    '0x1p-21 * (sizeA * sizeB) + 0x1p-116',
    PRODUCTS,
  ),
  mutant('filterTriTri:', 'filterTriTri', '2.0 * errorA + 0x1p-22 * sizeA', '0.5 * errorA + 0x1p-22 * sizeA'),
  mutant('filterTriTri:', 'filterTriTri', '2.0 * errorA + 0x1p-22 * sizeA', '2.0 * errorA', PRODUCTS),
  mutant('filterTriTri:', 'filterTriTri', 'errorA + errorB + 0x1p-22 * sizeB', 'errorA + 0x1p-22 * sizeB'),
  mutant('filterTriTri:', 'filterTriTri', 'errorA + errorB + 0x1p-22 * sizeB', 'errorB + 0x1p-22 * sizeB'),
  mutant('filterTriTri:', 'filterTriTri', 'errorA + errorB + 0x1p-22 * sizeB', 'errorA + errorB', PRODUCTS),
  mutant('filterTriTri:', 'filterTriTri', '3.0 * tauV + tauO', '0.5 * tauO'),
  mutant('filterTriTri:', 'filterTriTri', '2.0 * (tauD + tauV)', '0.25 * (tauD + tauV)'),
  mutant(
    'filterTriTri:',
    'filterTriTri',
    'dotError(moment, momentError, sizeA, offA)',
    'dotError(moment, 0.0625 * momentError, sizeA, offA)',
  ),
  mutant(
    'filterTriTri:',
    'filterTriTri',
    'dotError(moment, momentError, sizeB, offB)',
    'dotError(moment, 0.0625 * momentError, sizeB, offB)',
  ),
  // separatesInPlane.wgsl
  mutant('separatesInPlane', 'separatesInPlane', 'error + 0x1p-22 * size)', '0.25 * error + 0x1p-22 * size)'),
  mutant('separatesInPlane', 'separatesInPlane', 'error + 0x1p-22 * size)', 'error)', PRODUCTS),
  mutant('separatesInPlane', 'separatesInPlane', '2.0 * error + 0x1p-22', '0.25 * error + 0x1p-22'),
  mutant('separatesInPlane', 'separatesInPlane', 'let outError = ', 'let outError = 0.0625 * '),
  mutant('separatesInPlane', 'separatesInPlane', 'let normalError = ', 'let normalError = 0.0625 * '),
  mutant('separatesInPlane', 'separatesInPlane', 'let below = -', 'let below = -0.0625 * '),
  // placedTriangles.wgsl and testLeafPairs.wgsl
  mutant(
    'placedTriangles',
    'placedTriangles',
    '(*at).localError * maxAbsOf(own)',
    '0.0625 * (*at).localError * maxAbsOf(own)',
  ),
  mutant(
    'placedTriangles',
    'placedTriangles',
    '(*at).offsetError * maxAbs(offset)',
    '0.0625 * (*at).offsetError * maxAbs(offset)',
  ),
  mutant(
    'placedTriangles',
    'placedTriangles',
    'let error = (*at).pointErrorB',
    'let error = 0.0 * (*at).pointErrorB',
  ),
  mutant('placedTriangles', 'placedTriangles', 'settled(o - a, (*at).zero)', 'o - a'),
  mutant(
    'filterTriTri and',
    'placedTriangles',
    'return settled(vec3(dot((*at).toA0.xyz, d), dot((*at).toA1.xyz, d), dot((*at).toA2.xyz, d)) + offset, (*at).zero)',
    'return vec3(dot((*at).toA0.xyz, d), dot((*at).toA1.xyz, d), dot((*at).toA2.xyz, d)) + offset',
  ),
  mutant('testLeafPairs', 'testLeafPairs', 'let slack = 2.0', 'let slack = 0.125'),
  mutant('testLeafPairs', 'testLeafPairs', '0x1p-21 * (*a).size', '0x1p-25 * (*a).size'),
  mutant('testLeafPairs', 'testLeafPairs', '0x1p-21 * (*a).size + b.error', '0x1p-21 * (*a).size'),
  // boxes.wgsl
  mutant('boxes', 'boxes', 'dot(r0.xyz, v) + r0.w', 'dot(r0.xyz, v)'),
  // farApart.wgsl
  mutant('farApart', 'farApart', '(1f + 4f * ULP)', '(1f)'),
  mutant('farApart', 'farApart', ' + 2f * params.pointError;', ' + 0.25f * params.pointError;'),
  mutant('farApart', 'farApart', '1.01f * ULP * (5f', '0.0631f * ULP * (5f'),
  mutant('farApart', 'farApart', '+ 8f * params.pointError);', '+ 0.5f * params.pointError);'),
  mutant('farApart', 'farApart', '40f * ULP * maxSize', '2.5f * ULP * maxSize'),
  mutant('farApart', 'farApart', 'maxSize + 8f * params.pointError;', 'maxSize + 0.5f * params.pointError;'),
  mutant('farApart', 'farApart', 'sideError.yzx + 0x1p-122f', 'sideError.yzx'),
  mutant('farApart', 'farApart', '72f * ULP', '4.5f * ULP'),
  mutant('farApart', 'farApart', '10f * params.pointError', '0.625f * params.pointError'),
  mutant('farApart', 'farApart', ' + MIN_HEIGHT;', ';'),
  mutant('farApart', 'farApart', 'LENGTH_ERROR * length', '0f * length'),
  mutant('farApart', 'farApart', '3f * (direction.error.x', '0.1875f * (direction.error.x'),
  mutant('farApart', 'farApart', 'if (square < MIN_SQUARE)', 'if (square < 0f)'),
  mutant('farApart', 'farApart', '2.1f * dot(direction.error', '0.13f * dot(direction.error'),
  mutant('farApart', 'farApart', 'let behindError = 1.01f', 'let behindError = 0.0631f'),
  mutant('farApart', 'farApart', '2.1f * dot(reach, behindError)', '0.13f * dot(reach, behindError)'),
  mutant('farApart', 'farApart', '4f * ULP * square + 0x1p-120f', '0x1p-120f', BEHIND),
  mutant('farApart', 'farApart', '4f * ULP * square + 0x1p-120f', '4f * ULP * square', RARE),
  mutant('farApart', 'farApart', 'let alongError = 1.01f', 'let alongError = 0f'),
  mutant(
    'farApart',
    'farApart',
    '4f * ULP * dot(abs(direction.along), reach) + 0x1p-120f',
    '0x1p-120f',
    BEHIND,
  ),
  mutant(
    'farApart',
    'farApart',
    '4f * ULP * dot(abs(direction.along), reach) + 0x1p-120f',
    '4f * ULP * dot(abs(direction.along), reach)',
    RARE,
  ),
  mutant('farApart', 'farApart', '1.25f * (ROTATION', '0.0781f * (ROTATION'),
  mutant('farApart', 'farApart', '+ 8f * ULP * abs(share)', '', BEHIND),
  mutant('farApart', 'farApart', 'direction.error += 1.01f', 'direction.error += 0.0631f'),
  mutant(
    'farApart',
    'farApart',
    '4f * ULP * (abs(direction.along) + abs(share) * reach) + 0x1p-120f',
    '0x1p-120f',
    DIRECTION,
  ),
  mutant(
    'farApart',
    'farApart',
    '4f * ULP * (abs(direction.along) + abs(share) * reach) + 0x1p-120f',
    '4f * ULP * (abs(direction.along) + abs(share) * reach)',
    RARE,
  ),
  // neverCoplanar.wgsl
  mutant('farApart', 'neverCoplanar', '640f * ', '40f * '),
  mutant('farApart', 'neverCoplanar', '24f * params.pointError', '1.5f * params.pointError'),
  mutant('farApart', 'neverCoplanar', ' + MIN_VOLUME', ''),
  // filterBodyPairs.wgsl
  mutant('filterBodyPairs: planes', 'filterBodyPairs', '4.0 * params.pointError', '0.25 * params.pointError'),
  mutant('filterBodyPairs: planes', 'filterBodyPairs', '0x1p-18 * size', '0x1p-24 * size'),
  mutant('filterBodyPairs: planes', 'filterBodyPairs', ' + 0x1p-122', ''),
];
