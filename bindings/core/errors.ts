// What went wrong, by whose rule, and what to do -> one typed error family for every edge of the package.

/** Base of every error pfront throws. `code` is stable, `fix` says what to do. */
export class CollisionError extends Error {
  /** The name of the kind of error; 'Internal' where a kernel stopped. */
  readonly code: string;
  /** What to do. */
  readonly fix: string;

  /** @internal */
  constructor(code: string, message: string, fix: string) {
    super(message);
    this.name = code;
    this.code = code;
    this.fix = fix;
  }
}

/** The mesh breaks a rule; the message names the first offending index and value. */
export class InvalidMesh extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidMesh', message, fix);
  }
}

/**
 * A list of boxes has a wrong type or length, or a value that is not finite; the message names the first one.
 */
export class InvalidBoxes extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidBoxes', message, fix);
  }
}

/**
 * A transform has a wrong length, a non-finite entry, an entry beyond 2^+-200 or a last row other than 0 0 0
 * 1.
 */
export class InvalidTransform extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidTransform', message, fix);
  }
}

/** A result was read after a later call on the same engine reused its memory. */
export class Stale extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Stale', message, fix);
  }
}

/** The option exists but not for this call, mesh or machine. */
export class Unsupported extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Unsupported', message, fix);
  }
}

/** What was asked for is of a module that was left out. */
export const missing = (what: string, module: string): Unsupported =>
  new Unsupported(`${what} is of the module '${module}'`, `add '${module}' to modules, or leave modules out`);

/** No worker could be started although threads were asked for. */
export class WorkerLoad extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('WorkerLoad', message, fix);
  }
}

/** Memory cannot hold the answer; `neededBytes` is the size that would. */
export class Capacity extends CollisionError {
  /** Bytes that would do; 0 where it is not known. */
  readonly neededBytes: number;

  /** @internal */
  constructor(message: string, fix: string, neededBytes = 0) {
    super('Capacity', message, fix);
    this.neededBytes = neededBytes;
  }
}

/** The engine or mesh was disposed before this call. */
export class Disposed extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Disposed', message, fix);
  }
}

/** Tells what a value is, for messages: strings in quotes, objects by their class. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const { name = 'Object' } = value.constructor ?? {};
  const kind = Array.isArray(value) ? 'plain Array' : String(name).replace(/^Object$/, 'plain object');
  return `a${/^[AEIOU]/i.test(kind) ? 'n' : ''} ${kind}`;
}
