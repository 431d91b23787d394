// Fuzz targets for readers with planted faults. They test that the fuzzer finds such faults.
import { byteMutators } from '../mutators/bytes.js';
import { ofLatin } from '../mutators/text.js';
import { type Target, Wrong } from '../target.js';

const held: unknown[] = [];

/** Makes a reader that does something wrong if its input begins with a 'P'. */
const plant = (name: string, fault: (bytes: Uint8Array) => void): Target => ({
  name,
  covers: /^$/,
  mutants: 0,
  maxBytes: 256,
  mutators: byteMutators,
  dictionary: ['P'],
  seeds: () => [ofLatin('some text')],
  check(bytes) {
    if (bytes[0] === 'P'.charCodeAt(0)) fault(bytes);
    return true;
  },
});

export const planted: readonly Target[] = [
  plant('planted wrong read', () => {
    throw new Wrong('0 triangles, not 1');
  }),
  plant('planted TypeError', () => {
    (undefined as unknown as { length: number }).length++;
  }),
  plant('planted hang', () => {
    for (;;);
  }),
  plant('planted heap bomb', () => {
    for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
  }),
  plant('planted buffer bomb', () => {
    for (;;) held.push(new Uint8Array(2 ** 20).fill(1));
  }),
  plant('planted exit', () => {
    process.exit(3);
  }),
];
