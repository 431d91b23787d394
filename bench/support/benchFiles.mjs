// Maps the name of each bench to its file in the folder `bench`. Most of its subfolders are named after
// modules of the package. The subfolders `support` and `native` contain no benches.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

export const benchFiles = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.ts') && !/^(support|native)\//.test(file))
    .map(file => [path.basename(file, '.ts'), file]),
);
