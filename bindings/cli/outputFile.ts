// Writes the output files of commands. If a file cannot be written, an error of a class that the caller
// chooses is thrown, so that each kind of file has its own error code.
import { constants } from 'node:fs';
import { access, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CollisionError } from '../core/errors.js';
import { writeFileAtomically } from './atomicFile.js';

/** A file that was written, and its size. */
export interface WrittenFile {
  path: string;
  bytes: number;
}

/** The class of the error that is thrown if a file cannot be written. */
type WriteError = new (message: string, fix: string) => CollisionError;

/**
 * Checks that the folder of a file is writable. Commands call this function before a long search, so that a
 * wrong path fails early.
 *
 * @throws An error of the class `Failed` if the folder is missing or not writable.
 */
export async function checkFolder(path: string, Failed: WriteError): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, Failed, error as Error);
  }
}

/**
 * Writes a file, which appears under its name only when it is complete.
 *
 * @returns What `write` returns.
 * @throws An error of the class `Failed` if the file system fails; errors of `write`. A file that existed at
 *   the path is then unchanged.
 */
export async function writeOutputFile<Result>(
  path: string,
  Failed: WriteError,
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    return await writeFileAtomically(path, write);
  } catch (error) {
    if (error instanceof CollisionError) throw error;
    throw (error as NodeJS.ErrnoException).code ? unwritable(path, Failed, error as Error) : error;
  }
}

function unwritable(path: string, Failed: WriteError, { message }: Error): CollisionError {
  return new Failed(
    `${path}: cannot be written (${message.split(',')[0]})`,
    'Give a path in a folder that exists, is writable and has space.',
  );
}
