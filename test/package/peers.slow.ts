// Runs the tests of the optional peer dependencies once more, with the lowest versions that package.json
// allows. In all other test runs, the highest allowed versions are installed.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { installPacked } from '../support/packed.js';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>;
};
const peers = Object.keys(peerDependencies);

/** Returns the lowest version of a range such as `>=0.182 <0.188`. */
function lowestOf(range: string): string {
  const [, lowest] = /^>=(\d[.\d]*) /.exec(range)!;
  return [...lowest!.split('.'), '0', '0'].slice(0, 3).join('.');
}

/** The test files that run for each peer: their paths in the folder test, without `.test.ts`. */
const filesOf: Record<string, readonly string[]> = {
  three: ['three/geometry', 'three/helpers', 'three/objects'],
  'web-ifc': ['formats/ifc'],
  'occt-import-js': ['formats/cad'],
  meshoptimizer: ['formats/gltfExtensions'],
  draco3d: ['formats/gltfDraco'],
  webgpu: ['gpu/sort'],
  '@nats-io/nats-core': ['cluster/natsLink'],
};

// `app` is the packed package, with the lowest versions of all peers in its node_modules. Bundled tests are
// in its folder `test`. They import the package and the peers by the same names as in the checkout.
const folder = mkdtempSync(path.join(tmpdir(), 'pfront-peers-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const app = path.join(folder, 'app');

test.slow('npm installs the lowest versions of all peers together with the package', () => {
  const packed = installPacked();
  renameSync(path.join(packed.folder, 'node_modules/pfront'), app);
  rmSync(packed.folder, { recursive: true });
  // The peers are also devDependencies, with other versions, which npm would install instead.
  const manifest = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'));
  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ ...manifest, devDependencies: {} }));
  const words = ['install', '--no-save', '--no-package-lock', '--ignore-scripts'];
  const specs = peers.map(name => `${name}@${lowestOf(peerDependencies[name]!)}`);
  execFileSync('npm', [...words, ...specs], { cwd: app, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of peers) {
    const { version } = JSON.parse(
      readFileSync(path.join(app, 'node_modules', name, 'package.json'), 'utf8'),
    );
    assert.is(version, lowestOf(peerDependencies[name]!), name);
  }
});

/** Bundles a test file and runs those of its tests that are not slow. @returns the number of tests that passed */
async function run(name: string): Promise<number> {
  const outfile = path.join(app, 'test', `${name}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    entryPoints: [path.join(root, 'test', `${name}.test.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Bundled CommonJS packages call require().
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    external: ['../../dist/*', 'esbuild', ...peers],
    logLevel: 'silent',
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', outfile], {
    cwd: app,
    env: { ...process.env, PFRONT_TESTS: JSON.stringify({ tier: 'quick' }) },
    // Outcomes of single tests are written to the fourth stream, which is not read.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout + stderr);
  return Number(/Passed:\s+(\d+)/.exec(stdout)?.[1] ?? 0);
}

/** The version of a peer with which all other tests run. */
const installedOf = (peer: string): string =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', peer, 'package.json'), 'utf8')).version;

for (const [peer, files] of Object.entries(filesOf)) {
  // If a range has only one version so far, all tests run with it anyway.
  if (installedOf(peer) === lowestOf(peerDependencies[peer]!)) continue;
  for (const file of files)
    test.slow(`${file} passes with ${peer} ${lowestOf(peerDependencies[peer]!)}`, async () => {
      assert.ok((await run(file)) > 0, 'no test ran');
    });
}

test.run();
