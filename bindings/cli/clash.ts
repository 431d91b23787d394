// `pfront clash FILE [FILE ...]`: mesh files -> a table of the parts that clash, JSON, or a page that shows
// them.

import { makeContent } from '../report/makeContent.js';
import { asJson } from './clash/asJson.js';
import { asText } from './clash/asText.js';
import { clashHelp } from './clash/help.js';
import { type ClashOptions, readOptions } from './clash/options.js';
import { type Search, search } from './clash/search.js';
import { isFailure } from './clash/sortOut.js';
import { checkFolder, writeReport } from './clash/writeReport.js';
import type { FindClashes } from './findClashes.js';
import { createProgress, type Progress } from './progress.js';
import { addStats, shareText, statsText } from './statsText.js';
import { paint, printable } from './terminal.js';
import { packageVersion } from './version.js';

// The exit code where elements could not be read: the answer may lack clashes, whatever --fail-on says.
const INCOMPLETE = 4;

interface Page {
  path: string;
  bytes: number;
}

/**
 * Returns the exit code. Throws UsageError, InvalidFile, MissingPackage, ReportFailed and what the engine
 * throws.
 */
export async function clash(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options.help) return tellClashes(options);
  console.log(clashHelp);
  return 0;
}

/**
 * find: who searches; default: this machine. Returns the exit code. Throws as clash does, and what `find`
 * throws.
 */
export async function tellClashes(options: ClashOptions, find?: FindClashes): Promise<number> {
  if (options.page !== undefined) await checkFolder(options.page);
  const progress = createProgress();
  let found: Search;
  let page: Page | undefined;
  try {
    found = await search(options, progress, find);
    if (options.page !== undefined)
      page = { path: options.page, bytes: await writePage(options.page, found, progress) };
  } finally {
    progress.end();
  }
  const stats = options.stats ? addStats(found.result.stats) : undefined;
  console.log(options.json ? asJson(found, stats, page) : asText(found));
  if (options.stats && !options.json)
    console.log(`\n${found.result.cluster ? shareText(found.result.cluster) : statsText(stats)}`);
  if (page && !options.json)
    console.log(
      `\n${paint('bold', 'report')} ${printable(page.path)}, ${(page.bytes / 1e6).toFixed(1)} MB: open it in a browser`,
    );
  for (const { message, fix } of found.notes) console.error(`note: ${printable(message)}; ${fix}`);
  if (found.unread.length > 0) return INCOMPLETE;
  return isFailure(found, options.failOn) ? 1 : 0;
}

function writePage(path: string, { shown, ...found }: Search, progress: Progress): Promise<number> {
  return writeReport(
    path,
    makeContent({ ...found, ...shown!, boxPairs: found.result.boxPairs, version: packageVersion() }),
    progress,
  );
}
