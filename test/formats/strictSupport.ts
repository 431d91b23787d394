// Helpers for tests that check how strict the readers are: a function that asserts that a file is refused, and
// the lines of an OBJ file with one triangle.

import * as assert from 'uvu/assert';
import { InvalidFile, parseParts } from '../../dist/formats/readParts.js';

export function assertRefused(name: string, bytes: Uint8Array, message: RegExp): void {
  try {
    parseParts(name, bytes);
  } catch (error) {
    assert.instance(error, InvalidFile, (error as Error).stack);
    assert.match((error as Error).message, message);
    return;
  }
  throw new Error(`${name} was read without an error, but an error that matches ${message} was expected`);
}

export const TRIANGLE = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'];
