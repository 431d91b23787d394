// Implements the command `pfront clash`: finds clashing parts in mesh files and prints them as a table or as
// JSON. It can also write an HTML report, and a certificate that proves that no clash is missing.

import { basename } from 'node:path';
import { makeContent } from '../report/makeContent.js';
import { CertificateFailed, writeCertificate } from './certificate/certificateFile.js';
import { asJson } from './clash/asJson.js';
import { asText } from './clash/asText.js';
import { clashHelp } from './clash/help.js';
import { type ClashOptions, readOptions } from './clash/options.js';
import { type Search, search } from './clash/search.js';
import { isFailure } from './clash/splitFindings.js';
import { ReportFailed, writeReport } from './clash/writeReport.js';
import type { FindClashes } from './findClashes.js';
import { checkFolder, type WrittenFile } from './outputFile.js';
import { createProgress, type Progress } from './progress.js';
import { addStats, clusterStatsText, statsText } from './statsText.js';
import { paint, printable } from './terminal.js';
import { packageVersion } from './version.js';

// Exit code if elements could not be read. Clashes may be missing, so this code takes precedence over the
// code of --fail-on.
const INCOMPLETE = 4;

/**
 * Runs `pfront clash` with these arguments.
 *
 * @returns The exit code.
 * @throws UsageError, InvalidFile, MissingPackage, ReportFailed, CertificateFailed and errors of the
 *   engine.
 */
export async function clash(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options.help) return printClashes(options);
  console.log(clashHelp);
  return 0;
}

/**
 * Finds clashes, prints them, and writes the files that `options` name. `find` does the search. By default,
 * the search runs in this process.
 *
 * @returns The exit code.
 * @throws The errors of `clash` and of `find`.
 */
export async function printClashes(options: ClashOptions, find?: FindClashes): Promise<number> {
  if (options.reportPath !== undefined) await checkFolder(options.reportPath, ReportFailed);
  if (options.certificatePath !== undefined) await checkFolder(options.certificatePath, CertificateFailed);
  const progress = createProgress();
  let found: Search;
  let report: WrittenFile | undefined;
  let certificate: WrittenFile | undefined;
  try {
    found = await search(options, progress, find);
    if (options.reportPath !== undefined)
      report = { path: options.reportPath, bytes: await writePage(options.reportPath, found, progress) };
    if (options.certificatePath !== undefined)
      certificate = {
        path: options.certificatePath,
        bytes: await writeProof(options.certificatePath, found, options),
      };
  } finally {
    progress.end();
  }
  const stats = options.stats ? addStats(found.result.stats) : undefined;
  console.log(options.json ? asJson(found, stats, { report, certificate }) : asText(found));
  if (options.stats && !options.json)
    console.log(`\n${found.result.cluster ? clusterStatsText(found.result.cluster) : statsText(stats)}`);
  if (report && !options.json)
    console.log(
      `\n${paint('bold', 'report')} ${printable(report.path)}, ${(report.bytes / 1e6).toFixed(1)} MB: open it in a browser`,
    );
  if (certificate && !options.json)
    console.log(
      `\n${paint('bold', 'certificate')} ${printable(certificate.path)}, ${(certificate.bytes / 1e6).toFixed(1)} MB: check it with pfront verify`,
    );
  for (const { message, fix } of found.notes) console.error(`note: ${printable(message)}; ${fix}`);
  if (found.unread.length > 0) return INCOMPLETE;
  return isFailure(found, options.failOn) ? 1 : 0;
}

function writePage(
  path: string,
  { reportData, certificate, ...found }: Search,
  progress: Progress,
): Promise<number> {
  return writeReport(
    path,
    makeContent({
      ...found,
      ...reportData!,
      allowed: [...found.allowed, ...found.related.keys()],
      boxPairs: found.result.boxPairs,
      version: packageVersion(),
    }),
    progress,
  );
}

function writeProof(
  path: string,
  { certificate }: Search,
  { files, assumedUnit, up, isSplit }: ClashOptions,
): Promise<number> {
  const model = {
    files: files.map(file => basename(file)),
    units: assumedUnit,
    up,
    split: isSplit ? ('components' as const) : undefined,
  };
  return writeCertificate(path, { model, ...certificate! });
}
