// Packs the checkout as npm would publish it, and unpacks it into the node_modules of a separate folder.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './pages.js';

/**
 * Packs the package and installs it in a new, empty application. @returns the folder of the application, and
 * the path of the tarball
 */
export function installPacked(): { folder: string; tarball: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-app-'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const tarball = path.join(folder, filename);
  mkdirSync(path.join(folder, 'node_modules'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  renameSync(path.join(folder, 'package'), path.join(folder, 'node_modules/pfront'));
  return { folder, tarball };
}
