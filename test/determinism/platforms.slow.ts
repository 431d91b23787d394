// Tests that every platform gives the same results, whose hashes are in hashes.json. The platforms are
// several versions of Node, Deno, Bun, browsers, an arm64 processor, and software GPUs. In this process, 1 to
// 16 threads and unshared memory are tested, too. `npm run determinism` runs this suite and prints a table of
// the tested platforms; with the option --write, docs/determinism.md is updated with this table.

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { type Answers, gpuQueryNames, hashOf } from '../support/answers.js';
import { gpuTest, source } from '../support/gpu.js';
import { installPacked } from '../support/packed.js';
import { closeBrowser, openBrowser, pageTest, root, withPage } from '../support/pages.js';
import { test } from '../support/test.js';
import { type Browser, browsers, isInstalled, textFrom } from './browsers.js';
import { makeFiles } from './files.js';
import { answersBy, clashBy, type Program, programs, thisProcess, versionOf } from './programs.js';
import { groupOf, pageGroups, results } from './results.js';

const hashesFile = new URL('hashes.json', import.meta.url);
/** The file to which the tested platforms are written, for `npm run determinism`; unset in other runs. */
const recordFile = process.env.PFRONT_DETERMINISM;

interface Row {
  platform: string;
  version: string;
  threads: string;
  queries: number;
}
const rows: Row[] = [];
/** Names of platforms that are missing on this machine. */
const missing: string[] = [];

const {
  outputFiles: [resultsFile],
} = await build({
  entryPoints: [`${root}test/determinism/results.ts`],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});
const { folder } = installPacked();
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({ name: 'app', private: true, type: 'module' }),
);
writeFileSync(path.join(folder, 'results.js'), resultsFile!.text);
const files = makeFiles(scenes);
for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
cpSync(`${root}node_modules/web-ifc`, path.join(folder, 'node_modules/web-ifc'), { recursive: true });
const scriptWith = (more: string): string => `import * as pfront from 'pfront';
import * as scenes from 'pfront/samples';
import { readParts } from './node_modules/pfront/dist/formats/readParts.js';
import { results } from './results.js';
console.log(JSON.stringify(await results(pfront, scenes, JSON.parse(process.argv[2]), ${more})));
process.exit(0);
`;
writeFileSync(
  path.join(folder, 'main.js'),
  scriptWith('name => readParts(name, { ifcLimits: { time: 100, memory: 1 } })'),
);
/** The query that takes half of the time of all queries. */
const LONGEST = 'distance, clearance';
writeFileSync(path.join(folder, 'brief.js'), scriptWith(`undefined, [${JSON.stringify(LONGEST)}]`));
const site = {
  made: {
    '/page.html':
      '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    '/page.js': `import * as pfront from '/dist/index.js';
import * as scenes from '/dist/samples/index.js';
import { results } from '/results.js';
const options = JSON.parse(decodeURIComponent(location.search.slice(1)));
const found = await results(pfront, scenes, options).catch((error) => ({ error: [error, error.stack, error.cause, error.cause?.stack].join("\\n") }));
await fetch('/', { method: 'POST', body: JSON.stringify(found) });
globalThis.isSent = true;`,
    '/results.js': resultsFile!.text,
  },
};
const addressFor = (options: object): string => `/page.html?${encodeURIComponent(JSON.stringify(options))}`;

/** Combines the hashes of single results into one hash for each group. */
function hashByGroup(hashes: Answers['hashes']): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [name, hash] of Object.entries(hashes)) {
    const group = groupOf(name);
    texts.set(group, `${texts.get(group) ?? ''}${name} ${hash}\n`);
  }
  return Object.fromEntries(
    [...texts].map(([group, text]) => [group, hashOf(new TextEncoder().encode(text))]),
  );
}

/** Returns the results of this process, without those of `pfront clash`. */
const resultsHere = (options: pfront.EngineOptions): Promise<Answers> =>
  results(pfront, scenes, options, name => readParts(path.join(folder, name)));

const clashFiles = Object.keys(files).filter(name => !name.endsWith('.bin'));

/** Runs `pfront clash`, and adds the hash of its output to the results of a platform. */
function addClash(found: Answers, program: Program, threads: number): Answers {
  const { hash, threads: usedThreads } = clashBy(program, folder, clashFiles, threads);
  assert.is(usedThreads, threads);
  return { ...found, hashes: { ...found.hashes, 'pfront clash: output': hash } };
}

const expected = addClash(await resultsHere({ threads: 1 }), thisProcess, 1);
if (process.env.PFRONT_ACCEPT)
  writeFileSync(hashesFile, `${JSON.stringify(hashByGroup(expected.hashes), null, 2)}\n`);
const committed = JSON.parse(readFileSync(hashesFile, 'utf8')) as Record<string, string>;

const ALL_GROUPS = [...pageGroups, 'IFC', 'pfront clash'];

interface Platform {
  name: string;
  version: string;
  threads: number;
  /** The groups of results that the platform computes. */
  groups: readonly string[];
}

// Codes of the notes about workers that got no core in time on a busy machine. Node replaces such a worker; a
// page loses it, and the other threads do its work. Results are the same in both cases.
const BUSY_NOTES = ['replaced-thread', 'lost-thread'];

/** Checks the results of a platform, and adds a row to the table. */
function check({ name, version, threads, groups }: Platform, found: Answers): void {
  // Compares single results first, so that a failure names the results that differ from those of this process.
  const wanted = Object.keys(expected.hashes).filter(result => groups.includes(groupOf(result)));
  const names = new Set([...wanted, ...Object.keys(found.hashes)]);
  assert.equal(
    [...names].filter(result => found.hashes[result] !== expected.hashes[result]),
    [],
  );
  assert.equal(hashByGroup(found.hashes), Object.fromEntries(groups.map(group => [group, committed[group]])));
  const { notes } = found.info;
  if (!notes.some(({ code }) => code === 'lost-thread'))
    assert.is(found.info.threads, threads, JSON.stringify(notes));
  const memory = found.info.memory === 'shared' ? '' : ', unshared memory';
  rows.push({ platform: name, version, threads: `${threads}${memory}`, queries: groups.length });
}

/** Results that the CPU computes alone, even if the engine has a GPU. */
const WITHOUT_GPU = ['sweep with a turn', 'bodies that turn'].map(
  name => `sweep, sweepVertices, sweepFeatures: ${name}`,
);

/** Checks the results of a GPU, and that the GPU took part in all results that it can compute. */
function checkGpu(platform: Omit<Platform, 'groups'>, found: Answers): void {
  const { gpu, notes } = found.info;
  assert.equal(
    notes.filter(({ code }) => !BUSY_NOTES.includes(code)),
    [],
  );
  assert.equal(found.withoutGpu, WITHOUT_GPU);
  // Firefox does not describe its adapter.
  const version = [platform.version, gpu?.description].filter(text => text).join(', ');
  check({ ...platform, version, groups: gpuQueryNames }, found);
}

const here = { name: thisProcess.name, version: process.versions.node };

test('this process gives the results of hashes.json', () => {
  assert.equal(Object.keys(committed).sort(), [...ALL_GROUPS].sort());
  check({ ...here, threads: 1, groups: ALL_GROUPS }, expected);
});

// If this run records the table, it tests all numbers of threads up to 16. Otherwise it tests only 16, to save
// time.
for (const threads of recordFile ? Array.from({ length: 15 }, (_, i) => i + 2) : [16])
  test(`${threads} threads give the same results`, async () => {
    const found = addClash(await resultsHere({ threads }), thisProcess, threads);
    check({ ...here, threads, groups: ALL_GROUPS }, found);
  });

test('unshared memory gives the same results', async () => {
  // With one thread, `pfront clash` has unshared memory, too.
  const found = addClash(await resultsHere({ memory: 'single' }), thisProcess, 1);
  check({ ...here, threads: 1, groups: ALL_GROUPS }, found);
});

for (const program of programs) {
  if (program.isOnlyRecorded && !recordFile) continue;
  const version = versionOf(program);
  if (version === undefined) {
    missing.push(program.name);
    continue;
  }
  test(`${program.name} gives the same results`, () => {
    const platform = { name: program.name, version, threads: 3 };
    const options = { threads: 3, ...(program.hasGpu && { backend: 'webgpu' }) };
    // An emulator needs minutes to load the reader of IFC files, and minutes for the longest query.
    const isBrief = program.emulator !== undefined && !recordFile;
    const found = answersBy(program, folder, isBrief ? 'brief.js' : 'main.js', options);
    if (program.hasGpu) checkGpu(platform, found);
    else if (isBrief) check({ ...platform, groups: pageGroups.filter(group => group !== LONGEST) }, found);
    else check({ ...platform, groups: ALL_GROUPS }, addClash(found, program, 3));
  });
}

gpuTest('Dawn in Node gives the same results', async () => {
  const found = await results(pfront, scenes, { threads: 3, backend: 'webgpu', gpu: source as GPU });
  const { version } = JSON.parse(readFileSync(`${root}node_modules/webgpu/package.json`, 'utf8'));
  checkGpu({ name: 'GPU: Dawn in Node', version: `webgpu ${version}`, threads: 3 }, found);
});

/** Returns the results of a page in Chromium. */
async function answersOfChromium(options: object, hasGpu: boolean): Promise<Answers> {
  let text = '';
  const onPost = (body: string): void => {
    text = body;
  };
  await withPage({ ...site, hasGpu, onPost }, addressFor(options), page =>
    page.waitForFunction('globalThis.isSent'),
  );
  const found = JSON.parse(text);
  assert.is(found.error, undefined);
  return found;
}

pageTest('Chromium gives the same results', async () => {
  const version = (await openBrowser()).version();
  const found = await answersOfChromium({ threads: 3 }, false);
  check({ name: 'Chromium', version, threads: 3, groups: pageGroups }, found);
});
// Dawn in Chromium is similar to Dawn in Node, so it is only tested if this run records the table.
if (recordFile)
  pageTest('Dawn in Chromium gives the same results', async () => {
    const version = (await openBrowser(true)).version();
    const found = await answersOfChromium({ threads: 3, backend: 'webgpu' }, true);
    checkGpu({ name: 'GPU: Dawn in Chromium, SwiftShader', version, threads: 3 }, found);
  });

/**
 * Runs the queries in a browser. If the browser is known to trap in correct kernels (mayTrap), a run that
 * ends in a trap is repeated, at most twice. @returns found: the results or the error of the last run; traps:
 * the number of earlier runs that ended in a trap
 */
async function answersOf(browser: Browser) {
  const options = { threads: 3, ...(browser.hasGpu && { backend: 'webgpu' }) };
  for (let traps = 0; ; traps++) {
    const { text, version } = await textFrom(browser, site, addressFor(options));
    const found = JSON.parse(text);
    const isTrap = browser.mayTrap && String(found.error).includes('a kernel trapped');
    if (!isTrap || traps === 2) return { found, version, traps };
  }
}

for (const browser of browsers) {
  const { name, threads } = browser;
  if (!isInstalled(browser)) {
    missing.push(name);
    continue;
  }
  test(`${name} gives the same results`, async () => {
    const { found, version, traps } = await answersOf(browser);
    if (traps > 0) console.log(`counted: ${name}: ${traps} runs ended in a trap and were repeated`);
    assert.is(found.error, undefined);
    if (browser.hasGpu) checkGpu({ name, version, threads }, found);
    else check({ name, version, threads, groups: pageGroups }, found);
  });
}

test.after(async () => {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
  console.log(`counted: platforms that are missing on this machine: ${missing.join(', ') || 'none'}`);
  if (recordFile) writeFileSync(recordFile, JSON.stringify(rows));
});
test.run();
