// Writes the files of `pfront clash` that other programs read as text: CSV and JUnit XML. Each file appears
// under its name only when it is complete.
import { CollisionError } from '../../core/errors.js';
import { checkFolder, type WrittenFile, writeOutputFile } from '../outputFile.js';
import { asCsv } from './asCsv.js';
import { asJUnit } from './asJUnit.js';
import type { ClashOptions } from './options.js';
import type { Search } from './search.js';

/** The CSV file cannot be written. */
export class CsvFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('CsvFailed', message, fix);
  }
}

/** The JUnit XML file cannot be written. */
export class JUnitFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('JUnitFailed', message, fix);
  }
}

/** Checks that the folders of the files exist and are writable. @throws CsvFailed, JUnitFailed */
export async function checkTableFolders({
  csvPath,
  junitPath,
}: Pick<ClashOptions, 'csvPath' | 'junitPath'>): Promise<void> {
  if (csvPath !== undefined) await checkFolder(csvPath, CsvFailed);
  if (junitPath !== undefined) await checkFolder(junitPath, JUnitFailed);
}

/**
 * Writes the files that the options name.
 *
 * @throws CsvFailed, JUnitFailed; a file that existed at the path of the failed file is then unchanged.
 */
export async function writeTableFiles(
  { csvPath, junitPath, failOn }: ClashOptions,
  search: Search,
): Promise<{ csv?: WrittenFile; junit?: WrittenFile }> {
  return {
    ...(csvPath === undefined ? {} : { csv: await writeText(csvPath, CsvFailed, asCsv(search)) }),
    ...(junitPath === undefined
      ? {}
      : { junit: await writeText(junitPath, JUnitFailed, asJUnit(search, failOn)) }),
  };
}

/** Writes a text file. @throws Failed; a file that existed at the path is then unchanged. */
export async function writeText(
  path: string,
  Failed: Parameters<typeof writeOutputFile>[1],
  text: string,
): Promise<WrittenFile> {
  const bytes = Buffer.from(text);
  await writeOutputFile(path, Failed, file => file.writeFile(bytes));
  return { path, bytes: bytes.length };
}
