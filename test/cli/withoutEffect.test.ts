// Tests that the commands refuse options that are given twice, and options that cannot have an effect on the
// files and rules of a run.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { readOptions } from '../../dist/cli/clash/options.js';
import { readMotionOptions } from '../../dist/cli/motion/options.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { clash, cube, file, folder, json, obj, pfront } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

const plain = obj('plain.obj', [cube('one', 0), cube('two', 98, 20, 20)]);
const packed = file('packed.obj.gz', new Uint8Array(gzipSync(readFileSync(plain))));
const building = file(
  'building.ifc',
  ifc([beam('a', [0, 0, 0], [10, 10, 10]), beam('b', [9.5, 0, 1], [10, 10, 10])]),
);

// Runs a command that must refuse its arguments: the exit code is 2, stderr has one line with the problem and
// one line with a fix, and stdout is empty.
function refused(pattern: RegExp, ...args: string[]): void {
  const { status, stdout, stderr } = pfront(...args);
  assert.equal([status, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
  assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
  assert.match(stderr, pattern);
}

test('an option that is given twice is refused, because only one of its values could be used', () => {
  const cases: [string, string[]][] = [
    ['--tolerance is given twice: 1 and 2', ['--tolerance', '1', '--tolerance=2']],
    ['--units is given twice: mm and mm', ['--units', 'mm', '--units', 'mm']],
    ['--json is given twice', ['--json', '--json']],
    ['--between is given twice', ['--between', '*', '*', '--between', 'one', 'two']],
  ];
  for (const [message, args] of cases) refused(new RegExp(`^pfront: ${message}\n`), 'clash', plain, ...args);
  const inOther = [
    ['verify', 'x.json', '--ifc-limits', '1', '--ifc-limits', '2'],
    ['bench', '--seed', '1', '--seed', '2'],
    ['cluster', 'status', '--cluster', 'a', '--cluster', 'b'],
    ['cluster', 'run', plain, '--patience', '1', '--patience=2'],
    ['doctor', '--help', '--help'],
  ];
  for (const args of inOther) refused(/^pfront: --[\w-]+ is given twice/, ...args);
  const { stderr } = pfront('cluster', 'status', '--servers', 'nats://me:secret@x', '--servers', 'nats://y');
  assert.match(stderr, /--servers is given twice: nats:\/\/…@x and nats:\/\/y\n/);
});

test('a file name after --json is refused, because the JSON goes to standard output', () => {
  for (const read of [readOptions, readMotionOptions])
    assert.throws(
      () =>
        read(['machine.glb', '--animation', 'all', '--json', 'new.json'].slice(read === readOptions ? 3 : 0)),
      (error: Error & { fix: string }) =>
        /^--json new\.json: --json takes no file name/.test(error.message) &&
        error.fix === 'Write --json > new.json.',
    );
});

test('--jobs is refused if there is only one file, or if its value is not a whole number from 1 to 64', () => {
  const other = obj('other.obj', [cube('three', 50)]);
  refused(/--jobs 2 has no effect: it needs two files or more/, 'clash', plain, '--jobs', '2');
  for (const jobs of ['0', '65', '1.5', 'all'])
    refused(/--jobs \S+ is not a whole number from 1 to 64/, 'clash', plain, other, '--jobs', jobs);
  const [oneByOne, atOnce] = ['1', '2'].map(jobs => json(plain, other, '--jobs', jobs));
  assert.equal(atOnce.clashes, oneByOne.clashes);
  assert.is(atOnce.clashes.length, 3);
});

test('options for formats that no file has are refused', () => {
  const cases: [RegExp, string[]][] = [
    [/--ifc-limits 4 has no effect: no file is an IFC file/, ['--ifc-limits', '4']],
    [/--cad-limits 2 has no effect: no file is a STEP or IGES file/, ['--cad-limits', '2']],
    [/--max-unpack-ratio 9 has no effect: no file is a \.gz or \.3mf file/, ['--max-unpack-ratio', '9']],
    [/--include-related has no effect: only IFC files relate elements/, ['--include-related']],
  ];
  for (const [message, args] of cases) refused(message, 'clash', plain, ...args);
  assert.is(clash(packed, '--max-unpack-ratio', '9').status, 0);
  assert.is(clash(plain, building, '--units', 'm', '--ifc-limits', '4', '--include-related').status, 0);
  const certificate = join(folder, 'plain.certificate.json');
  assert.is(clash(plain, '--certify', certificate).status, 0);
  refused(/--cad-limits 2 has no effect/, 'verify', certificate, plain, '--cad-limits', '2');
});

test('--up is refused if it rotates no file and no output depends on it', () => {
  refused(/--up z has no effect: no file stores its up axis/, 'clash', plain, '--up', 'z');
  // The option is refused before the files are read.
  const broken = file('broken.stl', 'no mesh');
  refused(/--up z has no effect/, 'clash', broken, '--up', 'z');
  refused(/of an unknown format|\.xyz/, 'clash', 'model.xyz', '--up', 'z');
  assert.is(json(plain, '--up', 'z').up, 'z');
  assert.is(clash(plain, '--up', 'z', '--report', join(folder, 'up.html')).status, 0);
  assert.is(clash(plain, building, '--up', 'y', '--units', 'm').status, 0);
});

test('--tolerance, --clearance and --classes are refused if every rule sets its own value', () => {
  const rule = { between: ['one', 'two'] };
  const own = { tolerance: 1, clearance: 0, classes: ['hard'] };
  const rules = (name: string, ...list: object[]) =>
    file(name, JSON.stringify(list.map((entry, i) => ({ name: `rule ${i}`, ...rule, ...entry }))));
  const all = rules('all.json', own, own);
  const some = rules('some.json', own, {});
  for (const [option, value] of [
    ['--tolerance', '2'],
    ['--clearance', '2'],
    ['--classes', 'hard'],
  ] as const) {
    refused(
      new RegExp(`${option} ${value} has no effect: every rule has its own`),
      'clash',
      plain,
      '--rules',
      all,
      option,
      value,
    );
    assert.is(clash(plain, '--rules', some, option, value).status, 0);
  }
});

test('--margin without a motion names the options that it requires', () => {
  refused(/--margin 1mm requires --animation or --robot/, 'clash', plain, '--margin', '1mm');
});

test.run();
