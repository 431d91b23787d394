// Implements `pfront clash` for motion: finds the parts that come into contact while an animation moves them.

import { clashHelp } from './clash/help.js';
import { CsvFailed, writeText } from './clash/tableFiles.js';
import { ReportFailed } from './clash/writeReport.js';
import { INCOMPLETE } from './exitCodes.js';
import { asMotionCsv } from './motion/asCsv.js';
import { asMotionJson } from './motion/asJson.js';
import { asMotionText } from './motion/asText.js';
import { readMotionOptions } from './motion/options.js';
import { type MotionSearch, searchMotion } from './motion/search.js';
import { timelinePage } from './motion/timelinePage.js';
import { checkFolder, type WrittenFile } from './outputFile.js';
import { createProgress } from './progress.js';
import { paint, printable } from './terminal.js';

/**
 * Runs `pfront clash` with arguments that ask for a motion.
 *
 * @returns The exit code.
 * @throws UsageError, InvalidFile, MissingPackage, CsvFailed, ReportFailed and
 *   errors of the engine.
 */
export async function motion(args: string[]): Promise<number> {
  if (args.some(text => text === '--help' || text === '-h')) {
    console.log(clashHelp);
    return 0;
  }
  const options = readMotionOptions(args);
  if (options.csvPath !== undefined) await checkFolder(options.csvPath, CsvFailed);
  if (options.reportPath !== undefined) await checkFolder(options.reportPath, ReportFailed);
  const progress = createProgress();
  let found: MotionSearch;
  const written: { csv?: WrittenFile; report?: WrittenFile } = {};
  try {
    found = await searchMotion(options, progress);
    if (options.csvPath !== undefined)
      written.csv = await writeText(options.csvPath, CsvFailed, asMotionCsv(found));
    if (options.reportPath !== undefined)
      written.report = await writeText(options.reportPath, ReportFailed, timelinePage(found));
  } finally {
    progress.end();
  }
  console.log(options.json ? asMotionJson(found, written) : asMotionText(found));
  if (!options.json)
    for (const [kind, { path }] of Object.entries(written))
      console.log(`\n${paint('bold', kind)} ${printable(path)}`);
  for (const { message, fix } of found.notes) console.error(`note: ${printable(message)}; ${fix}`);
  if (found.unread.length > 0) return INCOMPLETE;
  const doesFail = found.motions.some(({ listed }) =>
    listed.some(finding => options.failOn.includes(finding.class)),
  );
  return doesFail ? 1 : 0;
}
