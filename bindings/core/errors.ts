// Defines the errors of the package. Each error says which value is wrong, which rule the value breaks, and
// how to fix it.

/**
 * Base of every error that pfront throws. `code` is a stable name of the kind of error; `fix` says what to do.
 */
export class CollisionError extends Error {
  /**
   * The kind of error, the same as the class name; 'Internal' if pfront itself failed, for example because a
   * kernel trapped.
   */
  readonly code: string;
  /** What to do to avoid the error. */
  readonly fix: string;

  /** @internal */
  constructor(code: string, message: string, fix: string) {
    super(message);
    this.name = code;
    this.code = code;
    this.fix = fix;
  }
}

/** A mesh is invalid. The message names the first offending index and value. */
export class InvalidMesh extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidMesh', message, fix);
  }
}

/**
 * A list of boxes has the wrong type or length, an inverted box, or a value that is not finite. The message
 * names the first invalid value.
 */
export class InvalidBoxes extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidBoxes', message, fix);
  }
}

/**
 * A transform has the wrong type or length, a non-finite entry, a nonzero entry whose magnitude is not within
 * 2^-200..2^200, or a last row other than 0 0 0 1.
 */
export class InvalidTransform extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('InvalidTransform', message, fix);
  }
}

/**
 * A result was read after a later call on the same engine had reused the result's memory, or a mesh changed
 * while an asynchronous query of the mesh was pending.
 */
export class Stale extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Stale', message, fix);
  }
}

/** An option is unknown or invalid, or is not supported for this call, mesh or machine. */
export class Unsupported extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Unsupported', message, fix);
  }
}

/** Returns the error for a method or option whose module was left out of the engine. */
export const missingModule = (what: string, module: string): Unsupported =>
  new Unsupported(`${what} needs module '${module}'`, `add '${module}' to modules, or omit modules`);

/** In Node, no worker could be started, although more than one thread was requested. */
export class WorkerLoad extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('WorkerLoad', message, fix);
  }
}

/**
 * Memory cannot hold the data or the result of a call. `neededBytes` is the amount of memory that would
 * suffice.
 */
export class Capacity extends CollisionError {
  /** Bytes that would suffice; 0 if this is unknown. */
  readonly neededBytes: number;

  /** @internal */
  constructor(message: string, fix: string, neededBytes = 0) {
    super('Capacity', message, fix);
    this.neededBytes = neededBytes;
  }
}

/**
 * The engine, or a mesh, scene or other object of the engine, was disposed of before a call or while the call
 * was pending.
 */
export class Disposed extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Disposed', message, fix);
  }
}

/** Returns the error of a call to an engine that was disposed of. */
export const engineDisposed = (): Disposed =>
  new Disposed('the engine was disposed', 'create a new one with createEngine()');

/** Describes a value for messages: strings in quotes, objects by their class. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const { name = 'Object' } = value.constructor ?? {};
  const kind = Array.isArray(value) ? 'plain Array' : String(name).replace(/^Object$/, 'plain object');
  return `a${/^(?!Uint|URL)[AEIOU]/i.test(kind) ? 'n' : ''} ${kind}`;
}
