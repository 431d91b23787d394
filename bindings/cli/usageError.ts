// Defines the error for invalid command-line arguments. main.ts prints the error and ends with exit code 2.
import { CollisionError } from '../core/errors.js';

/** An invalid argument. The message names the argument, and `fix` says what to write instead. */
export class UsageError extends CollisionError {
  constructor(message: string, fix: string) {
    super('UsageError', message, fix);
  }
}

/**
 * Converts an error of node:util's parseArgs to a UsageError with a one-line message. Returns any other error
 * unchanged.
 */
export function asUsageError(error: unknown, fix: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  return new UsageError(message.split(/\.\s/)[0].replace(/\s+/g, ' '), fix);
}
