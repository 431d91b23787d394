// Reads a text file that an option names.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidFile } from '../formats/part.js';

/**
 * Reads the text of a file.
 *
 * @param option - The option that names the file, such as `--allow`.
 * @param Kind - The class of the error that is thrown.
 * @throws An error of the class `Kind` if the file cannot be read.
 */
export async function readTextFile(
  path: string,
  option: string,
  Kind: new (message: string, fix: string) => Error = InvalidFile,
): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Kind(
      `${basename(path)}: cannot be read (${code ?? message})`,
      `Check the path that ${option} names.`,
    );
  }
}
