// Copies examples of docs/examples to temporary folders, installs the packages that they import, and starts
// the examples.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
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
 * @param packages Packages other than pfront that the example needs. They are linked from the checkout.
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
  // A server that was just ended may still write to the folder.
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

const isWindows = process.platform === 'win32';
// --ignore-scripts skips scripts such as prestart, which would install packages.
const START = ['start', '--silent', '--ignore-scripts'];

/**
 * Runs an example to its end. Returns the lines that it prints.
 * @param programs Folder of programs that the example needs but that are not on the PATH.
 */
export function linesOf({ folder }: Installed, programs?: string): string[] {
  const env = { ...process.env };
  if (programs !== undefined) env.PATH = programs + path.delimiter + env.PATH;
  return execFileSync('npm', START, { cwd: folder, encoding: 'utf8', shell: isWindows, env })
    .trim()
    .split('\n');
}

// Ends all processes of a process group that are still running. npm may have ended before the server that it
// started.
function endGroup(pid: number): void {
  try {
    process.kill(-pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The running server of an example. */
export interface ExampleServer {
  address: string;
  /** How the server ended and what it printed, if it ended by itself. */
  ended(): string | undefined;
  stop(): void;
}

/**
 * Starts an example that serves a page, and waits until the page can be fetched.
 * @param args Arguments for the command of `npm start`.
 * @throws Error if the server ends before the page can be fetched. The error says how the server ended and what
 * it printed.
 */
export async function startServer(
  { folder }: Installed,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<ExampleServer> {
  const server: ChildProcess = spawn('npm', [...START, '--', ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    // The input stays open: Vite ends at the end of its input.
    stdio: 'pipe',
    shell: isWindows,
    // npm starts the server in a separate process. With `detached`, both are in a new process group, which
    // endGroup ends as a whole.
    detached: !isWindows,
  });
  let printed = '';
  let end: string | undefined;
  for (const stream of [server.stdout!, server.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  server.once('exit', (code, signal) => (end = `code ${code}, signal ${signal}`));
  const ended = (): string | undefined => (end ? `npm start ended (${end}): ${printed}` : undefined);
  for (;;) {
    const address = /http:\/\/\S+:\d+\//.exec(printed)?.[0];
    const isReady =
      address &&
      (await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ));
    const text = ended();
    if (text) throw new Error(text);
    if (isReady) {
      const stop = (): void => {
        if (isWindows) server.kill();
        else endGroup(server.pid!);
      };
      return { address, ended, stop };
    }
    await setTimeout(50);
  }
}
