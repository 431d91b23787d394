// Chooses mutants of the kernels: each is a kernel file with one deliberate error.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathOf } from '../../bindings/build/paths.mjs';
import type { WasmFile } from '../../dist/engine/engineOptions.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { shuffle, takeRoundRobin } from './choose.js';
import { placeOf } from './locate.js';
import type { Mutant } from './mutant.js';
import { type Kind, kinds, type Mutation, mutationsOf } from './operators.js';
import { callersOf, OP, readCode, type WasmFunction } from './wasmCode.js';

/**
 * One deliberate error in a kernel file. function: the number of the changed function in the file. instruction:
 * the index of the changed instruction in the function. at: its byte position in the file. kernels: the kernels
 * that can run it.
 */
export interface KernelError extends Mutation {
  file: WasmFile;
  function: number;
  instruction: number;
  at: number;
  kernels: readonly string[];
}

/** The kernel files of the package, without the file of the kernels that only reproduce papers. */
export const files: readonly WasmFile[] = readdirSync(pathOf('assembly/entries'))
  .map(name => path.parse(name).name as WasmFile | 'papers')
  .filter(name => name !== 'papers');

export const bytesOf = (file: WasmFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(pathOf(`dist/wasm/${file}.wasm`)));

/** Returns the kernel file with an error. */
export function mutated({ file, at, bytes }: KernelError): Uint8Array<ArrayBuffer> {
  const copy = bytesOf(file);
  copy.set(bytes, at);
  return copy;
}

/** Returns, for each kernel, the name of its folder in `assembly`. */
const foldersOfKernels = (): ReadonlyMap<string, string> =>
  new Map(
    files.flatMap(file =>
      [
        ...readFileSync(pathOf(`assembly/entries/${file}.ts`), 'utf8').matchAll(
          /export \{ (\w+) \} from '\.\.\/(\w+)\//g,
        ),
      ].map(([, name, folder]): [string, string] => [name, folder]),
    ),
  );

/** Makes a mutant from an error. folders: for each kernel, the name of its folder in `assembly`. */
export function kernelMutant(error: KernelError, folders: ReadonlyMap<string, string>): Mutant {
  const { file, kernels } = error;
  const isRunBy = (names: readonly string[]): boolean => kernels.some(name => names.includes(name));
  const script = `wasm/${file}.wasm.js`;
  return {
    where: kernels.join(', '),
    change: error.change,
    place: () => placeOf(file, error.function, error.instruction),
    isRunBy,
    suites: kernels.map(name => folders.get(name)),
    sceneMutant: references => ({
      scenes: references.filter(scene => isRunBy(scene.kernels)).map(({ name }) => name),
      wasm: { file, at: error.at, bytes: error.bytes },
    }),
    changedFiles: () => ({
      files: {
        [script]: readFileSync(pathOf(`dist/${script}`), 'utf8').replace(
          /'[\w+/=]+'/,
          `'${gzipSync(mutated(error), { level: 1 }).toString('base64')}'`,
        ),
      },
      env: {},
    }),
    // If no test fails with this trap, no test runs the instruction.
    trapping: () =>
      kernelMutant(
        { ...error, change: 'trap', bytes: error.bytes.map((_, i) => (i === 0 ? OP.unreachable : OP.nop)) },
        folders,
      ),
  };
}

interface Site {
  file: WasmFile;
  code: Uint8Array;
  body: WasmFunction;
  kernels: readonly string[];
}

// Several kernel files contain the same function. Returns one list of sites for each distinct function.
function distinctFunctions(): Site[][] {
  const byBody = new Map<string, Site[]>();
  for (const file of files) {
    const code = bytesOf(file);
    const decoded = readCode(code);
    const callers = callersOf(decoded);
    for (const body of decoded.functions) {
      // The numbers of called functions differ between files, so only opcodes are compared.
      const key = body.instructions.map(({ op }) => op).join(' ');
      byBody.set(key, [...(byBody.get(key) ?? []), { file, code, body, kernels: callers[body.index] }]);
    }
  }
  return [...byBody.values()];
}

// Returns all errors of a function: one error of each kind, then another one of each kind, and so on. The order
// within a kind is random. Errors of the kind 'slack' come first, because few functions have any.
function* errorsIn(sites: readonly Site[], random: Random): Generator<KernelError> {
  const queues = new Map<Kind, { instruction: number; mutation: Mutation }[]>(kinds.map(kind => [kind, []]));
  sites[0].body.instructions.forEach((instruction, i) => {
    for (const mutation of mutationsOf(sites[0].code, instruction))
      queues.get(mutation.kind)!.push({ instruction: i, mutation });
  });
  const order = [
    queues.get('slack')!,
    ...shuffle(
      kinds.filter(kind => kind !== 'slack').map(kind => queues.get(kind)!),
      random,
    ),
  ];
  for (const queue of order) shuffle(queue, random);
  for (let iteration = 0; order.some(queue => queue.length > iteration); iteration++)
    for (const queue of order) {
      if (queue.length <= iteration) continue;
      const { instruction, mutation } = queue[iteration];
      const { file, body, kernels } = sites[random.below(sites.length)];
      yield {
        ...mutation,
        file,
        kernels,
        function: body.index,
        instruction,
        at: body.instructions[instruction].at,
      };
    }
}

/**
 * Chooses `count` errors: one in each function of all kernel files, in random order, then another one in each
 * function, and so on. Skips errors that would make a file invalid WebAssembly. The first errors for a seed do
 * not depend on `count`.
 */
export function chooseErrors(seed: number, count: number): KernelError[] {
  const random = createRandom(seed);
  return takeRoundRobin(
    shuffle(distinctFunctions(), random).map(sites => errorsIn(sites, random)),
    count,
    error => WebAssembly.validate(mutated(error)),
  );
}

/** Chooses `count` mutants of the kernels. */
export function chooseKernelMutants(seed: number, count: number): Mutant[] {
  const folders = foldersOfKernels();
  return chooseErrors(seed, count).map(error => kernelMutant(error, folders));
}
