// Finds the lines of the sources from which the instructions of a kernel file were compiled.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { cacheFolder, pathOf, root } from '../../bindings/build/paths.mjs';
import { digest } from '../../bindings/build/stamps.mjs';
import type { WasmFile } from '../../dist/engine/engineOptions.js';
import { type Instruction, OP, readCode } from './wasmCode.js';

const I32_ADD = 0x6a;
/** Number of instructions of `mapped` among which `align` searches for equal code. */
const WINDOW = 12;

/**
 * Pairs the instructions of a function in two files: `shipped` lacks some of the instructions of `mapped`,
 * because the build folds constants into addresses. @returns for each instruction of `shipped`, the same
 * instruction of `mapped`, or undefined if it was not found
 */
function align(shipped: readonly Instruction[], mapped: readonly Instruction[]): (Instruction | undefined)[] {
  const pairs: (Instruction | undefined)[] = [];
  const areEqual = (i: number, k: number): boolean => shipped[i]?.op === mapped[k]?.op;
  let k = 0;
  for (let i = 0; i < shipped.length; i++) {
    if (!areEqual(i, k)) {
      const isFolded = mapped[k]?.op === OP.i32Const && mapped[k + 1]?.op === I32_ADD;
      const skips = Array.from({ length: WINDOW }, (_, skip) => skip);
      const skip = isFolded ? 2 : skips.find(skip => areEqual(i, k + skip) && areEqual(i + 1, k + skip + 1));
      if (skip === undefined) {
        pairs.push(undefined);
        continue;
      }
      k += skip;
    }
    pairs.push(mapped[k++]);
  }
  return pairs;
}

// Compiles a kernel file once more, with a source map. Returns the place of each instruction of each function.
function compileWithPlaces(file: WasmFile, folder: string): string[][] {
  const wasm = path.join(folder, `${file}.wasm`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      pathOf('node_modules/assemblyscript/bin/asc.js'),
      `assembly/entries/${file}.ts`,
      '--outFile',
      wasm,
      '--sourceMap',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${file} did not compile:\n${stdout}${stderr}`);
  const map = new SourceMap(JSON.parse(readFileSync(`${wasm}.map`, 'utf8')));
  const mapped = readCode(readFileSync(wasm)).functions;
  const place = (instruction: Instruction | undefined): string => {
    const entry = instruction && map.findEntry(0, instruction.at);
    return entry && 'originalSource' in entry && entry.originalSource
      ? `${entry.originalSource}:${entry.originalLine + 1}`
      : '';
  };
  return readCode(readFileSync(pathOf(`dist/wasm/${file}.wasm`))).functions.map(({ index, instructions }) =>
    align(instructions, mapped[index]?.instructions ?? []).map(place),
  );
}

const HELPERS = /^assembly\/simd\//;

/**
 * Returns the place in the sources of each instruction of each function of a kernel file. The result is cached
 * for each version of the file.
 */
function placesIn(file: WasmFile): string[][] {
  const folder = path.join(cacheFolder, 'mutation');
  mkdirSync(folder, { recursive: true });
  const kept = path.join(folder, `${file}-${digest([pathOf(`dist/wasm/${file}.wasm`)]).slice(0, 12)}.json`);
  if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(compileWithPlaces(file, folder)));
  return JSON.parse(readFileSync(kept, 'utf8'));
}

/**
 * Returns the place in the sources of an instruction, such as 'assembly/bvh/bins.ts:12'. If this place is in an
 * inlined helper of assembly/simd, returns the place of the next instruction outside of helpers, which is near
 * the call of the helper, followed by the place in the helper in parentheses. If the compiler gives no place,
 * returns only the place of the next instruction outside of helpers.
 */
export function placeOf(file: WasmFile, functionIndex: number, instruction: number): string {
  const places = placesIn(file)[functionIndex];
  const own = places[instruction];
  if (own && !HELPERS.test(own)) return own;
  const isOther = (place: string): boolean => place !== '' && !HELPERS.test(place);
  const near = places.slice(instruction).find(isOther) ?? places.slice(0, instruction).findLast(isOther);
  return own ? `${near ?? file} (${own})` : (near ?? `${file}.wasm`);
}
