// Writes files and runs `pfront clash --animation` on them, for tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import { box } from '../../dist/samples/index.js';
import { gltf } from '../support/animatedGltf.js';
import { MAIN } from '../support/commandLine.js';

export { MAIN };

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
  assert.ok(status === 0 || status === 1 || status === 4, stderr);
  return { status, stderr, ...JSON.parse(stdout) };
}

export const near = (value: number, expected: number, within: number): void =>
  assert.ok(Math.abs(value - expected) <= within, `${value} differs from ${expected} by more than ${within}`);

const schema = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../docs/schemas/motion.schema.json', import.meta.url)), 'utf8'),
);
// The schema permits additional properties, so that new ones need no new version. This copy forbids them,
// because the schema must describe all properties that exist.
const closed = (node: any): any =>
  Array.isArray(node)
    ? node.map(closed)
    : typeof node !== 'object' || node === null
      ? node
      : {
          ...Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)])),
          ...(node.type === 'object' && node.properties ? { additionalProperties: false } : {}),
        };
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(closed(schema));

/**
 * Checks that the result of `json` is valid for the schema, and has no properties that the schema does not
 * describe.
 */
export function assertValid({ status, stderr, ...output }: any): void {
  assert.is(validate(output), true, JSON.stringify(validate.errors));
}

/** The channel of `flight`. */
export const FLY = { node: 0, path: 'translation', times: [0, 1], values: [0, 0, -3, 0, 0, 297] } as const;

/** A cube of edge length 2 flies through a thin plate, from z = -3 to z = 297 in one second. */
export const flight = (channel: object = {}) =>
  gltf(
    [box(1, 1, 1), box(4, 4, 0.001)],
    [
      { name: 'cube', mesh: 0 },
      { name: 'plate', mesh: 1 },
    ],
    [{ name: 'fly', channels: [{ ...FLY, ...channel } as any] }],
  );
