// Builds pages that exist only so that `npm run pictures` can take pictures of them. They are not part of the
// demo.
import { readFileSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { pathOf } from '../../../bindings/build/paths.mjs';
import { pageHtml, template } from './template.mjs';

/** The script of each page, in docs/demo/pictures. */
const scripts = {
  poses: 'poses.ts',
  babylon: 'babylon.ts',
  'react-three-fiber': 'reactThreeFiber.tsx',
};

/** Resolves an import of `guide:NAME` to one module with all TypeScript snippets of docs/guides/NAME.md. */
const guides = {
  name: 'guides',
  setup(build) {
    build.onResolve({ filter: /^guide:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'guide' }));
    build.onLoad({ filter: /.*/, namespace: 'guide' }, ({ path }) => ({
      contents: [
        ...readFileSync(pathOf(`docs/guides/${path}.md`), 'utf8').matchAll(/^```tsx?\n([^]*?)^```$/gm),
      ]
        .map(([, snippet]) => snippet)
        .join('\n'),
      loader: 'tsx',
      resolveDir: pathOf('docs/demo'),
    }));
  },
};

/** Builds the pages into the folder of the demo, whose style and worker they use. */
export async function buildPicturePages(folder) {
  await bundle({
    bundle: true,
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    outdir: folder,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    plugins: [guides],
    entryPoints: Object.entries(scripts).map(([out, file]) => ({
      in: pathOf('docs/demo/pictures', file),
      out,
    })),
  });
  for (const name of Object.keys(scripts))
    writeFileSync(
      `${folder}/${name}.html`,
      pageHtml({
        root: '',
        title: name,
        description: `The picture of a guide: ${name}.`,
        links: '',
        scripts: `<script type="module" src="${name}.js"></script>\n`,
        tools: template('shell/tools.html'),
        main: '<main><div class="view" id="view"><p class="status" id="status">Starting threads…</p></div></main>',
      }),
    );
}
