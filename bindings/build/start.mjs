// Implements `npm start`: installs the dependencies, builds dist, and searches for clashes in two samples: the
// gear train that `pfront sample` writes, and two Stanford bunnies. `npm start -- FILE [options]` searches the
// user's own file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathOf, root } from './paths.mjs';
import { build, install } from './setUp.mjs';

// Prints the title, and runs `pfront clash` in the folder `cwd`, to which relative file names refer.
function clash(title, args, cwd = root) {
  if (title) console.log(`\n${title}\n$ pfront clash ${args.join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [pathOf('dist/bin/pfront.js'), 'clash', ...args], {
    cwd,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// Returns two bunnies that overlap: the second one is shifted and rotated.
function twoBunnies(translation, rotation) {
  const { positions, cells } = createRequire(import.meta.url)('bunny');
  const bunny = { positions: Float32Array.from(positions.flat()), indices: Uint32Array.from(cells.flat()) };
  return [
    { name: 'bunny', ...bunny, transform: translation([0, 0, 0]) },
    { name: 'bunny, turned', ...bunny, transform: rotation([0, 1, 0], 0.7, [2, 0.5, 1]) },
  ];
}

async function showSamples() {
  const { rotation, translation } = await import('../../dist/samples/index.js');
  const { writeGlb } = await import('../../dist/cli/writeGlb.js');
  const { writeSample } = await import('../../dist/cli/sampleModel.js');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pfront-'));
  const write = (name, bytes) => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  clash('An epicyclic gear train, written as GLB: which of its gears touch?', [
    write('machine.glb', writeSample().bytes),
  ]);
  clash('Two Stanford bunnies', [write('bunnies.glb', writeGlb(twoBunnies(translation, rotation)))]);
  console.log(
    '\nYour own file (.glb, .gltf, .obj, .stl, .ply, .off, .3mf, also .gz; all formats: npx pfront clash --help):\n  npm start -- FILE [--json] [--stats] [--split components] [--threads N]',
  );
}

install();
build();
const args = process.argv.slice(2);
// INIT_CWD is the folder where npm was called.
if (args.length > 0) clash(undefined, args, process.env.INIT_CWD ?? root);
else await showSamples();
