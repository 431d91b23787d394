// Paths of the checkout: its root, a file in it, and the folder for what builds keep between runs.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const pathOf = (...parts) => path.join(root, ...parts);
/** It is removed with node_modules, and never published. */
export const cacheFolder = pathOf('node_modules/.cache/pfront');
