// Builds dist from the sources: record layouts, kernels, scripts and type declarations. Steps whose inputs
// have not changed are skipped. With --layout, only the record layouts are generated.
import { bundleDeclarations } from './declarations.mjs';
import { compileKernels } from './kernels.mjs';
import { emitLayouts } from './layouts.mjs';
import { pathOf } from './paths.mjs';
import { removeStaleFiles } from './removeStaleFiles.mjs';
import { compileScripts } from './scripts.mjs';
import { digest, filesBelow, isCurrent, writeStamp } from './stamps.mjs';

const hashSources = () =>
  digest(
    filesBelow(
      ['bindings', 'assembly', 'gpu', 'package.json', 'package-lock.json', 'asconfig.json'].map(name =>
        pathOf(name),
      ),
    ),
  );

async function build() {
  const written = await emitLayouts();
  if (process.argv.includes('--layout')) return;
  written.push(...(await compileKernels()));
  written.push(...(await compileScripts()));
  written.push(...(await bundleDeclarations(written)));
  removeStaleFiles(pathOf('dist'), new Set(written));
  writeStamp('build', hashSources(), written);
}

if (process.argv.includes('--layout') || !isCurrent('build', hashSources())) await build();
