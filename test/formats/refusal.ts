// Helps to test the readers of files: makes GLB files with changed content, and returns the error with which
// a reader refuses a broken file.

import * as assert from 'uvu/assert';
import { CollisionError } from '../../dist/core/errors.js';
import { InvalidFile, parseParts } from '../../dist/formats/readParts.js';
import { glb, squareGltf } from './smallFiles.js';

export const TWO_TRIANGLES = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0];

export function refusal(name: string, bytes: Uint8Array): InvalidFile {
  try {
    parseParts(name, bytes);
  } catch (error) {
    assert.instance(error, InvalidFile);
    assert.instance(error, CollisionError);
    const { message, fix } = error as InvalidFile;
    assert.not.match(message, /\n/);
    assert.ok(message.startsWith(`${name}: `), message);
    assert.ok(fix.length > 10);
    return error as InvalidFile;
  }
  throw new Error(`${name} was read, but an InvalidFile error was expected`);
}

export function changed(change: (json: any, binary: Uint8Array) => void): Uint8Array {
  const { json, binary } = squareGltf();
  change(json, binary);
  return glb(json, binary);
}
