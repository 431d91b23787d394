// Tests the error for a file whose reader needs more memory than the limit allows, or more than the library
// that parses the file can use.
import * as assert from 'uvu/assert';
import { InvalidFile } from '../../dist/formats/readParts.js';
import { type MemoryAdvice, runReader } from '../../dist/formats/watchedReader.js';
import { test } from '../support/test.js';

const MIB = 2 ** 20;
const moduleUrl = (name: string): string => new URL(`../../dist/formats/${name}.js`, import.meta.url).href;
const advice: MemoryAdvice = { limitOption: '--some-limits', maxBytes: 8 * MIB, smaller: 'Export less.' };

/** Runs a reader whose worker runs the code `work`, and returns the error. */
async function errorOf(memoryBytes: number, work: string): Promise<{ message: string; fix: string }> {
  const script = `
    import { checkMemory, checkMemoryAfterError } from ${JSON.stringify(moduleUrl('readerTask'))};
    import { postOutput } from ${JSON.stringify(moduleUrl('postOutput'))};
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1000 });
    void postOutput([], async () => { ${work} });`;
  const { error } = await runReader(
    new Uint8Array(1),
    {},
    {
      script: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
      library: 'reader',
      memory: advice,
      seconds: 60,
      readers: undefined,
      memoryBytes,
      timeout: () => new InvalidFile('took too long', ''),
    },
  );
  return { message: error!.message, fix: error!.fix };
}

const GROW = 'try { memory.grow(200); } catch {} checkMemory();';

test('if the limit is less than the library can use, the error suggests a higher limit', async () =>
  assert.equal(await errorOf(4 * MIB, GROW), {
    message: 'reader needs more than 4 MiB of memory',
    fix: 'Split the file, or raise the limits with --some-limits 4.',
  }));

test('if the limit is at least what the library can use, the error suggests only a smaller file', async () => {
  for (const limit of [8, 100])
    assert.equal(await errorOf(limit * MIB, GROW), {
      message: 'reader needs more than 8 MiB of memory, which is the max that the library can use',
      fix: 'Export less.',
    });
});

test('a library that fails while it uses more than half of the memory that it can use is reported as out of memory', async () => {
  const failWith = (pages: number): string =>
    `try { memory.grow(${pages}); throw new Error('Aborted()'); } catch (error) { checkMemoryAfterError(); throw error; }`;
  assert.equal(await errorOf(8 * MIB, failWith(80)), {
    message: 'reader needs more than 8 MiB of memory, which is the max that the library can use',
    fix: 'Export less.',
  });
  await errorOf(8 * MIB, failWith(20)).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, 'Aborted()'),
  );
});

test.run();
