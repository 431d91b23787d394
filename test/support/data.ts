// Name of a truth file -> its path; tests that need the truth data are skipped by name where it is absent.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from './test.js';

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

// name: below the data folder, e.g. 'mesh/stanford-bunny.obj.gz'.
export const dataPath = (name: string): string => folder + name;

export function dataTest(name: string, run: () => void | Promise<void>): void {
  if (existsSync(folder)) return test(name, run);
  console.log(`\nskipped: ${name} (no truth data)`);
  test.skip(name, run);
}
