// The path of the command line, as package.json publishes it.
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/bin/pfront.js', import.meta.url));
