// Writes files of boxes and runs `pfront clash` on them, for tests.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import * as assert from 'uvu/assert';
import { MAIN } from '../support/commandLine.js';

export { MAIN };

export const folder = mkdtempSync(join(tmpdir(), 'classes-'));

export type Point = [number, number, number];
export interface Box {
  name: string;
  at: Point;
  size: Point;
}

// Makes a cube from its min corner and its edge length, in mm.
export const cube = (name: string, x: number, y = 0, z = 0, size = 100): Box => ({
  name,
  at: [x, y, z],
  size: [size, size, size],
});

export function mesh({ at, size }: Box, meters: number) {
  const positions = Float32Array.from(
    { length: 24 },
    (_, i) => meters * (at[i % 3] + ((Math.floor(i / 3) >> (i % 3)) & 1 ? size[i % 3] : 0)),
  );
  return {
    positions,
    indices: Uint32Array.of(
      0,
      2,
      3,
      0,
      3,
      1,
      4,
      5,
      7,
      4,
      7,
      6,
      0,
      1,
      5,
      0,
      5,
      4,
      2,
      6,
      7,
      2,
      7,
      3,
      0,
      4,
      6,
      0,
      6,
      2,
      1,
      3,
      7,
      1,
      7,
      5,
    ),
  };
}

export function file(name: string, bytes: Uint8Array | string): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

/** Writes boxes to an OBJ file, with coordinates in millimeters. OBJ files do not store a unit. */
export function obj(name: string, boxes: Box[]): string {
  let first = 1;
  return file(
    name,
    boxes
      .flatMap(box => {
        const { positions, indices } = mesh(box, 1);
        const lines = [
          `o ${box.name}`,
          ...Array.from({ length: 8 }, (_, i) => `v ${positions.slice(3 * i, 3 * i + 3).join(' ')}`),
          ...Array.from(
            { length: 12 },
            (_, i) => `f ${[...indices.slice(3 * i, 3 * i + 3)].map(vertex => first + vertex).join(' ')}`,
          ),
        ];
        first += 8;
        return lines;
      })
      .join('\n'),
  );
}

export function pfront(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

export const clash = (...args: string[]) => pfront('clash', ...args);

export function json(...args: string[]) {
  const { status, stdout, stderr } = clash(...args, '--json');
  assert.ok(status === 0 || status === 1, stderr);
  return { status, ...JSON.parse(stdout) };
}

/** Returns the markup of each topic of a BCF file. */
export const markupsOf = (path: string): string[] =>
  Object.entries(unzipSync(new Uint8Array(readFileSync(path))))
    .filter(([name]) => name.endsWith('/markup.bcf'))
    .map(([, bytes]) => new TextDecoder().decode(bytes));

// Pairs of boxes, each far from all other pairs. The names of both boxes begin with the same word, which
// describes how the two boxes lie relative to each other.
export const BOXES: Box[] = [
  cube('apart 1', 0),
  cube('apart 2', 110),
  cube('face 1', 1000),
  cube('face 2', 1100, 20, 20),
  cube('edge 1', 2000),
  cube('edge 2', 2100, 100),
  cube('corner 1', 3000),
  cube('corner 2', 3100, 100, 100),
  cube('deep 1', 4000),
  cube('deep 2', 4098, 20, 20),
  cube('inside 1', 5000),
  cube('inside 2', 5040, 40, 40, 10),
  cube('twice 1', 6000),
  cube('twice 2', 6000),
  cube('far 1', 7000),
  cube('far 2', 7200),
];
export const all = obj('all.obj', BOXES);
export const found = ({ clashes }: any): string[] =>
  clashes.map(({ nameA, class: kind }: any) => `${nameA.split(' ')[0]} ${kind}`);
export const near = (value: number, expected: number, within = 1e-3) =>
  assert.ok(Math.abs(value - expected) <= within, `${value} differs from ${expected} by more than ${within}`);
