// The error for a command line that cannot be parsed. main prints it and ends with exit code 2.
import { CollisionError } from '../core/errors.js';

/** An invalid argument: the message quotes it, and `fix` names valid ones. */
export class UsageError extends CollisionError {
  constructor(message: string, fix: string) {
    super('UsageError', message, fix);
  }
}

/**
 * Converts an error of node:util's parseArgs to a UsageError with a message of one line. Returns any other
 * error unchanged.
 */
export function asUsageError(error: unknown, fix: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  return new UsageError(message.split(/\.\s/)[0].replace(/\s+/g, ' '), fix);
}
