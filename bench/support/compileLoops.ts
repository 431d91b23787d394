// Compiles an AssemblyScript file of bench/native in the same way as the build compiles kernels.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { foldOffsets } from '../../bindings/build/foldOffsets.mjs';
import { compileBytes } from '../../dist/runtime/wasm.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles `bench/native/<name>.ts`. The module imports the memory `env.memory`. */
export function compileLoops(name: string, memoryKind: 'shared' | 'single'): Promise<WebAssembly.Module> {
  const folder = mkdtempSync(`${tmpdir()}/pfront-bench-`);
  try {
    execFileSync(
      process.execPath,
      [
        `${root}node_modules/assemblyscript/bin/asc.js`,
        `bench/native/${name}.ts`,
        '--config',
        'asconfig.json',
        '--outFile',
        `${folder}/loops.wasm`,
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return compileBytes(Uint8Array.from(foldOffsets(readFileSync(`${folder}/loops.wasm`))), memoryKind);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
