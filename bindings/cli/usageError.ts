// A command line that cannot be understood -> a typed error; main turns every such error into exit code 2.
import { CollisionError } from '../core/errors.js';

/** The message quotes the word that is wrong, `fix` names the right ones. */
export class UsageError extends CollisionError {
  constructor(message: string, fix: string) {
    super('UsageError', message, fix);
  }
}

/** What node:util's parseArgs throws -> UsageError in one line; other errors stay. */
export function asUsageError(error: unknown, fix: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  return new UsageError(message.split(/\.\s/)[0].replace(/\s+/g, ' '), fix);
}
