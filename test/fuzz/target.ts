// Defines a fuzz target: what the fuzzer needs to know about one reader of files, messages or other input.
import type { Random } from '../../dist/samples/index.js';

/** What a mutator may use in addition to the input that it changes. */
export interface MutationContext {
  random: Random;
  /** Another input of the corpus. */
  other: Uint8Array;
  /** Words that mean something in the format, such as keywords. */
  dictionary: readonly string[];
}

/** Returns a changed copy of an input. */
export type Mutator = (bytes: Uint8Array, context: MutationContext) => Uint8Array;

/** A reader, with the inputs to start from and the rules that its results must satisfy. */
export interface Target {
  name: string;
  /** The built files, relative to `dist`, whose coverage guides the search. */
  covers: RegExp;
  seeds(): Uint8Array[] | Promise<Uint8Array[]>;
  dictionary: readonly string[];
  mutators: readonly Mutator[];
  /** Longer inputs are cut to this length, because they take longer to read but reach no other code. */
  maxBytes: number;
  /** The number of mutants (changed inputs) that `npm run test:all` makes. */
  mutants: number;
  /**
   * Reads an input. Returns whether it was accepted; false if it was refused with a documented error.
   * @throws any other error of the reader, or Wrong if a result breaks a rule
   */
  check(bytes: Uint8Array): boolean | Promise<boolean>;
}

/** A reader returned a wrong result, or the wrong kind of error. */
export class Wrong extends Error {}

export function require(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Wrong(message());
}

/**
 * Fails unless a reader may throw this error: it must have one of `codes`, a message of one line, and a fix.
 */
export function requireTypedError(error: unknown, codes: readonly string[]): void {
  const { code, message, fix } = error as { code?: unknown; message?: unknown; fix?: unknown };
  if (!codes.includes(code as string)) throw error;
  require(typeof message === 'string' && message.length > 0 && !/[\r\n]/.test(message), () =>
    `the message of ${String(code)} is not one line: ${JSON.stringify(message)}`);
  require(typeof fix === 'string' && fix.length > 0, () => `${String(code)} has no fix`);
}
