// Writes files atomically: data goes to a temporary file in the same folder, and the temporary file is
// renamed when it is complete.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// Opening a file in this mode fails if the name exists, even as a symbolic link, so that a planted link
// cannot redirect the write.
const EXCLUSIVE = 'wx';

/**
 * Calls `write` with a new temporary file, then renames that file to `path`. If `write` fails, the temporary
 * file is removed and `path` is unchanged.
 *
 * @returns What `write` returns.
 * @throws Errors of the file system and of `write`.
 */
export async function writeFileAtomically<Result>(
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
 * Writes `text` to a temporary file that only the current user may read (mode 600), then renames that file to
 * `path`.
 *
 * @throws Errors of the file system.
 */
export function writeTextAtomically(path: string, text: string): void {
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

/**
 * Creates a file that only the current user may read (mode 600) and writes `text` to it. If writing fails, the
 * file is removed.
 *
 * @throws Errors of the file system; EEXIST if the file exists already. An existing file is not changed.
 */
export function createPrivateFile(path: string, text: string): void {
  const file = openSync(path, EXCLUSIVE, 0o600);
  try {
    writeAndClose(file, text);
  } catch (error) {
    rmSync(path, { force: true });
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
