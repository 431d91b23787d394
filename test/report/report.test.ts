// Tests that `pfront clash --report` writes a page completely or not at all, and that each error is printed
// as one line with the message and one line with a fix. What the page shows is tested in test/browser.
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { writeTextAtomically } from '../../dist/cli/atomicFile.js';
import { ReportFailed, writeReport } from '../../dist/cli/clash/writeReport.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { escapeHtml } from '../../dist/report/escapeHtml.js';
import { type FinishedSearch, makeContent } from '../../dist/report/makeContent.js';
import { pageFoot } from '../../dist/report/page.js';
import { box, sphere, translation } from '../../dist/samples/index.js';
import { MAIN } from '../support/commandLine.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';

const SILENT = { begin() {}, step() {}, end() {} };
const EMPTY_SEARCH: FinishedSearch = {
  parts: [],
  unread: [],
  findings: [],
  allowed: [],
  contacts: [],
  up: undefined,
  fileDates: new Map(),
  related: new Map(),
  changes: new Map(),
  classes: ['hard'],
  measures: { clearance: 0, tolerance: 0 },
  boxPairs: 0,
  threads: 1,
  milliseconds: 1,
  version: '0.0.0',
};
const folder = mkdtempSync(join(tmpdir(), 'report-'));
test.after(() => rmSync(folder, { recursive: true }));

const crate = box();
const parts = [0, 1.5, 3].map((x, i) => ({
  name: `Crate ${i}`,
  file: 'crates.glb',
  ...crate,
  transform: Float64Array.from(translation([x, 0, 0])),
}));
const file = join(folder, 'crates.glb');
writeFileSync(file, writeGlb(parts));

function clash(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'clash', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('text is escaped, so that it cannot end its HTML element', () => {
  assert.is(escapeHtml(`<a href="x" id='y'>&`), '&#60;a href=&#34;x&#34; id=&#39;y&#39;&#62;&#38;');
  const foot = pageFoot(0, "'</script>', '</SCRIPT >', '<!-- -->'");
  assert.equal(foot.match(/<\/script|<!--/gi), ['</script']);
  assert.ok(foot.includes("'\\x3c/script>', '\\x3c/SCRIPT >', '\\x3c!-- -->'"));
});

test('the terminal output and the JSON output name the page, and exit codes are the same as without a report', () => {
  const page = join(folder, 'crates.html');
  const { status, stdout, stderr } = clash(file, '--report', page);
  assert.is(status, 0, stderr);
  assert.match(stdout, /2 clashes: 2 hard; \d+ triangle pairs/);
  assert.match(stdout, /report .*crates\.html, 0\.\d MB: open it in a browser\n$/);
  const { report, clashes } = JSON.parse(clash(file, '--json', `--report=${page}`).stdout);
  assert.equal(report, { path: page, bytes: readFileSync(page).length });
  assert.is(clash(file, '--report', page, '--fail-on', 'any').status, 1);
  const { header } = readReportData(page);
  assert.equal(
    header.clashes.map(({ a, b, trianglePairs }: any) => [a, b, trianglePairs]),
    clashes.map(({ a, b, trianglePairs }: any) => [a, b, trianglePairs]),
  );
});

test('parts with the same mesh share it in the page', () => {
  const page = join(folder, 'shared.html');
  assert.is(clash(file, '--report', page).status, 0);
  const { header, numberBytes } = readReportData(page);
  assert.equal(header.meshes, [{ positions: crate.positions.length, indices: crate.indices.length }]);
  assert.equal(
    header.parts.map(({ mesh }: any) => mesh),
    [0, 0, 0],
  );
  const contacts = header.clashes.reduce(
    (sum: number, { lineLengths, linePoints, regionCorners, singlePoints }: any) =>
      sum + lineLengths + linePoints + regionCorners + singlePoints,
    0,
  );
  assert.is(numberBytes, 4 * (crate.positions.length + crate.indices.length + contacts));
});

test('invalid paths give exit code 2, one line with the error and one with a fix, and the model file stays unchanged', () => {
  const closed: [string, RegExp][] = [
    [join(folder, 'none', 'page.html'), /none.page\.html: cannot be written/],
    [file, /--report .*crates\.glb does not end in \.html/],
    ['', /does not end in \.html/],
  ];
  const before = readFileSync(file);
  for (const [page, message] of closed) {
    const { status, stdout, stderr } = clash(file, `--report=${page}`);
    assert.is(status, 2);
    assert.is(stdout, '');
    assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
    assert.match(stderr, message);
  }
  assert.equal(readFileSync(file), before);
});

test('a page beyond the size limit is refused, and the existing page stays; large data is written in several blocks', async () => {
  const page = join(folder, 'large.html');
  writeFileSync(page, 'the page before');
  // Adds a pseudorandom offset to each number, so that the positions do not compress.
  let seed = 1;
  const positions = sphere(400_000).positions.map(value => value + (seed = Math.imul(seed, 48271)) / 2 ** 40);
  const large = makeContent({
    ...EMPTY_SEARCH,
    parts: [
      {
        name: 'Ball',
        file: 'ball.stl',
        positions,
        indices: sphere(400_000).indices,
        transform: Float64Array.from(translation([0, 0, 0])),
      },
    ],
  });
  let failed: unknown;
  await writeReport(page, large, SILENT, 2e6).catch(error => {
    failed = error;
  });
  assert.ok(failed instanceof ReportFailed);
  assert.match(failed.message, 'the report would be larger than 2 MB');
  assert.is(readFileSync(page, 'utf8'), 'the page before');
  assert.equal(
    readdirSync(folder).filter(name => name.endsWith('.part')),
    [],
  );

  const bytes = await writeReport(page, large, SILENT);
  assert.is(bytes, readFileSync(page).length);
  const { numberBytes, blocks } = readReportData(page);
  assert.is(numberBytes, 4 * (positions.length + sphere(400_000).indices.length));
  assert.ok(blocks > 1, `${blocks} blocks`);
  assert.equal(
    readdirSync(folder).filter(name => name.endsWith('.part')),
    [],
  );
});

test('a planted link is not followed, and nothing else in the folder changes', async () => {
  const own = mkdtempSync(join(folder, 'links-'));
  const page = join(own, 'page.html');
  const victim = join(own, 'victim.txt');
  writeFileSync(victim, 'precious');
  for (const name of ['page.html.part', 'page.html.tmp', `page.html.${process.pid}`])
    symlinkSync(victim, join(own, name));
  symlinkSync(victim, page);
  const before = readdirSync(own).sort();
  const bytes = await writeReport(page, makeContent(EMPTY_SEARCH), SILENT);
  assert.ok(readFileSync(victim, 'utf8') === 'precious', 'the planted link was followed');
  assert.not.ok(lstatSync(page).isSymbolicLink());
  assert.is(readFileSync(page).length, bytes);
  assert.equal(readdirSync(own).sort(), before);
});

test('a page that cannot be moved to its place leaves no file behind', async () => {
  const own = mkdtempSync(join(folder, 'taken-'));
  const page = join(own, 'page.html');
  mkdirSync(join(page, 'inside'), { recursive: true });
  let failed: unknown;
  await writeReport(page, makeContent(EMPTY_SEARCH), SILENT).catch(error => {
    failed = error;
  });
  assert.instance(failed, ReportFailed);
  assert.equal(readdirSync(own), ['page.html']);
});

test('state files are written completely, through a temporary file with an unpredictable name', () => {
  const own = mkdtempSync(join(folder, 'state-'));
  const state = join(own, 'a.json');
  const victim = join(own, 'victim.txt');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, `${state}.${process.pid}`);
  writeTextAtomically(state, 'first');
  writeTextAtomically(state, 'second');
  assert.is(readFileSync(state, 'utf8'), 'second');
  assert.is(statSync(state).mode & 0o777, 0o600);
  assert.ok(readFileSync(victim, 'utf8') === 'precious', 'the planted link was followed');
  assert.throws(() => writeTextAtomically(own, 'a folder is there'));
  assert.equal(readdirSync(own).sort(), ['a.json', `a.json.${process.pid}`, 'victim.txt']);
});

test.run();
