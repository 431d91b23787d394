// Implements `pfront clash` for motion: finds the parts that come into contact while an animation or the
// trajectory of a robot moves them.

import type { WrittenFiles } from './clash/asJson.js';
import { BcfFailed } from './clash/bcf/writeBcf.js';
import { clashHelp } from './clash/help.js';
import { failingFindings } from './clash/splitFindings.js';
import { CsvFailed, checkTableFolders, JUnitFailed, writeText } from './clash/tableFiles.js';
import { ReportFailed, writePage } from './clash/writeReport.js';
import { INCOMPLETE } from './exitCodes.js';
import { asMotionCsv } from './motion/asCsv.js';
import { asMotionJson } from './motion/asJson.js';
import { asMotionJUnit } from './motion/asJUnit.js';
import { asMotionText } from './motion/asText.js';
import { motionContent } from './motion/motionContent.js';
import { type MotionOptions, readMotionOptions } from './motion/options.js';
import { type MotionSearch, searchMotion } from './motion/search.js';
import { timelinePage } from './motion/timelinePage.js';
import { writeMotionBcf } from './motion/writeMotionBcf.js';
import { checkFolder } from './outputFile.js';
import { createProgress, type Progress } from './progress.js';
import { TimedProgress } from './stageTimes.js';
import { noteText, paint, printable } from './terminal.js';

/**
 * Runs `pfront clash` with arguments that request a search of a motion.
 *
 * @returns The exit code.
 * @throws UsageError, InvalidFile, InvalidBaseline, MissingPackage, CsvFailed, JUnitFailed, ReportFailed,
 *   BcfFailed and errors of the engine.
 */
export async function motion(args: string[]): Promise<number> {
  if (args.some(text => text === '--help' || text === '-h')) {
    console.log(clashHelp);
    return 0;
  }
  const options = readMotionOptions(args);
  await checkTableFolders(options);
  if (options.reportPath !== undefined) await checkFolder(options.reportPath, ReportFailed);
  if (options.bcf) await checkFolder(options.bcf.path, BcfFailed);
  const progress = new TimedProgress(createProgress());
  let found: MotionSearch;
  let written: WrittenFiles;
  try {
    found = await searchMotion(options, progress);
    written = await writeFiles(options, found, progress);
  } finally {
    progress.end();
  }
  console.log(options.json ? asMotionJson(found, written) : asMotionText(found, progress.stageTimes()));
  if (!options.json)
    for (const [kind, { path }] of Object.entries(written))
      console.log(`\n${paint('bold', kind)} ${printable(path)}`);
  for (const note of found.notes) console.error(noteText(note));
  const { unread, leftOut, motions, comparison } = found;
  if (unread.length + leftOut.length > 0) return INCOMPLETE;
  const listed = motions.flatMap(motion => motion.listed);
  return failingFindings({ listed, comparison }, options.failOn).length > 0 ? 1 : 0;
}

// Writes the files that the options name.
async function writeFiles(
  { csvPath, junitPath, reportPath, bcf, failOn }: MotionOptions,
  found: MotionSearch,
  progress: Progress,
): Promise<WrittenFiles> {
  return {
    ...(csvPath === undefined ? {} : { csv: await writeText(csvPath, CsvFailed, asMotionCsv(found)) }),
    ...(junitPath === undefined
      ? {}
      : { junit: await writeText(junitPath, JUnitFailed, asMotionJUnit(found, failOn)) }),
    ...(reportPath === undefined
      ? {}
      : { report: { path: reportPath, bytes: await writeMotionPage(reportPath, found, progress) } }),
    ...(bcf ? { bcf: { path: bcf.path, bytes: await writeMotionBcf(bcf, found, progress) } } : {}),
  };
}

async function writeMotionPage(path: string, found: MotionSearch, progress: Progress): Promise<number> {
  const content = motionContent(found);
  return writePage(path, timelinePage(found, content.header), content, progress);
}
