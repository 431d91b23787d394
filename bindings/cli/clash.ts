// Implements the command `pfront clash`: finds clashing parts in mesh files and prints them as a table or as
// JSON. It can also write an HTML report, CSV, JUnit and BCF files, and a certificate that proves that no clash
// is missing.

import { basename } from 'node:path';
import { VERSION } from '../core/version.js';
import { makeContent } from '../report/makeContent.js';
import { CertificateFailed, writeCertificate } from './certificate/certificateFile.js';
import { asJson, type WrittenFiles } from './clash/asJson.js';
import { asText } from './clash/asText.js';
import type { BcfTarget } from './clash/bcf/bcfOptions.js';
import { BcfFailed, writeBcf } from './clash/bcf/writeBcf.js';
import { changesOf } from './clash/changesOf.js';
import { fileDates } from './clash/fileDates.js';
import { groupIndices } from './clash/groupFindings.js';
import { clashHelp } from './clash/help.js';
import { type ClashOptions, readOptions } from './clash/options.js';
import { reportComparison } from './clash/reportComparison.js';
import { type Search, search } from './clash/search.js';
import { failingFindings } from './clash/splitFindings.js';
import { checkTableFolders, writeTableFiles } from './clash/tableFiles.js';
import { ReportFailed, writeReport } from './clash/writeReport.js';
import { INCOMPLETE } from './exitCodes.js';
import type { FindClashes } from './findClashes.js';
import { isMotion } from './motion/options.js';
import { checkFolder, type WrittenFile } from './outputFile.js';
import { createProgress, type Progress } from './progress.js';
import { TimedProgress } from './stageTimes.js';
import { addStats, clusterStatsText, statsText } from './statsText.js';
import { noteText, paint, printable } from './terminal.js';

/**
 * Runs `pfront clash` with these arguments.
 *
 * @returns The exit code.
 * @throws UsageError, InvalidFile, InvalidBaseline, MissingPackage, ReportFailed, CertificateFailed,
 *   CsvFailed, JUnitFailed, BcfFailed and errors of the engine.
 */
export async function clash(args: string[]): Promise<number> {
  if (isMotion(args)) return (await import('./motion.js')).motion(args);
  const options = readOptions(args);
  if (!options.help) return printClashes(options);
  console.log(clashHelp);
  return 0;
}

/**
 * Finds clashes, prints them, and writes the files that `options` name.
 *
 * @param find - Does the search. By default, the search runs in this process.
 * @returns The exit code.
 * @throws The errors of `clash` and of `find`.
 */
export async function printClashes(options: ClashOptions, find?: FindClashes): Promise<number> {
  if (options.reportPath !== undefined) await checkFolder(options.reportPath, ReportFailed);
  if (options.certificatePath !== undefined) await checkFolder(options.certificatePath, CertificateFailed);
  await checkTableFolders(options);
  if (options.bcf) await checkFolder(options.bcf.path, BcfFailed);
  const progress = new TimedProgress(createProgress());
  let found: Search;
  let written: WrittenFiles;
  try {
    found = await search(options, progress, find);
    written = await writeFiles(options, found, progress);
  } finally {
    progress.end();
  }
  const times = progress.stageTimes();
  const stats = options.stats ? addStats(found.result.stats) : undefined;
  console.log(options.json ? asJson(found, options.up, stats, written, times) : asText(found, times));
  if (options.stats && !options.json)
    console.log(`\n${found.result.cluster ? clusterStatsText(found.result.cluster) : statsText(stats)}`);
  if (!options.json) printFiles(written, options);
  for (const note of found.notes) console.error(noteText(note));
  // The exit code INCOMPLETE takes precedence over the exit code of --fail-on.
  if (found.unread.length > 0) return INCOMPLETE;
  return failingFindings(found, options.failOn).length > 0 ? 1 : 0;
}

// Writes the files that the options name.
async function writeFiles(options: ClashOptions, found: Search, progress: Progress): Promise<WrittenFiles> {
  const { reportPath, certificatePath, bcf } = options;
  return {
    ...(reportPath === undefined
      ? {}
      : { report: { path: reportPath, bytes: await writePage(reportPath, found, options, progress) } }),
    ...(certificatePath === undefined
      ? {}
      : { certificate: { path: certificatePath, bytes: await writeProof(certificatePath, found, options) } }),
    ...(await writeTableFiles(options, found)),
    ...(bcf ? { bcf: { path: bcf.path, bytes: await writeTopics(bcf, found, options, progress) } } : {}),
  };
}

function printFiles(written: WrittenFiles, { bcf }: ClashOptions): void {
  const print = (title: string, file: WrittenFile | undefined, advice = ''): void => {
    if (file)
      console.log(
        `\n${paint('bold', title)} ${printable(file.path)}, ${(file.bytes / 1e6).toFixed(1)} MB${advice}`,
      );
  };
  print('report', written.report, ': open it in a browser');
  print('certificate', written.certificate, ': check it with pfront verify');
  print('csv', written.csv);
  print('junit', written.junit);
  print('BCF', written.bcf, `: open it in a program that reads BCF ${bcf?.version}`);
}

async function writePage(
  path: string,
  { reportData, certificate, grouping, comparison, ...found }: Search,
  { up }: ClashOptions,
  progress: Progress,
): Promise<number> {
  return writeReport(
    path,
    makeContent({
      ...found,
      ...reportData!,
      changes: changesOf(comparison, found.listed),
      comparison: comparison && reportComparison(comparison),
      groups: grouping && {
        by: grouping,
        list: groupIndices(found.listed, found.parts, grouping, reportData!.findings),
      },
      up,
      // The paths come from the parts, because a file of rules may name more files than the command line.
      fileDates: await fileDates([...found.parts, ...found.unread].map(({ file }) => file)),
      boxPairs: found.result.boxPairs,
      version: VERSION,
    }),
    progress,
  );
}

function writeTopics(
  target: BcfTarget,
  { parts, unit, listed, places, grouping, comparison }: Search,
  { up }: ClashOptions,
  progress: Progress,
): Promise<number> {
  const changes = changesOf(comparison, listed);
  return writeBcf(target, { parts, unit, listed, up, places, grouping, changes }, progress);
}

function writeProof(
  path: string,
  { certificate, deflection, parts }: Search,
  { files, assumedUnit, up, isSplit }: ClashOptions,
): Promise<number> {
  const model = {
    files: files.map(file => basename(file)),
    units: assumedUnit,
    up,
    split: isSplit ? ('components' as const) : undefined,
    deflection,
    coordinates: parts.some(({ exact }) => exact) ? ('double' as const) : undefined,
  };
  return writeCertificate(path, { model, ...certificate! });
}
