// Tests that the BCF and JUnit files of `pfront clash --group` have the same groups as the JSON output.
// Independent libraries read the files.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BCFTopics, Components } from '@thatopen/components';
import { XmlDocument } from 'libxml2-wasm';
import * as assert from 'uvu/assert';
import { clashSubject, topicOf } from '../../dist/report/bcf/topic.js';
import { test } from '../support/test.js';
import { clash, cube, file, folder, json, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

// Two clusters: a, b and c overlap each other, and d touches e and overlaps f.
const model = obj('two.obj', [
  ...[cube('a', 0), cube('b', 50), cube('c', 90)],
  ...[cube('d', 1000), cube('e', 1100), cube('f', 920, 20, 20, 90)],
]);
const GROUPED = ['--units', 'mm', '--classes', 'all', '--group', 'cluster'];

/** Returns a map from the names of the two parts of each clash of a run to the name of the clash's group. */
function groupsOf({ groups, clashes }: any): Map<string, string> {
  return new Map(
    groups.flatMap(({ name, clashes: members }: any) =>
      members.map((i: number) => [`${clashes[i].nameA}, ${clashes[i].nameB}`, name]),
    ),
  );
}

test('each topic of a BCF file has its group as a label and in its description', async () => {
  for (const version of ['2.1', '3.0']) {
    const path = join(folder, `groups ${version}.bcf`);
    const expected = groupsOf(json(model, ...GROUPED, '--bcf', path, '--bcf-version', version));
    assert.equal([...new Set(expected.values())], ['a and 2 more', 'd and 2 more']);
    const components = new Components();
    const reader = components.get(BCFTopics);
    reader.setup({});
    const { topics } = await reader.load(new Uint8Array(readFileSync(path)));
    assert.is(topics.length, expected.size);
    for (const { title, labels, description } of topics) {
      const [kind, pair] = title.split(': ') as [string, string];
      assert.equal([...labels], [kind, expected.get(pair)]);
      assert.match(description!, `\ngroup: ${expected.get(pair)}\n`);
    }
    components.dispose();
  }
});

test('a group with a blank name has no label, because BCF 3.0 does not allow blank labels', () => {
  const date = '2026-03-04T05:06:07Z';
  const parts = ['a', 'b'].map(name => ({ name, file: 0 }));
  const context = {
    parts,
    files: [{ name: 'f.obj', date }],
    author: 'x',
    createdAt: date,
  } as const;
  const finding: any = { a: 0, b: 1, class: 'hard', depth: 1, direction: [1, 0, 0], distance: 0, size: 1 };
  const labelsOf = (group: string) => {
    const subject = clashSubject(finding, 'mm', group);
    const item = { guid: 'g', subject, index: 0, status: 'Open', comments: [] } as const;
    return topicOf(context, item, {} as any, [0, 0, 0]).labels;
  };
  assert.equal(labelsOf('Level 1'), ['hard', 'Level 1']);
  assert.equal(labelsOf('  '), ['hard']);
});

/** Returns the test suites of a JUnit file: for each, its name and the names and outcomes of its test cases. */
function suitesOf(path: string): [string, string[]][] {
  using document = XmlDocument.fromString(readFileSync(path, 'utf8'));
  return document.find('//testsuite').map(suite => [
    suite.get('@name')!.content,
    suite.find('testcase').map(one => {
      const outcome = ['failure', 'skipped'].find(name => one.get(name)) ?? 'passed';
      return `${one.get('@name')!.content}: ${outcome}`;
    }),
  ]);
}

test('each group is a suite of a JUnit file, and allowed clashes are in the suites of their classes', () => {
  const path = join(folder, 'groups.xml');
  const allow = file('allow.txt', 'a, b\n');
  const options = [model, ...GROUPED, '--allow', allow, '--fail-on', 'hard', '--junit', path];
  const run = json(...options);
  const suites = new Map(suitesOf(path));
  const expected = groupsOf(run);
  assert.is(expected.size, 4);
  assert.equal(
    [...suites.keys()],
    [...run.groups.map(({ name }: any) => `cluster: ${name}`), 'hard', 'contained', 'touch'],
  );
  for (const [pair, group] of expected) {
    const kind = run.clashes.find(({ nameA, nameB }: any) => `${nameA}, ${nameB}` === pair).class;
    const outcome = kind === 'hard' ? 'failure' : 'skipped';
    assert.ok(suites.get(`cluster: ${group}`)!.includes(`${pair.replace(', ', ' / ')}: ${outcome}`), pair);
  }
  assert.equal([...suites.values()].flat().length, expected.size + 3);
  assert.equal(suites.get('hard'), ['a / b: skipped']);
  assert.equal(suites.get('touch'), ['no touch clash: passed']);
  clash(model, '--units', 'mm', '--classes', 'all', '--junit', path);
  assert.equal(
    suitesOf(path).map(([name]) => name),
    ['hard', 'contained', 'coplanar', 'touch'],
  );
});

test.run();
