// Compiles applications that import every entry of the packed package except pfront/debug and pfront/verify.
// Tests that three versions of TypeScript report no type errors, with `strict` and without `skipLibCheck`.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { installPacked } from '../support/packed.js';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const { folder } = installPacked();
const modules = path.join(root, 'node_modules');
for (const name of [
  '@types/node',
  'undici-types',
  '@types/three',
  'three',
  '@dimforge/rapier3d-compat',
  '@types/stats.js',
  '@types/webxr',
  '@webgpu/types',
  'fflate',
  'meshoptimizer',
  '@tweenjs/tween.js',
]) {
  const link = path.join(folder, 'node_modules', name);
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(path.join(modules, name), link);
}
writeFileSync(
  path.join(folder, 'package.json'),
  '{ "name": "application", "type": "module", "private": true }',
);

const application = `
import { createEngine, type BoxPairs, type Engine, type ManyTrianglePairs, type Mesh, type NearPairs, type Scene, type TrianglePairs } from 'pfront';
import { createEngine as createBundled } from 'pfront/bundle';
import { sphere, type MeshData } from 'pfront/samples';
import { startNode, connectNats, makeHub } from 'pfront/cluster';
import { createLaboratory, type Laboratory, type Round, type Study, type Traversal } from 'pfront/papers';
import 'pfront/worker';

export async function runQueries(): Promise<number> {
  using engine: Engine = await createEngine({ threads: 2, wasmUrl: 'https://example.org/pfront.wasm' });
  const data: MeshData = sphere(100), a: Mesh = engine.createMesh(data), b = await engine.createMeshAsync(data);
  const hits: TrianglePairs = engine.query(a, b), near: NearPairs = engine.query(a, b, { clearance: 1 }), isHit: boolean = engine.query(a, b, { want: 'any' });
  const many: ManyTrianglePairs = engine.queryMany({ pairs: [{ a, b }] }), boxes: BoxPairs = engine.boxPairs(new Float32Array(12));
  const scene: Scene = engine.createScene();
  scene.add(a, { transform: new Float64Array(16) });
  const contacts = scene.detect(), answer = await engine.async.query(a, b);
  return hits.a[0] + near.distances[0] + many.pairCount + boxes.count + contacts.triangles.a.length + answer.count + Number(isHit);
}
export const others = [createBundled, startNode, connectNats, makeHub];
export async function roundsOf(traversal: Traversal): Promise<readonly Round[]> {
  const { engine, study }: Laboratory = await createLaboratory({ threads: 1 }), settings: Study = study;
  settings.traversal = traversal;
  engine.dispose();
  return settings.rounds;
}
// What is internal is not published.
type AbsentInStudy<Name extends string> = Name extends keyof Study ? never : true;
export const absentInStudy: [AbsentInStudy<'makeFront'>, AbsentInStudy<'runSimulated'>] = [true, true];
type Absent<Name extends string> = Name extends keyof Engine ? never : true;
export const absent: [Absent<'backend'>, Absent<'host'>, Absent<'front'>] = [true, true, true];
`;
const onNode = `
import { Worker } from 'node:worker_threads';
import { createEngine } from 'pfront';
export const engine = createEngine({ wasmUrl: new URL('file:///pfront.wasm'), createWorker: (start) => new Worker(new URL('file:///worker.js'), { workerData: start }) });
export const mesh = engine.then((made) => made.createMeshAsync({ positions: new Float32Array(9) }, { signal: new AbortController().signal }));
`;
const onPage = `
import { createEngine } from 'pfront';
export const engine = createEngine({ gpu: navigator, wasmModule: new WebAssembly.Module(new Uint8Array(8)), workerUrl: new URL('https://example.org/worker.js'), createWorker: () => new Worker('worker.js') });
export const mesh = engine.then((made) => made.createMeshAsync({ positions: new Float32Array(9) }, { signal: new AbortController().signal }));
`;
const withThree = `
import { createEngine } from 'pfront';
import { addObject3D, meshFromGeometry } from 'pfront/three';
import { BoxGeometry, Mesh } from 'three';
export async function add(): Promise<void> {
  const engine = await createEngine(), geometry = new BoxGeometry();
  meshFromGeometry(engine, geometry);
  addObject3D(engine.createScene(), new Mesh(geometry));
}
`;
for (const [name, text] of Object.entries({ application, onNode, onPage, withThree }))
  writeFileSync(path.join(folder, `${name}.ts`), text);

const platforms = {
  'Node alone': { files: ['application.ts', 'onNode.ts'], lib: ['es2022'], types: ['node'] },
  'web pages': { files: ['application.ts', 'onPage.ts', 'withThree.ts'], lib: ['es2022', 'dom'], types: [] },
  'neither Node nor DOM': { files: ['application.ts'], lib: ['es2022'], types: [] },
} as const;
const resolutions = { nodenext: 'nodenext', bundler: 'esnext' } as const;

/** Returns the errors that the compiler prints, except those in three's own declarations. */
function errorsOf(
  compiler: string,
  platform: keyof typeof platforms,
  moduleResolution: keyof typeof resolutions,
): string[] {
  const { files, lib, types } = platforms[platform];
  const config = path.join(
    folder,
    `${compiler}-${moduleResolution}-${Object.keys(platforms).indexOf(platform)}.json`,
  );
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    module: resolutions[moduleResolution],
    moduleResolution,
    lib: [...lib, 'esnext.disposable'],
    types,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [path.join(modules, compiler, 'bin/tsc'), '-p', config, '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.is(stderr, '');
  assert.ok(status === 0 || stdout !== '', 'the compiler fails without an error message');
  return stdout
    .split('\n')
    .filter(line => /error TS/.test(line) && !/node_modules\/(@types\/)?three\//.test(line));
}

for (const compiler of ['typescript', 'typescript-5.8', 'typescript-7']) {
  const { version } = JSON.parse(readFileSync(path.join(modules, compiler, 'package.json'), 'utf8'));
  for (const platform of Object.keys(platforms) as (keyof typeof platforms)[]) {
    for (const resolution of Object.keys(resolutions) as (keyof typeof resolutions)[]) {
      // Older compilers take about ten times as long as typescript-7, which always tests all combinations.
      const isTypical =
        compiler === 'typescript'
          ? platform === 'Node alone' && resolution === 'nodenext'
          : platform === 'web pages' && resolution === 'bundler';
      const isSlow = compiler === 'typescript-7' ? resolution !== 'nodenext' : isTypical;
      const isQuick = compiler === 'typescript-7' && !isSlow;
      const register = isQuick ? test : isSlow ? test.slow : test.proof;
      register(`TypeScript ${version}, ${platform}, ${resolution}: no errors`, () =>
        assert.equal(errorsOf(compiler, platform, resolution), []),
      );
    }
  }
}

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
