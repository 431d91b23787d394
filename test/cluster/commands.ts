// Runs commands of `pfront cluster` as separate processes and returns their output. Their state files are in
// a temporary folder, which is removed at the end.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { MAIN } from '../support/commandLine.js';
import { until } from '../support/within.js';

export { MAIN };

/** A temporary folder for the state files, secrets and models of the test's clusters. */
export const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
export const stateFile = (name: string): string => join(folder, 'pfront', `${name}.json`);
const environment = {
  ...process.env,
  XDG_RUNTIME_DIR: folder,
  NO_COLOR: '1',
  PFRONT_TOKEN: '',
  PFRONT_NKEY_SEED: '',
  PFRONT_USER: '',
};
const wordsOf = (line: string): string[] => line.split(' ').filter(word => word !== '');
const children = new Set<ChildProcess>();
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

/** Runs `pfront cluster`. line: the arguments, separated by spaces. */
export function pfront(line = ''): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'cluster', ...wordsOf(line)], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: environment,
  });
  return { status, stdout, stderr };
}

/** Runs a command that must succeed. @returns its standard output */
export function succeed(line: string): string {
  const { status, stdout, stderr } = pfront(line);
  assert.is(status, 0, `${line}: ${stdout}${stderr}`);
  return stdout;
}

/** Runs a command that must fail with this message and a fix. */
export function refuse(message: RegExp, line?: string): void {
  const { status, stderr } = pfront(line);
  assert.is(status, 2, line);
  assert.match(stderr, message);
  assert.match(stderr, /\nfix: \S/);
}

export interface Running {
  output(): string;
  child: ChildProcess;
  until(text: RegExp): Promise<void>;
  ended: Promise<number | null>;
}

export function begin(line: string): Running {
  const child = spawn(process.execPath, [MAIN, 'cluster', ...wordsOf(line)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  let output = '';
  children.add(child);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>(resolve => {
    child.once('close', resolve);
  });
  void ended.then(() => children.delete(child));
  return {
    child,
    ended,
    output: () => output,
    async until(text) {
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      await until(`${text} in the output of ${line}`, () => isOver || text.test(output), 20_000);
      assert.match(output, text);
    },
  };
}

export const stateOf = (
  name: string,
): { supervisor: { pid: number }; broker: { pid: number }; workers: { pid: number }[] } =>
  JSON.parse(readFileSync(stateFile(name), 'utf8'));
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(
      existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
  } catch {
    return false;
  }
};

export const untilGone = (pids: number[]): Promise<void> =>
  until(`the end of the processes ${pids}`, () => !pids.some(isAlive), 5000);

/** Ends all processes that a test has left running. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const file of existsSync(join(folder, 'pfront')) ? readdirSync(join(folder, 'pfront')) : []) {
    if (!file.endsWith('.json')) continue;
    const { supervisor, broker, workers } = stateOf(file.slice(0, -5));
    for (const { pid } of [supervisor, broker, ...workers]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  // Processes that were just killed may still write to the folder.
  for (const entry of readdirSync(folder))
    rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 20 });
}
