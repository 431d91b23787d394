// Exports the path of the script that the command `pfront` runs (see `bin` in package.json).
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/bin/pfront.js', import.meta.url));
