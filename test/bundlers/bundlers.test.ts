// Builds an application with common bundlers, and also loads it unbundled. The application uses the packed
// package (the npm tarball). It must have several threads, or a note that says why not, and give the same
// results as in Node.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { publint } from 'publint';
import { rollup } from 'rollup';
import * as assert from 'uvu/assert';
import { createServer, build as viteBuild } from 'vite';
import webpack from 'webpack';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { type Answers, answers } from '../support/answers.js';
import { installPacked } from '../support/packed.js';
import { closeBrowser, openBrowser, pageTest, root, serve } from '../support/pages.js';
import { test } from '../support/test.js';

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const expected = await answers(pfront, scenes, { threads: 1 });
const { folder, tarball } = installPacked();
const inFolder = (...names: string[]): string => path.join(folder, ...names);

// All bundlers build the same source. Without a bundler, an import map in the page tells where the package
// is.
const {
  outputFiles: [answersFile],
} = await esbuild({
  entryPoints: [`${root}test/support/answers.ts`],
  bundle: true,
  format: 'esm',
  write: false,
});
const html = (script: string, more = ''): string =>
  `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">${more}<script type="module" src="${script}"></script>`;
mkdirSync(inFolder('src'));
writeFileSync(inFolder('package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
writeFileSync(inFolder('src/answers.js'), answersFile!.text);
writeFileSync(
  inFolder('src/main.js'),
  `import * as pfront from 'pfront';
import * as scenes from 'pfront/samples';
import { answers } from './answers.js';
globalThis.runQueries = (options) => answers(pfront, scenes, options);
`,
);
writeFileSync(inFolder('index.html'), html('./src/main.js'));
writeFileSync(
  inFolder('bare.html'),
  html(
    '/src/main.js',
    '<script type="importmap">{ "imports": { "pfront": "/node_modules/pfront/dist/index.js", "pfront/samples": "/node_modules/pfront/dist/samples/index.js" } }</script>',
  ),
);

/** Each function builds the application, and returns the folder of the result and the path of its page. */
const bundlers: Record<string, () => Promise<{ site: string; page: string }>> = {
  'no bundler': async () => ({ site: folder, page: '/bare.html' }),
  'vite build': async () => {
    await viteBuild({
      root: folder,
      base: './',
      logLevel: 'error',
      configFile: false,
      build: { outDir: 'out-vite', emptyOutDir: true },
    });
    return { site: inFolder('out-vite'), page: '/index.html' };
  },
  webpack: async () => {
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      webpack(
        {
          context: folder,
          mode: 'production',
          entry: './src/main.js',
          output: { path: inFolder('out-webpack'), filename: 'main.js' },
          performance: { hints: false },
        },
        (error, result) => {
          if (error || !result) reject(error ?? new Error('no result'));
          else resolve(result);
        },
      );
    });
    assert.not.ok(stats.hasErrors(), stats.toString('errors-warnings'));
    assert.not.ok(stats.hasWarnings(), stats.toString('errors-warnings'));
    return ownPage('out-webpack');
  },
  esbuild: async () => {
    const { warnings } = await esbuild({
      entryPoints: [inFolder('src/main.js')],
      bundle: true,
      format: 'esm',
      outfile: inFolder('out-esbuild/main.js'),
      logLevel: 'silent',
    });
    assert.equal(warnings, []);
    return ownPage('out-esbuild');
  },
  rollup: async () => {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: inFolder('src/main.js'),
      plugins: [nodeResolve({ browser: true })],
      onwarn: ({ message }) => {
        warnings.push(message);
      },
    });
    await bundle.write({ dir: inFolder('out-rollup'), format: 'es' });
    assert.equal(warnings, []);
    return ownPage('out-rollup');
  },
};

function ownPage(name: string): { site: string; page: string } {
  writeFileSync(inFolder(name, 'index.html'), html('./main.js'));
  return { site: inFolder(name), page: '/index.html' };
}

async function answersOf(url: string): Promise<Answers> {
  const context = await (await openBrowser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(url);
    await page.waitForFunction('globalThis.runQueries');
    return await page.evaluate<Answers>('runQueries({ threads: 2 })');
  } finally {
    await context.close();
  }
}

function check({ hashes, info }: Answers, isIsolated: boolean): void {
  assert.equal(hashes, expected.hashes);
  assert.is(info.threads, isIsolated ? 2 : 1);
  const codes = info.notes.map(({ code }) => code);
  // If a bundler omits the worker's file, workers run an inlined copy, and a note says so.
  assert.ok(
    isIsolated ? codes.every(code => code === 'inlined-worker') : codes.join() === 'not-isolated',
    codes.join(),
  );
}

for (const [name, make] of Object.entries(bundlers)) {
  let making: Promise<{ site: string; page: string }> | undefined;
  const register = name === 'esbuild' ? pageTest : pageTest.slow;
  register(`${name}: the build gives no warning`, async () => {
    await (making ??= make());
  });
  for (const isIsolated of [true, false]) {
    (isIsolated ? register : name === 'esbuild' ? pageTest.slow : pageTest.proof)(
      `${name}, ${isIsolated ? 'isolated: two threads' : 'not isolated: a note'}, and the same results as in Node`,
      async () => {
        const made = await (making ??= make());
        const { server, origin } = await serve({ folder: made.site, isIsolated });
        try {
          check(await answersOf(origin + made.page), isIsolated);
        } finally {
          server.closeAllConnections();
          server.close();
        }
      },
    );
  }
}

for (const isIsolated of [true, false]) {
  (isIsolated ? pageTest.slow : pageTest.proof)(
    `vite dev, ${isIsolated ? 'isolated: two threads' : 'not isolated: a note'}, and the same results as in Node`,
    async () => {
      const server = await createServer({
        root: folder,
        logLevel: 'error',
        configFile: false,
        server: { port: 0, host: '127.0.0.1', headers: isIsolated ? HEADERS : {}, hmr: false },
      });
      try {
        await server.listen();
        check(
          await answersOf(
            `http://127.0.0.1:${(server.httpServer!.address() as { port: number }).port}/index.html`,
          ),
          isIsolated,
        );
      } finally {
        await server.close();
      }
    },
  );
}

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: inFolder('node_modules/pfront'), strict: true });
  assert.equal(messages, []);
});

test.slow('each entry resolves to types that match its code, in every module resolution mode', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  assert.ok(analysis.types);
  // The problem CJSResolvesToESM is expected: the package has only ES modules, so require() fails with an
  // error that says so.
  assert.equal(
    analysis.problems
      .filter(({ kind }) => kind !== 'CJSResolvesToESM')
      .map(({ kind, ...rest }) => [kind, JSON.stringify(rest)]),
    [],
  );
});

test.after(async () => {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
});
test.run();
