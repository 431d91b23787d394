// Installs npm packages that are not dependencies of pfront into separate folders of a cache: programs for
// other systems, and tools that need a newer version of Node than pfront does.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathOf } from '../../bindings/build/paths.mjs';

const cacheFolder = pathOf('node_modules/.cache/pfront/programs');

/** Returns the folder of a package. spec: the name and version, as in `npm install`. */
export const folderOf = (spec: string): string => path.join(cacheFolder, spec.replaceAll(/[/@]/g, '-'));

/**
 * Installs a package unless `file` exists in its folder. @returns whether the package is installed; false if
 * npm has no such package for this system, or if the registry is unreachable
 */
export function isInstalled(spec: string, file: string): boolean {
  const folder = folderOf(spec);
  if (existsSync(path.join(folder, file))) return true;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  try {
    const words = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--force', spec];
    execFileSync('npm', words, { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32' });
    return true;
  } catch {
    return false;
  }
}
