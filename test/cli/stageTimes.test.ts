// Tests the times of the stages of `pfront clash`: they add up to the total, on the screen and in the JSON.
import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { readModel } from '../../dist/cli/clash/readModel.js';
import { roundTimes, TimedProgress } from '../../dist/cli/stageTimes.js';
import { test } from '../support/test.js';
import { clash, cube, folder, json, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

test('rounded times add up to the rounded total', () => {
  const times = [0.4, 0.4, 0.4, 12.7, 0.05].map((milliseconds, i) => ({ name: `${i}`, milliseconds }));
  assert.equal(roundTimes(times, 1), { total: 14, rounded: [0, 1, 0, 13, 0] });
  assert.equal(roundTimes([], 1), { total: 0, rounded: [] });
});

test('the time between two stages belongs to the earlier one, and stages of one name are added', () => {
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

test('progress moves within files', async () => {
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

test.run();
