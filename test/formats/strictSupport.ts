// Checks refused files, and defines a triangle, for tests of strict reading.

import * as assert from 'uvu/assert';
import { InvalidFile, parseParts } from '../../dist/formats/readParts.js';

export function refused(name: string, bytes: Uint8Array, message: RegExp): void {
  try {
    parseParts(name, bytes);
  } catch (error) {
    assert.instance(error, InvalidFile, (error as Error).stack);
    assert.match((error as Error).message, message);
    return;
  }
  throw new Error(`${name} was read, but ${message} is expected`);
}

export const TRIANGLE = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'];
