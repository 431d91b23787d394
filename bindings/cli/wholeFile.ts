// Output files appear under their name only when they are complete. Until then the data is in a temporary
// file of the same folder.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// Fails if the name exists, also as a symbolic link, so that nobody can choose which file is written.
const EXCLUSIVE = 'wx';

/**
 * Calls `write` with a new file and renames that file to `path`. Removes it if `write` fails. Returns what
 * `write` returns. Throws errors of the file system and of `write`.
 */
export async function writeWhole<Result>(
  path: string,
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const temporary = temporaryBeside(path);
  const file = await open(temporary, EXCLUSIVE);
  try {
    const result = await write(file);
    await file.close();
    await rename(temporary, path);
    return result;
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes `text` to a new file that only its user may read, and renames that file to `path`. Throws errors of
 * the file system.
 */
export function writeWholeText(path: string, text: string): void {
  const temporary = temporaryBeside(path);
  const file = openSync(temporary, EXCLUSIVE, 0o600);
  try {
    writeAndClose(file, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeAndClose(file: number, text: string): void {
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.pfront-${randomBytes(8).toString('hex')}.part`);
}
