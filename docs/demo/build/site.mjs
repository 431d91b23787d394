// Sources of the demo, dist and docstrings -> dist-demo: plain files that any host serves from any folder.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { at } from '../../../bindings/build/paths.mjs';
import { buildReference } from '../../reference/reference.mjs';

const source = (...parts) => at('docs/demo', ...parts);

const pages = [
  {
    name: 'gears',
    file: 'index.html',
    title: 'Gears',
    description: 'An epicyclic gear train: exact contacts of 149,000 triangles, and the work of each thread.',
  },
  {
    name: 'scans',
    file: 'scans.html',
    title: 'Scans',
    description:
      'Two scans driven through each other: triangles in contact, and the front that the work is cut at.',
  },
  {
    name: 'bodies',
    file: 'bodies.html',
    title: 'Bodies',
    description: 'Thousands of bodies: contacts that begin and end, by five broad phases.',
  },
  {
    name: 'cloth',
    file: 'cloth.html',
    title: 'Cloth',
    description:
      'A cloth that falls over a turning ball and folds: every step is swept, so that it never passes through itself.',
  },
  {
    name: 'bullets',
    file: 'bullets.html',
    title: 'Bullets',
    description:
      'Fast bullets and thin walls: what is seen at the end of each step, and what is found on the way.',
  },
  {
    name: 'measures',
    file: 'measures.html',
    title: 'Measures',
    description:
      'One body driven through another: how near they are, where their surfaces meet, how deep they are in each other.',
  },
  {
    name: 'cluster',
    file: 'cluster.html',
    title: 'Cluster',
    description:
      'A swarm on several nodes: columns that change hands, bodies that are known on both sides of a border, and what nodes send each other.',
  },
  {
    name: 'clash',
    file: 'clash.html',
    title: 'Clash',
    description: 'Clashes between the parts of your own GLB, STL, OBJ or PLY file, found in the page.',
  },
];

function writePage(folder, { name, file, title, description }) {
  const links = `${pages
    .map(
      page => `<a href="${page.file}"${page.name === name ? ' aria-current="page"' : ''}>${page.title}</a>`,
    )
    .join('')}<a href="api/index.html">API</a>`;
  const parts = {
    name,
    title,
    description,
    links,
    main: readFileSync(source(name, 'page.html'), 'utf8').trimEnd(),
  };
  const html = readFileSync(source('shell/page.html'), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (_, part) => parts[part],
  );
  writeFileSync(`${folder}/${file}`, html);
}

const options = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning', legalComments: 'none' };

/** Writes the pages anew. Needs dist. @returns their folder */
export async function buildPages(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle({
    ...options,
    outdir: folder,
    format: 'esm',
    splitting: true,
    entryPoints: pages.map(({ name }) => ({ in: source(name, 'main.ts'), out: name })),
  });
  // Scripts without imports: one runs before the page is drawn, the other is a service worker.
  await bundle({
    ...options,
    outdir: folder,
    format: 'iife',
    entryPoints: [source('shell/firstTheme.ts'), source('shell/isolationWorker.ts')],
  });
  const css = ['node_modules/uplot/dist/uPlot.min.css', 'docs/demo/shell/style.css']
    .map(file => readFileSync(at(file), 'utf8'))
    .join('\n');
  writeFileSync(`${folder}/style.css`, css);
  cpSync(source('shell/icon.svg'), `${folder}/icon.svg`);
  cpSync(
    at('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    `${folder}/inter.woff2`,
  );
  cpSync(at('dist/runtime/worker.js'), `${folder}/worker.js`);
  for (const page of pages) writePage(folder, page);
  return folder;
}

/**
 * Writes the whole site anew: the pages and the reference that they link to. Needs dist. @returns its folder
 */
export async function buildSite(folder = at('dist-demo')) {
  await buildPages(folder);
  await buildReference(`${folder}/api`);
  return folder;
}
