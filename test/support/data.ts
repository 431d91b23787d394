// Returns the paths of truth files; tests that need the truth data are skipped by name if it is missing.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tiered } from './test.js';

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

// name: below the data folder, e.g. 'mesh/stanford-bunny.obj.gz'.
export const dataPath = (name: string): string => folder + name;

/** Whether the truth data is there. */
export const hasData = existsSync(folder);

/** A test that needs the truth data. */
export const dataTest = tiered((test, name, run: () => void | Promise<void>) =>
  hasData ? test(name, run) : test.skip(name, 'no truth data'),
);
