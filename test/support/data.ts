// Locates the truth data (published meshes and queries with known results), and registers tests that need
// these data. If the data are missing, the tests are skipped and their names are printed.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tiered } from './test.js';

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

// Returns the path of a truth file. name: a path below the data folder, such as 'mesh/stanford-bunny.obj.gz'.
export const dataPath = (name: string): string => folder + name;

/** Whether this machine has the truth data. */
export const hasData = existsSync(folder);

/** Registers a test that needs the truth data. */
export const dataTest = tiered((test, name, run: () => void | Promise<void>) =>
  hasData ? test(name, run) : test.skip(name, 'no truth data'),
);
