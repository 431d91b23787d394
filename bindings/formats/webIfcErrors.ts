// Collects the errors that web-ifc prints to the console, and converts the errors that it throws.
import { CollisionError } from '../core/errors.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';

/**
 * Collects what this thread prints to the console, because web-ifc prints its errors there, where they would
 * mix with the results. Returns a function that returns the errors since its previous call.
 */
export function captureErrors(): () => string[] {
  let logged: string[] = [];
  for (const name of ['log', 'warn', 'error'] as const)
    console[name] = (...words: unknown[]) => {
      logged.push(words.join(' '));
    };
  return () => {
    const errors = logged.map(line => line.replace(/^\[WEB-IFC\]\[error\]/, ''));
    logged = [];
    return errors;
  };
}

/**
 * Converts a value that was thrown while a file was read into the error to report. web-ifc throws values of
 * any type.
 */
export function readingError(error: unknown): CollisionError {
  if (error instanceof CollisionError) return error;
  return new InvalidFile(
    `web-ifc cannot read the file (${String((error as Error)?.message ?? error).split('\n')[0]})`,
    EXPORT_AGAIN,
  );
}
