// Tests the code of docs/guides/react-three-fiber.md: renders its components without a screen, and checks
// that they report contacts and that the code has correct types.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import type { ReactNode } from 'react';
import * as assert from 'uvu/assert';
import type { Contacts, Engine } from '../../dist/index.js';
import type { ObjectBodies } from '../../dist/three/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(path.join(root, 'docs/guides/react-three-fiber.md'), 'utf8');
const text = [...guide.matchAll(/^```tsx\n([^]*?)^```$/gm)].map(([, snippet]) => snippet).join('\n');

// A project in which the guide's imports are installed.
const project = mkdtempSync(path.join(tmpdir(), 'fiber-'));
test.after(() => rmSync(project, { recursive: true }));
mkdirSync(path.join(project, 'node_modules'));
symlinkSync(root, path.join(project, 'node_modules/pfront'), 'dir');
for (const name of ['three', 'react', '@react-three', '@types'])
  symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name), 'dir');
writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
writeFileSync(path.join(project, 'guide.tsx'), text);
writeFileSync(path.join(project, 'guide.mjs'), transformSync(text, { loader: 'tsx', jsx: 'automatic' }).code);

interface Guide {
  App: (props: { engine: Engine }) => ReactNode;
  Collisions: (props: {
    engine: Engine;
    onContacts: (contacts: Contacts, bodies: ObjectBodies) => void;
    children?: ReactNode;
  }) => ReactNode;
}

const { App, Collisions } = (await import(pathToFileURL(path.join(project, 'guide.mjs')).href)) as Guide;
const { createElement } = await import('react');
const { act, advance, createRoot, extend } = await import('@react-three/fiber');
const { Group, Mesh, MeshBasicMaterial, BoxGeometry, SphereGeometry } = await import('three');
extend({ Group, Mesh, MeshBasicMaterial, BoxGeometry, SphereGeometry });

// Makes a root on a mock canvas, with a renderer that draws nothing.
async function mount(): Promise<{
  show(element: ReactNode): Promise<void>;
  frame(): Promise<void>;
  unmount(): Promise<void>;
}> {
  const nothing = (): void => {};
  const gl = {
    render: nothing,
    setSize: nothing,
    setPixelRatio: nothing,
    dispose: nothing,
    forceContextLoss: nothing,
    renderLists: { dispose: nothing },
    shadowMap: {},
  };
  const root = createRoot({ addEventListener: nothing, removeEventListener: nothing } as never);
  await act(async () => {
    await root.configure({
      gl: () => gl as never,
      frameloop: 'never',
      size: { width: 100, height: 100, top: 0, left: 0 },
    });
  });
  let time = 0;
  return {
    show: element =>
      act(async () => {
        root.render(element);
      }),
    frame: () =>
      act(async () => {
        advance(time++ / 60);
      }),
    unmount: () =>
      act(async () => {
        root.unmount();
      }),
  };
}

const ball = (name: string, x: number): ReactNode =>
  createElement(
    'mesh',
    { key: name, name, position: [x, 0, 0] } as never,
    createElement('sphereGeometry', { args: [0.6] } as never),
    createElement('meshBasicMaterial'),
  );

test('contacts are reported while children move, are added and are removed', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    let last: string[] = [];
    const record = (contacts: Contacts, bodies: ObjectBodies): void => {
      last = Array.from(
        contacts.a,
        (a, i) => `${bodies.objectOf(a)!.object.name} ${bodies.objectOf(contacts.b[i])!.object.name}`,
      ).sort();
    };
    const show = (...children: ReactNode[]) =>
      createElement(Collisions, { engine, onContacts: record }, ...children);
    const canvas = await mount();
    const frame = async (): Promise<string[]> => {
      await canvas.frame();
      return last;
    };
    await canvas.show(show(ball('a', 0), ball('b', 1)));
    assert.equal(await frame(), ['a b']);
    await canvas.show(show(ball('a', 0), ball('b', 5)));
    assert.equal(await frame(), []);
    await canvas.show(show(ball('a', 0), ball('b', 5), ball('c', 4.5)));
    assert.equal(await frame(), ['b c']);
    await canvas.show(show(ball('b', 5)));
    assert.equal(await frame(), []);
    last = ['none since'];
    await canvas.unmount();
    assert.equal(last, ['none since']);
  }));

test('the example reports contacts that begin', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    const lines: unknown[][] = [];
    const { log } = console;
    const canvas = await mount();
    await canvas.show(createElement(App, { engine }));
    console.log = (...words) => {
      lines.push(words);
    };
    try {
      for (let i = 0; i < 3; i++) await canvas.frame();
    } finally {
      console.log = log;
    }
    assert.equal(lines, [['ball', 'touches', 'box']]);
    await canvas.unmount();
  }));

test('the snippets have correct types', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--jsx',
      'react-jsx',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,esnext.disposable,dom',
      '--types',
      'node',
      'guide.tsx',
    ],
    { cwd: project, encoding: 'utf8' },
  );
  assert.is(status, 0, stdout);
});

test.run();
