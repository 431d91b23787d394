// Tests the page in docs/guides/web-pages.md that needs no bundler. Its scripts come from a folder or from a
// CDN. The page sends few requests and finds as many pairs as Node. The errors that `pfront/three` throws are
// instances of the error classes of `pfront`.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Matrix4, SphereGeometry, TorusGeometry } from 'three';
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { meshFromGeometry } from '../../dist/three/index.js';
import { withoutBusyCodes } from '../support/busyMachine.js';
import { closeBrowser, loadOn, pageTest, root, type Site, shownAnswer, withPage } from '../support/pages.js';
import { test } from '../support/test.js';

const guide = readFileSync(`${root}docs/guides/web-pages.md`, 'utf8');
const [folderPage, cdnMap] = [...guide.matchAll(/```html\n([^]*?)```/g)].map(([, html]) => html!);
const MAP = /<script type="importmap">[^]*?<\/script>/;
const asPage = (html: string): string => html.replace('<title>', '<link rel="icon" href="data:,"><title>');

/** The files that the guide says to copy, and where they are in the repository. */
const files = {
  'pfront.js': 'dist/pfront.js',
  'pfront-worker.js': 'dist/pfront-worker.js',
  'pfront-three.js': 'dist/pfront-three.js',
  'three.module.js': 'node_modules/three/build/three.module.js',
  'three.core.js': 'node_modules/three/build/three.core.js',
};
const folder = mkdtempSync(path.join(tmpdir(), 'pfront-page-'));
mkdirSync(path.join(folder, 'lib'));
for (const [name, file] of Object.entries(files)) copyFileSync(root + file, path.join(folder, 'lib', name));

const fromFolder: Site = { folder, made: { '/page.html': asPage(folderPage!) } };
const fromCdn: Site = {
  folder,
  missing: /^\/lib\//,
  made: { '/page.html': asPage(folderPage!.replace(MAP, cdnMap!.trim())) },
  other: {
    address: 'https://cdn.example/',
    fileAt: name => name.replace(/^pfront@[\d.]+\//, '').replace(/^three@[\d.]+\//, 'node_modules/three/'),
  },
};

// Runs the query of the guide in Node. The page must find the same number of pairs.
const engine = await createEngine({ threads: 1 });
const { count } = engine.query(
  meshFromGeometry(engine, new SphereGeometry(1, 32, 16)),
  meshFromGeometry(engine, new TorusGeometry(1, 0.3, 16, 48)),
  { transformB: new Matrix4().makeTranslation(0.9, 0, 0) },
);
engine.dispose();

interface Seen {
  answer: string;
  errors: string[];
  /** Sorted names of the files that the page loaded, each listed as often as it was loaded. */
  loaded: string[];
  notes: string[];
  /** Whether an error of `pfront/three` is an instance of a class of `pfront`. */
  isOneClass: boolean;
}

/** Opens the page in a browser that reports four cores. Returns what the page shows, loads and reports. */
const see = (site: Site, isIsolated: boolean): Promise<Seen> =>
  loadOn(isIsolated ? 3 : 1, () => seeOnce(site, isIsolated));

const seeOnce = (site: Site, isIsolated: boolean): Promise<Seen> =>
  withPage(
    {
      ...site,
      isIsolated,
      before: "Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 4 });",
    },
    '/page.html',
    async (page, errors, requests) => {
      const answer = await shownAnswer(page, /^\d/);
      const loaded = requests
        .filter(address => /^https?:/.test(address))
        .map(address => address.split('/').at(-1)!)
        .sort();
      const { notes, isOneClass } = await page.evaluate<Pick<Seen, 'notes' | 'isOneClass'>>(`(async () => {
        const { createEngine, Unsupported } = await import('pfront');
        const { meshFromGeometry } = await import('pfront/three');
        const { BoxGeometry } = await import('three');
        const engine = await createEngine();
        const notes = engine.info.notes.map(({ code }) => code);
        try {
          meshFromGeometry(engine, new BoxGeometry(), { groups: [9] });
        } catch (error) {
          return { notes, isOneClass: error instanceof Unsupported };
        }
      })()`);
      return { answer, errors, loaded, notes: withoutBusyCodes(notes), isOneClass };
    },
  );

const scripts = ['page.html', 'pfront-three.js', 'pfront.js', 'three.core.js', 'three.module.js'];
const worker = 'pfront-worker.js';

pageTest('from a folder, isolated: several threads, no notes, and each script is loaded once', async () => {
  const { answer, loaded, ...rest } = await see(fromFolder, true);
  assert.is(answer, `${count} pairs on 3 threads`);
  assert.equal(
    loaded.filter(name => name !== worker),
    scripts,
  );
  // The browser may load the script of the workers once for each of the two workers.
  assert.ok(loaded.length <= scripts.length + 2, loaded.join());
  assert.equal(rest, { errors: [], notes: [], isOneClass: true });
});

pageTest('from a CDN, isolated: several threads that run inlined source, and five requests', async () => {
  const { answer, loaded, ...rest } = await see(fromCdn, true);
  assert.is(answer, `${count} pairs on 3 threads`);
  assert.equal(loaded, scripts);
  assert.equal(rest, { errors: [], notes: ['inlined-worker'], isOneClass: true });
});

for (const [name, site] of Object.entries({ 'a folder': fromFolder, 'a CDN': fromCdn })) {
  pageTest(`from ${name}, not isolated: one thread and five requests`, async () => {
    const { answer, loaded, ...rest } = await see(site, false);
    assert.is(answer, `${count} pairs on 1 threads`);
    assert.equal(loaded, scripts);
    assert.equal(rest, { errors: [], notes: ['not-isolated'], isOneClass: true });
  });
}

test.after(async () => {
  await closeBrowser();
  rmSync(folder, { recursive: true });
});
test.run();
