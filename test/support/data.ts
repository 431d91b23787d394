// Returns the paths of truth files. If the truth data is missing, tests that need it are skipped, and their
// names are printed.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tiered } from './test.js';

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

// name: a path below the data folder, such as 'mesh/stanford-bunny.obj.gz'.
export const dataPath = (name: string): string => folder + name;

/** Whether the truth data exists. */
export const hasData = existsSync(folder);

/** Registers a test that needs the truth data. */
export const dataTest = tiered((test, name, run: () => void | Promise<void>) =>
  hasData ? test(name, run) : test.skip(name, 'no truth data'),
);
