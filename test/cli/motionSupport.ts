// Writes files and runs `pfront clash --animation` on them, for tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), 'motion-'));

/** Writes a file into the folder of the tests. Returns its path. */
export function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

export function clash(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'clash', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Runs the command with --json. Returns its output and its exit code. */
export function json(...args: string[]): any {
  const { status, stdout, stderr } = clash(...args, '--json');
  assert.ok(status === 0 || status === 1, stderr);
  return { status, stderr, ...JSON.parse(stdout) };
}

export const near = (value: number, expected: number, within: number): void =>
  assert.ok(Math.abs(value - expected) <= within, `${value} differs from ${expected} by more than ${within}`);
