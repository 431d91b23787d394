// Tests how pfront's published package uses other packages. The published package has no dependencies. It
// bundles code of a few packages, includes their licenses, and lists them in a bill of materials.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { type BuildOptions, build } from 'esbuild';
import ts from 'typescript';
import * as assert from 'uvu/assert';
import { installPacked } from '../support/packed.js';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const { folder } = installPacked();
const packed = path.join(folder, 'node_modules/pfront');
test.after(() => rmSync(folder, { recursive: true, force: true }));

const read = (...parts: string[]): string => readFileSync(path.join(...parts), 'utf8');
const manifest = JSON.parse(read(packed, 'package.json'));
const peers = Object.keys(manifest.peerDependencies);

const filesBelow = (place: string, ending: RegExp): string[] =>
  (readdirSync(place, { recursive: true }) as string[])
    .filter(file => ending.test(file))
    .map(file => path.join(place, file));

/** Returns the package of an import such as `three/addons/x.js` or `@nats-io/nats-core`. */
const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0];

test('the package depends on nothing, and all peers are optional', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'])
    assert.is(manifest[kind], undefined, kind);
  assert.ok(peers.length > 0);
  assert.equal(
    peers.filter(name => !manifest.peerDependenciesMeta[name]?.optional),
    [],
  );
  assert.equal(Object.keys(manifest.peerDependenciesMeta).sort(), [...peers].sort());
});

/** Returns the lowest version above the given one in which semantic versioning allows breaking changes. */
function nextBreaking(version: string): string {
  const [major, minor, patch] = version.split('.').map(Number) as [number, number, number];
  if (major > 0) return `${major + 1}`;
  return minor > 0 ? `0.${minor + 1}` : `0.0.${patch + 1}`;
}

test('the version range of each peer ends at the next breaking version after the installed one', () => {
  for (const name of peers) {
    const { version } = JSON.parse(read(root, 'node_modules', name, 'package.json'));
    const [, upper] = /^>=\d[.\d]* <(\d[.\d]*)$/.exec(manifest.peerDependencies[name])!;
    assert.is(upper, nextBreaking(version), `${name} ${version}`);
  }
});

test('published files import only published files, modules of Node and optional peers', async () => {
  const scripts = filesBelow(path.join(packed, 'dist'), /\.js$/);
  assert.ok(scripts.length > 200);
  const { metafile } = await build({
    entryPoints: scripts,
    bundle: true,
    external: ['*'],
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    absWorkingDir: packed,
    logLevel: 'silent',
  });
  const imports = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.map(({ path: name }) => ({ file, name })),
  );
  // esbuild does not list calls of a `require` that was made with createRequire.
  for (const file of scripts)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/\brequire\(["']([^"']+)["']\)/g))
      imports.push({ file: path.relative(packed, file), name: name! });
  for (const file of filesBelow(path.join(packed, 'dist/types'), /\.d\.ts$/))
    for (const { fileName: name } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles)
      imports.push({ file: path.relative(packed, file), name });
  const used = new Set<string>();
  const wrong = imports.filter(({ name }) => {
    if (name.startsWith('.') || isBuiltin(name)) return false;
    used.add(packageOf(name));
    return !peers.includes(packageOf(name));
  });
  assert.equal(wrong, []);
  for (const name of ['three', '@nats-io/nats-core', 'web-ifc', 'occt-import-js', 'meshoptimizer', 'draco3d'])
    assert.ok(used.has(name), name);
});

// The files that call import() with a computed name, and the peer that each loads. If the name were a
// literal, a bundler for web pages would follow the import.
const computedImports: Record<string, string> = {
  'cluster/natsLink.ts': '@nats-io/transport-node',
  'gpu/device/acquireGpus.ts': 'webgpu',
};

test('imports with computed names load only optional peers', () => {
  const folder = path.join(root, 'bindings');
  const found = filesBelow(folder, /(?<!\.d)\.ts$/).filter(file =>
    /\bimport\(\s*[^'"\s]/.test(read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')),
  );
  assert.equal(found.map(file => path.relative(folder, file)).sort(), Object.keys(computedImports));
  for (const [file, name] of Object.entries(computedImports)) {
    assert.ok(peers.includes(name), name);
    assert.ok(read(folder, file).includes(`'${name}'`), file);
  }
});

/** Returns the packages whose code a bundle of sources contains. */
async function packagesIn(entryPoints: string[], external: string[]): Promise<string[]> {
  const options: BuildOptions = {
    entryPoints,
    external,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    absWorkingDir: root,
    logLevel: 'silent',
  };
  const { metafile } = await build(options);
  return Object.keys(metafile!.inputs).flatMap(file =>
    file.startsWith('node_modules/') ? packageOf(file.slice('node_modules/'.length)) : [],
  );
}

// The packages whose code pfront contains, found from its sources: everything that the sources import from
// other packages is bundled, except peers. Only the viewer of reports also contains a peer, three.js.
const viewer = path.join(root, 'bindings/report/viewer/main.ts');
const sources = filesBelow(path.join(root, 'bindings'), /(?<!\.d)\.ts$/).filter(
  file => !file.startsWith(path.dirname(viewer)),
);
const bundled = new Set([
  ...(await packagesIn([viewer], [])),
  ...(await packagesIn(sources, [...peers, '*.wasm.js', '*/workerSource.js', '*/shaders.js'])),
]);
const sbom = JSON.parse(read(packed, 'dist/sbom.cdx.json'));

test('the bill of materials is valid, and lists exactly the bundled packages', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  assert.is(await validator.validate(JSON.stringify(sbom)), null);
  for (const name of ['@assemblyscript/loader', 'three', 'cli-progress']) assert.ok(bundled.has(name), name);
  const listed = sbom.components.map(({ group, name }: { group?: string; name: string }) =>
    group ? `${group}/${name}` : name,
  );
  assert.equal(listed.sort(), [...bundled].sort());
  const { packages } = JSON.parse(read(root, 'package-lock.json'));
  for (const { group, name, version, hashes } of sbom.components) {
    const locked = packages[`node_modules/${group ? `${group}/` : ''}${name}`];
    assert.is(version, locked.version, name);
    const sha512 = Buffer.from(hashes[0].content, 'hex').toString('base64');
    assert.is(`sha512-${sha512}`, locked.integrity, name);
  }
});

test('the bill of materials is reproducible: it has no date and no serial number', () => {
  assert.is(sbom.serialNumber, undefined);
  assert.is(sbom.metadata.timestamp, undefined);
  assert.is(sbom.metadata.component.version, manifest.version);
});

// Files that users may copy without the rest of the package. Each must contain the licenses of the packages
// that are bundled in it.
const copiedAlone: Record<string, string[]> = {
  'dist/licenses.txt': [...bundled],
  'dist/report/viewer.js': ['three', '@tanstack/virtual-core'],
  'dist/pfront.js': ['@assemblyscript/loader'],
  'dist/pfront-worker.js': ['@assemblyscript/loader'],
};
const withoutSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

for (const [file, names] of Object.entries(copiedAlone))
  test(`${file} contains the licenses of the bundled packages`, () => {
    const text = withoutSpaces(read(packed, file));
    for (const name of names) {
      const { version, license } = JSON.parse(read(root, 'node_modules', name, 'package.json'));
      assert.ok(text.includes(`${name} ${version} (${license})`), name);
      // The package of the loader has no license file. The package of the compiler, which is from the same
      // repository, has one.
      const place = path.join(
        root,
        'node_modules',
        name === '@assemblyscript/loader' ? 'assemblyscript' : name,
      );
      const texts = readdirSync(place).filter(name => /^(licen[cs]e|notice)/i.test(name));
      assert.ok(texts.length > 0, name);
      for (const license of texts)
        assert.ok(text.includes(withoutSpaces(read(place, license))), `${name}: ${license}`);
    }
  });

test('the AssemblyScript loader and the AssemblyScript compiler have the same repository and license', () => {
  const about = (name: string) => JSON.parse(read(root, 'node_modules', name, 'package.json'));
  const [loader, compiler] = [about('@assemblyscript/loader'), about('assemblyscript')];
  assert.is(loader.repository.url, compiler.repository.url);
  assert.is(loader.license, compiler.license);
});

test.run();
