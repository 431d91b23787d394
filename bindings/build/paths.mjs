// Defines paths in the checkout: its root, any file in it, and the folder for data that builds keep between
// runs.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const pathOf = (...parts) => path.join(root, ...parts);
/**
 * The folder for data that builds keep. The folder is in node_modules, so it is removed with node_modules and
 * never published.
 */
export const cacheFolder = pathOf('node_modules/.cache/pfront');
