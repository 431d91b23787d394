// Runs the command lines of docs/guides/cluster.md on four simulated hosts. Tests that eight nodes join, that
// the cluster finds the same clashes as one process, and that all processes end.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { epicyclicTrain } from '../../dist/samples/index.js';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { brokerTest } from './bounded.js';
import { makeHosts } from './hosts.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(`${root}docs/guides/cluster.md`, 'utf8');

/** The guide's blocks of command lines, each with the numbers of the hosts that run it, counted from 1. */
const blocks = [...guide.matchAll(/<!-- on: ([\d ]+) -->\n```text\n([^]*?)\n```/g)].map(
  ([, hosts, lines]) => ({ hosts: hosts!.split(' ').map(Number), lines: lines!.split('\n') }),
);

const WAIT = 40_000;

test('the guide has at most ten command lines', () => {
  const lines = blocks.flatMap(block => block.lines);
  assert.ok(lines.length > 4 && lines.length <= 10, `${lines.length} lines`);
});

brokerTest.slow('the command lines of the guide run on four hosts', 120, async opened => {
  const hosts = await makeHosts(4, '10.77.0');
  opened.add({ close: async () => hosts.close() });
  console.log(`\ncounted: the guide ran on four ${hosts.kind}`);
  const scene = epicyclicTrain();
  const placed = scene.frame(0);
  const model = join(hosts.all[0].folder, 'machine.glb');
  writeFileSync(
    model,
    writeGlb(
      scene.parts
        .map(({ name, mesh }, part) => ({
          name,
          ...scene.meshes[mesh],
          transform: placed.slice(16 * part, 16 * part + 16),
        }))
        // One stage is enough, and its clashes are measured three times as fast as those of the whole train.
        .filter(({ name }) => name.startsWith('stage 1 ')),
    ),
  );

  const staying: ReturnType<(typeof hosts.all)[number]['run']>[] = [];
  const outputs = new Map<string, string>();
  for (const { hosts: numbers, lines } of blocks) {
    for (const line of lines) {
      // Before `status` runs, all eight nodes must have joined.
      if (line.endsWith('status'))
        await until('eight nodes', () => staying.every(({ output }) => /8 nodes\n/.test(output())), WAIT);
      for (const number of numbers) {
        const running = hosts.all[number - 1].run(line);
        if (/ cluster join /.test(line)) {
          staying.push(running);
          continue;
        }
        const { code, output } = await within(WAIT, line, running.ended);
        assert.is(code, 0, `${line}: ${output}`);
        outputs.set(line, output);
      }
    }
  }

  const outputOf = (word: string): string => [...outputs].find(([line]) => line.includes(word))?.[1] ?? '';
  assert.match(outputOf(' status'), /\n8 nodes, load /);
  assert.match(outputOf('nanorobots'), /; 8 nodes, balancing[^]*10 steps in /);
  const singleProcess = spawnSync(process.execPath, [MAIN, 'clash', model], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  }).stdout;
  const steady = (text: string): string => text.replace(/; \d+ ms on .*\ntime in ms: .*/, '');
  assert.is(steady(outputOf('machine.glb')), steady(singleProcess));
  assert.match(singleProcess, '8 clashes');
  assert.match(outputOf(' down'), 'has ended');
  for (const { ended } of staying) {
    const { code, output } = await within(WAIT, 'the end of join', ended);
    assert.is(code, 0, output);
    assert.match(output, 'the cluster was ended');
  }
});

test.run();
