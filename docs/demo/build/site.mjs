// Builds the site into dist-demo: the demo, the documents and the API reference. The site consists of static
// files with relative links, so any host can serve it from any folder.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { readAllPaperRows, readPaperCurves } from '../../../bench/support/paperRows.mjs';
import { papersPage } from '../../../bench/support/papersPage.mjs';
import { pathOf } from '../../../bindings/build/paths.mjs';
import { buildReference } from '../../reference/reference.mjs';
import { writeDocuments } from './documents.mjs';
import { articleOf, fill, pageHtml, template } from './template.mjs';

const source = (...parts) => pathOf('docs/demo', ...parts);

const home = {
  name: 'home',
  file: 'index.html',
  title: 'Exact collision detection',
  description:
    'pfront finds every pair of triangles that intersect, exactly, in Node and on web pages. A building is searched for clashes in every frame.',
};

/** All demo pages except the landing page, in the order of the navigation bar. */
const pages = [
  {
    name: 'gears',
    file: 'gears.html',
    title: 'Gears',
    description:
      'An epicyclic gear train: exact contacts between 149,000 triangles, and the work of each thread.',
  },
  {
    name: 'scans',
    file: 'scans.html',
    title: 'Scans',
    description: 'Two scans move through each other: intersecting triangles, and the size of the front.',
  },
  {
    name: 'bodies',
    file: 'bodies.html',
    title: 'Bodies',
    description: 'Thousands of bodies: contacts that begin and end, with five broad phases.',
  },
  {
    name: 'cloth',
    file: 'cloth.html',
    title: 'Cloth',
    description:
      'A cloth falls over a rotating ball and folds. Continuous collision detection keeps it from passing through itself.',
  },
  {
    name: 'bullets',
    file: 'bullets.html',
    title: 'Bullets',
    description: 'Fast bullets and thin walls: discrete and continuous collision detection side by side.',
  },
  {
    name: 'character',
    file: 'character.html',
    title: 'Walk',
    description:
      'Capsules walk about in a level of 300,000 triangles: walls, stairs, slopes and jumps. You steer one of them.',
  },
  {
    name: 'measures',
    file: 'measures.html',
    title: 'Measures',
    description: 'One body moves through another: distance, contact curve and penetration depth.',
  },
  {
    name: 'cluster',
    file: 'cluster.html',
    title: 'Cluster',
    description:
      'A swarm on several nodes: columns that move between nodes, bodies at borders, and the messages between nodes.',
  },
  {
    name: 'clash',
    file: 'clash.html',
    title: 'Clash',
    description: 'Clashes between the parts of a building, or of your own GLB, IFC, STL, OBJ or PLY file.',
  },
];

const documents = [
  ['docs/guides/first-query.html', 'First query', 'Two meshes, and the triangles in which they intersect.'],
  ['docs/guides/tour.html', 'API tour', 'Every kind of query on one page, with links to all guides.'],
  [
    'docs/guides/agents.html',
    'Coding agents',
    'The whole API on one page, with recipes and common mistakes.',
  ],
  ['docs/guides/clash.html', 'Clashes', 'Which parts of a model clash: tables, reports and CI.'],
  ['docs/guides/web-pages.html', 'Web pages', 'Bundlers, workers, headers and content security policies.'],
  ['papers.html', 'Papers', 'The figures of the five papers that pfront implements, with its own results.'],
  ['api/index.html', 'API', 'Every function, option and type of the package.'],
];

const item = (address, title, description) =>
  `<li><a href="${address}">${title}</a><span>${description}</span></li>`;

// Returns the links of a page's navigation bar. root: the relative path from the page to the root of the
// site. name: the name of the page, whose link is then marked as the current one; undefined if the bar has no
// link to the page.
const linksOf = (root, name) =>
  `${pages
    .map(
      page =>
        `<a href="${root}${page.file}"${page.name === name ? ' aria-current="page"' : ''}>${page.title}</a>`,
    )
    .join('')}<a href="${root}api/index.html">API</a>`;

function writePage(folder, { name, file, title, description }) {
  const main = fill(template(name, 'page.html').trimEnd(), {
    demos: pages.map(page => item(page.file, page.title, page.description)).join(''),
    documents: documents.map(([address, text, about]) => item(address, text, about)).join(''),
  });
  const html = pageHtml({
    root: '',
    title,
    description,
    links: linksOf('', name),
    scripts: `<script type="module" src="${name}.js"></script>\n`,
    tools: template('shell/tools.html'),
    main: `<main>\n${main}\n</main>`,
  });
  writeFileSync(`${folder}/${file}`, html);
}

const options = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning', legalComments: 'none' };

/**
 * Empties the folder and builds all pages into it, except the API reference. Needs the built package in dist.
 * Returns the folder.
 */
export async function buildPages(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle({
    ...options,
    outdir: folder,
    format: 'esm',
    splitting: true,
    entryPoints: [
      ...[home, ...pages].map(({ name }) => ({ in: source(name, 'main.ts'), out: name })),
      { in: source('clash/ifcWorker.ts'), out: 'ifcWorker' },
    ],
  });
  // Classic scripts, not modules: firstTheme.js runs before the page is drawn, and isolationWorker.js is a
  // service worker.
  await bundle({
    ...options,
    outdir: folder,
    format: 'iife',
    entryPoints: [source('shell/firstTheme.ts'), source('shell/isolationWorker.ts')],
  });
  const css = ['node_modules/uplot/dist/uPlot.min.css', 'docs/demo/shell/style.css']
    .map(file => readFileSync(pathOf(file), 'utf8'))
    .join('\n');
  writeFileSync(`${folder}/style.css`, css);
  cpSync(source('shell/icon.svg'), `${folder}/icon.svg`);
  cpSync(
    pathOf('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    `${folder}/inter.woff2`,
  );
  cpSync(pathOf('dist/runtime/worker.js'), `${folder}/worker.js`);
  cpSync(pathOf('node_modules/web-ifc/web-ifc.wasm'), `${folder}/web-ifc.wasm`);
  writeDocuments(folder, linksOf);
  writeFileSync(
    `${folder}/papers.html`,
    pageHtml({
      root: '',
      title: 'Figures of the papers',
      description: 'Figures and tables of the five papers that pfront implements, with its own results.',
      links: linksOf(''),
      main: articleOf(papersPage(readAllPaperRows(), readPaperCurves())),
    }),
  );
  for (const page of [home, ...pages]) writePage(folder, page);
  return folder;
}

/**
 * Builds the whole site: all pages and the API reference. Needs the built package in dist. Returns the
 * folder.
 */
export async function buildSite(folder = pathOf('dist-demo')) {
  await buildPages(folder);
  await buildReference(`${folder}/api`);
  return folder;
}
