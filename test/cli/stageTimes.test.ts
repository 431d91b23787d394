// Tests the times of the stages of `pfront clash`: they add up to the total, on the screen and in the JSON.
// Also tests that the progress bar moves while files are read.
import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { readModel } from '../../dist/cli/clash/readModel.js';
import { roundTimes, TimedProgress } from '../../dist/cli/stageTimes.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { parseParts } from '../../dist/formats/readParts.js';
import { box, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { clash, cube, folder, json, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

test('rounded times add up to the rounded total', () => {
  const times = [0.4, 0.4, 0.4, 12.7, 0.05].map((milliseconds, i) => ({ name: `${i}`, milliseconds }));
  assert.equal(roundTimes(times, 1), { total: 14, rounded: [0, 1, 0, 13, 0] });
  assert.equal(roundTimes([], 1), { total: 0, rounded: [] });
});

test('the time between two stages belongs to the earlier one, and times of stages with the same name are added', () => {
  const calls: string[] = [];
  const progress = new TimedProgress({
    begin: (stage, steps, label) => calls.push(`${stage} ${steps} ${label}`),
    step: () => calls.push('step'),
    end: () => calls.push('end'),
  });
  progress.begin('Reading', 2, 'Reading a');
  progress.step();
  progress.begin('Measuring', 1);
  progress.begin('Reading', 2, 'Reading b');
  progress.end();
  assert.equal(calls, ['Reading 2 Reading a', 'step', 'Measuring 1 undefined', 'Reading 2 Reading b', 'end']);
  const times = progress.stageTimes();
  assert.equal(
    times.map(({ name }) => name),
    ['Starting', 'Reading', 'Measuring'],
  );
  assert.ok(times.every(({ milliseconds }) => milliseconds >= 0));
});

test('the stages that are printed add up to the total', () => {
  const path = obj('stages.obj', [cube('a', 0), cube('b', 50)]);
  const { stdout } = clash(path);
  const [, total, stages] = /; (\d+) ms on .*\ntime in ms: (.*)\n/.exec(stdout)!;
  const numbers = stages!.split(', ').map(stage => Number(/ (\d+)$/.exec(stage)![1]));
  assert.ok(/reading files \d+, /.test(stages!), stages);
  assert.is(
    numbers.reduce((sum, value) => sum + value, 0),
    Number(total),
  );
  const run = json(path, '--report', `${folder}/stages.html`);
  const names = run.stages.map(({ name }: any) => name);
  for (const name of ['Reading files', 'Searching pairs', 'Measuring clashes', 'Writing report'])
    assert.ok(names.includes(name), name);
  const sum = run.stages.reduce((all: number, { ms }: any) => all + ms, 0);
  assert.ok(Math.abs(sum - run.ms) < 1e-6, `${sum} and ${run.ms}`);
});

test('progress is reported while a file is read', async () => {
  const path = obj(
    'long.obj',
    Array.from({ length: 300 }, (_, i) => cube(`c${i}`, 200 * i)),
  );
  const stages: [label: string, steps: number][] = [];
  await readModel({ files: [path, path], isSplit: false, jobs: 1 } as any, {
    begin: (_, __, label) => stages.push([label!, 0]),
    step: () => stages.at(-1)![1]++,
    end() {},
  });
  assert.equal(
    stages.map(([label]) => label),
    ['Reading 2 files'],
  );
  for (const [label, steps] of stages) assert.ok(steps >= 90 && steps <= 100, `${label}: ${steps}`);
});

// Returns files with a row of boxes: one file in each format whose reader tells how much of a file it has read.
function longFiles(): [name: string, bytes: Uint8Array][] {
  const { positions, indices } = box(1, 1, 1);
  const boxes = Array.from({ length: 300 }, (_, i) => ({
    name: `box ${i}`,
    positions: positions.map((value, k) => value + (k % 3 === 0 ? 3 * i : 0)),
    indices,
    transform: translation([0, 0, 0]),
  }));
  const soup = Float32Array.from(
    boxes.flatMap(one => Array.from(indices, i => [...one.positions.slice(3 * i, 3 * i + 3)]).flat()),
  );
  const count = soup.length / 9;
  const rows = Array.from({ length: 3 * count }, (_, i) => soup.slice(3 * i, 3 * i + 3).join(' '));
  const faces = Array.from({ length: count }, (_, i) => `3 ${3 * i} ${3 * i + 1} ${3 * i + 2}`);
  const stl = Buffer.alloc(84 + 50 * count);
  stl.writeUInt32LE(count, 80);
  soup.forEach((value, k) => stl.writeFloatLE(value, 84 + 50 * Math.floor(k / 9) + 12 + 4 * (k % 9)));
  const elements = (format: string) =>
    `ply\nformat ${format} 1.0\nelement vertex ${3 * count}\n${[...'xyz'].map(axis => `property float ${axis}\n`).join('')}element face ${count}\nproperty list uchar int vertex_indices\nend_header\n`;
  const list = Buffer.alloc(13 * count);
  for (let i = 0; i < count; i++) {
    list[13 * i] = 3;
    for (let corner = 0; corner < 3; corner++) list.writeInt32LE(3 * i + corner, 13 * i + 1 + 4 * corner);
  }
  return [
    ['row.off', Buffer.from(`OFF\n${3 * count} ${count} 0\n${[...rows, ...faces].join('\n')}\n`)],
    ['row.stl', stl],
    [
      'row.ply',
      Buffer.concat([Buffer.from(elements('binary_little_endian')), Buffer.from(soup.buffer), list]),
    ],
    ['row.glb', writeGlb(boxes)],
  ];
}

test('the readers tell how much of a file they have read', () => {
  for (const [name, bytes] of longFiles()) {
    const shares: number[] = [];
    assert.ok(parseParts(name, bytes, undefined, { onProgress: done => shares.push(done) }).length > 0);
    assert.ok(shares.length >= 90 && shares.length <= 101, `${name}: ${shares.length}`);
    assert.equal(
      shares,
      shares.toSorted((x, y) => x - y),
    );
    assert.ok(shares[0]! > 0 && shares.at(-1)! <= 1);
  }
});

test.run();
