// Copies examples of docs/examples to temporary folders, installs the packages that they import, and starts
// the examples.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPacked } from './packed.js';
import { root } from './pages.js';

const examples = path.join(root, 'docs/examples');

/** Names of the folders of docs/examples. */
export const exampleNames = readdirSync(examples, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

const linkPackage = (folder: string, name: string, target: string): void => {
  const link = path.join(folder, 'node_modules', name);
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(target, link, 'junction');
};

export interface Installed {
  folder: string;
  remove(): void;
}

/**
 * Copies an example to a temporary folder, without its node_modules, and installs the packages that it needs.
 * @param packages Other packages than pfront that the example needs. They are linked from the checkout.
 * @param isPacked Whether pfront is installed from its tarball. Otherwise, it is linked from the checkout.
 */
export function installExample(name: string, packages: readonly string[] = [], isPacked = false): Installed {
  const folder = isPacked ? installPacked().folder : mkdtempSync(path.join(tmpdir(), `pfront-${name}-`));
  cpSync(path.join(examples, name), folder, {
    recursive: true,
    filter: source => path.basename(source) !== 'node_modules',
  });
  if (!isPacked) linkPackage(folder, 'pfront', root);
  for (const each of packages) linkPackage(folder, each, path.join(root, 'node_modules', each));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const isWindows = process.platform === 'win32';
// --ignore-scripts skips scripts such as prestart, which would install packages.
const START = ['start', '--silent', '--ignore-scripts'];

/** Runs an example to its end. Returns the lines that it prints. */
export const linesOf = ({ folder }: Installed): string[] =>
  execFileSync('npm', START, { cwd: folder, encoding: 'utf8', shell: isWindows }).trim().split('\n');

// Ends a process and those that it started, if any of them still runs: npm may end before the server.
function endGroup(pid: number): void {
  try {
    process.kill(-pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts an example that serves a page. Returns the address that it prints, and a function that stops it. */
export async function startServer(
  { folder }: Installed,
  env: Record<string, string> = {},
): Promise<{ address: string; stop(): void }> {
  const server: ChildProcess = spawn('npm', START, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: isWindows,
    // npm starts the server in a separate process, which must end with npm.
    detached: !isWindows,
  });
  const stop = (): void => {
    if (isWindows) server.kill();
    else endGroup(server.pid!);
  };
  let printed = '';
  for await (const chunk of server.stdout!.setEncoding('utf8')) {
    printed += chunk;
    const address = /http:\/\/\S+:\d+\//.exec(printed)?.[0];
    if (address) return { address, stop };
  }
  throw new Error(`npm start ended without an address: ${printed}`);
}
