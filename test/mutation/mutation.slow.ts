// Tests that errors in kernels are found: a trap in any kernel, a kernel that never ends, and at least half of
// a sample of mutants. `npm run mutation` runs more of these mutants.
import * as assert from 'uvu/assert';
import { kernelNames } from '../../dist/records/kernels.js';
import { test } from '../support/test.js';
import { bytesOf, chooseErrors, files, type KernelError, kernelMutant, mutated } from './kernelMutants.js';
import type { Mutant, Outcome } from './mutant.js';
import { kinds } from './operators.js';
import { SceneRunner } from './runScenes.js';
import { OP, readCode } from './wasmCode.js';

const SEED = 1;
const SAMPLE = 8;
/**
 * Min number of mutants of the sample that must be found. It is far below SAMPLE, because each change of a
 * kernel changes the sample, and some mutants change no result.
 */
const MIN_FOUND = 4;

let runner: SceneRunner;
test.before(async () => {
  runner = await SceneRunner.start();
});
test.after(() => runner.close());

/**
 * Returns whether an instruction begins or divides a block (block, loop, if, else), so that it cannot be
 * replaced alone.
 */
const isBlock = (op: number): boolean => op >= 0x02 && op <= 0x05;

/**
 * Replaces instructions near the start of a kernel by `code`. Replaces as few as possible, and none that begins
 * or divides a block.
 */
function atStart(name: string, code: readonly number[]): Mutant {
  for (const file of files) {
    const { functions, exported } = readCode(bytesOf(file));
    const index = exported.get(name);
    if (index === undefined) continue;
    const { instructions } = functions[index];
    for (let first = 0; ; first++) {
      let last = first;
      while (instructions[last].end - instructions[first].at < code.length) last++;
      if (instructions.slice(first, last + 1).some(({ op }) => isBlock(op))) continue;
      const { at } = instructions[first];
      const bytes = new Uint8Array(instructions[last].end - at).fill(OP.nop);
      bytes.set(code);
      const change = 'another start';
      const error: KernelError = {
        kind: 'branch',
        change,
        bytes,
        file,
        function: index,
        instruction: first,
        at,
        kernels: [name],
      };
      assert.ok(WebAssembly.validate(mutated(error)), name);
      return kernelMutant(error, new Map());
    }
  }
  throw new Error(`no kernel file contains ${name}`);
}

async function outcomesOf(mutants: readonly Mutant[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await runner.run(mutants, (index, outcome) => {
    outcomes[index] = outcome;
  });
  return outcomes;
}

test('a trap at the start of any kernel is found', async () => {
  const outcomes = await outcomesOf(kernelNames.map(name => atStart(name, [OP.unreachable])));
  assert.equal(
    kernelNames.filter((_, i) => outcomes[i].status !== 'trap'),
    [],
  );
});

test('a kernel that never ends is stopped and reported as a timeout', async () => {
  const forever = [OP.loop, OP.emptyBlock, OP.br, 0, OP.end, OP.unreachable];
  const [first, second] = await outcomesOf([
    atStart('traverse', forever),
    atStart('traverse', [OP.unreachable]),
  ]);
  assert.is(first.status, 'timeout');
  assert.is(second.status, 'trap');
});

test(`of ${SAMPLE} mutants of kernels, at least ${MIN_FOUND} are found`, async () => {
  const errors = chooseErrors(SEED, 3 * SAMPLE).filter(({ kind }) => kind !== 'slack');
  const mutants = errors.slice(0, SAMPLE).map(error => kernelMutant(error, new Map()));
  const outcomes = await outcomesOf(mutants);
  const found = outcomes.filter(({ status }) => status !== 'survived').length;
  console.log(`counted: ${found} of ${SAMPLE} mutants found`);
  assert.ok(found >= MIN_FOUND, `${found} found`);
});

test('errors of all kinds are made, and the same seed gives the same errors', () => {
  const errors = chooseErrors(SEED, 1000);
  assert.is(errors.length, 1000);
  // The kernels have only a dozen instructions whose errors are of the kind 'rounding'.
  const found = new Set(chooseErrors(SEED, 20_000).map(({ kind }) => kind));
  assert.equal([...found].sort(), [...kinds].sort());
  assert.is(new Set(errors.map(({ file, at, bytes }) => `${file} ${at} ${bytes}`)).size, 1000);
  assert.equal(chooseErrors(SEED, 200), errors.slice(0, 200));
});

test.run();
