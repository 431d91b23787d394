// Defines the error for invalid command-line arguments. main.ts prints the error and ends with exit code 2.
import { CollisionError } from '../core/errors.js';

/** An invalid argument. The message names the argument, and `fix` says what to write instead. */
export class UsageError extends CollisionError {
  constructor(message: string, fix: string) {
    super('UsageError', message, fix);
  }
}

/**
 * Returns the error for an option that cannot have an effect on a run. Such an option is refused rather than
 * ignored, because the user expects an effect.
 * @param option - The option, and its value if it has one.
 * @param fix - Default: to remove the option.
 */
export function withoutEffect(option: string, reason: string, fix?: string): UsageError {
  return new UsageError(`${option} has no effect: ${reason}`, fix ?? `Remove ${option.split(' ', 1)[0]}.`);
}
