// `pfront clash FILE [FILE ...]`: mesh files -> a table of the parts that clash, JSON, or a page that shows them.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createEngine, type QueryStats } from '../index.js';
import { InvalidFile, readParts, type Part } from './files/readParts.js';
import { uniqueNames } from './files/part.js';
import { findClashes, type ClashResult } from './findClashes.js';
import { createProgress, type Progress } from './progress.js';
import type { ClashTriangles } from './report/content.js';
import { findTriangles } from './report/clashTriangles.js';
import { makeContent } from './report/makeContent.js';
import { checkFolder, writeReport } from './report/writeReport.js';
import { splitComponents } from './splitComponents.js';
import { addStats, statsText } from './statsText.js';
import { grouped, paint, plural, printable, textTable } from './terminal.js';
import { asUsageError, UsageError } from './usageError.js';
import { packageVersion } from './version.js';

export const clashHelp = `pfront clash FILE [FILE ...]

Finds every pair of parts that share a point, exactly: touching counts. The parts of
all files are one scene: those of one file are held against each other, too. Reads .glb, .gltf, .obj, .stl and .ply, also with .gz.

  --json               one JSON object on standard output
  --report FILE.html   a page that shows the parts and their clashes; it opens
                       from disk in any browser and needs nothing else
  --stats              work per thread, balance and memory
  --threads N          threads that compute, 1 to 256; default: all cores
  --split components   cut every part into its connected pieces
  --fail-on any        exit with 1 when anything clashes
  --help               this text

Exit codes: 0 done, 1 clashes found and --fail-on any given, 2 bad input,
3 a fault of pfront itself.`;

const SEE_HELP = 'See `pfront clash --help`.';

interface NamedPart extends Part { file: string }

interface Report {
  parts: NamedPart[];
  result: ClashResult;
  threads: number;
  milliseconds: number;
  /** One entry a clash; only where a report is wanted. */
  triangles?: ClashTriangles[];
  notes: { message: string; fix: string }[];
}

interface Page { path: string; bytes: number }

/** Returns the exit code. Throws UsageError, InvalidFile, ReportFailed and what the engine throws. */
export async function clash(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    console.log(clashHelp);
    return 0;
  }
  if (options.page !== undefined) await checkFolder(options.page);
  const progress = createProgress();
  let report: Report;
  let page: Page | undefined;
  try {
    report = await search(options, progress);
    if (options.page !== undefined) page = { path: options.page, bytes: await writePage(options.page, report, progress) };
  } finally {
    progress.end();
  }
  const stats = options.stats ? addStats(report.result.stats) : undefined;
  console.log(options.json ? jsonOf(report, stats, page) : textOf(report));
  if (options.stats && !options.json) console.log(`\n${statsText(stats)}`);
  if (page && !options.json) console.log(`\n${paint('bold', 'report')} ${printable(page.path)}, ${(page.bytes / 1e6).toFixed(1)} MB: open it in a browser`);
  for (const { message, fix } of report.notes) console.error(`note: ${message}; ${fix}`);
  return options.failOnAny && report.result.clashes.length > 0 ? 1 : 0;
}

function readOptions(args: string[]) {
  const { values, positionals: files } = parse(args);
  const { help = false, json = false, stats = false, threads, split, report: page } = values;
  if (split !== undefined && split !== 'components') throw new UsageError(`--split ${split} is not known`, 'Write --split components.');
  if (values['fail-on'] !== undefined && values['fail-on'] !== 'any') throw new UsageError(`--fail-on ${values['fail-on']} is not known`, 'Write --fail-on any.');
  if (threads !== undefined && !isThreadCount(threads)) {
    throw new UsageError(`--threads ${threads} is not a whole number from 1 to 256`, 'Write --threads 4, or leave it out for all cores.');
  }
  // Any other ending might be a file that was meant to be read, and would be lost.
  if (page !== undefined && !/\.html?$/i.test(page)) throw new UsageError(`--report ${page} does not end in .html`, 'Write --report clashes.html.');
  if (!help && files.length === 0) throw new UsageError('clash needs a file', 'Write pfront clash FILE.');
  return {
    files, help, json, stats, page,
    threads: threads === undefined ? 'auto' as const : Number(threads),
    isSplit: split === 'components',
    failOnAny: values['fail-on'] === 'any',
  };
}

function isThreadCount(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 256;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args, allowPositionals: true,
      options: {
        json: { type: 'boolean' }, stats: { type: 'boolean' }, help: { type: 'boolean', short: 'h' },
        report: { type: 'string' }, threads: { type: 'string' }, split: { type: 'string' }, 'fail-on': { type: 'string' },
      },
    });
  } catch (error) {
    throw asUsageError(error, SEE_HELP);
  }
}

async function search({ files, isSplit, threads, page }: ReturnType<typeof readOptions>, progress: Progress): Promise<Report> {
  const begin = performance.now();
  const parts = await readFiles(files, isSplit, progress);
  const engine = await createEngine({ warmUp: 'off', threads });
  try {
    const result = findClashes(engine, parts, progress);
    const milliseconds = performance.now() - begin;
    const triangles = page === undefined ? undefined : findTriangles(engine, result.meshes, parts, result.clashes, progress);
    return { parts, result, triangles, threads: engine.info.threads, milliseconds, notes: engine.info.notes };
  } finally {
    engine.dispose();
  }
}

async function readFiles(files: string[], isSplit: boolean, progress: Progress): Promise<NamedPart[]> {
  progress.begin('Reading files', files.length);
  const parts: NamedPart[] = [];
  for (const file of files) {
    const read = await readParts(file);
    if (read.length === 0) throw new InvalidFile(`${file}: holds no triangles`, 'Give a file of surfaces; points and lines cannot clash.');
    for (const part of isSplit ? read.flatMap(splitComponents) : read) parts.push({ ...part, file });
    progress.step();
  }
  const names = uniqueNames(parts.map(({ name }) => name));
  return parts.map((part, number) => ({ ...part, name: names[number] }));
}

function writePage(path: string, { parts, result, triangles = [], threads, milliseconds }: Report, progress: Progress): Promise<number> {
  const { clashes, boxPairs, trianglePairs } = result;
  return writeReport(path, makeContent({ parts, clashes, triangles, boxPairs, trianglePairs, threads, milliseconds, version: packageVersion() }), progress);
}

const triangles = ({ indices }: Part) => indices.length / 3;

function jsonOf({ parts, result, threads, milliseconds, notes }: Report, stats: QueryStats | undefined, page: Page | undefined): string {
  const { clashes, boxPairs, trianglePairs } = result;
  return JSON.stringify({
    parts: parts.map((part) => ({ name: part.name, triangles: triangles(part), file: part.file })),
    clashes: clashes.map(({ a, b, ...counts }) => ({ a, b, nameA: parts[a].name, nameB: parts[b].name, ...counts })),
    totals: { parts: parts.length, triangles: parts.reduce((sum, part) => sum + triangles(part), 0), boxPairs, clashes: clashes.length, trianglePairs },
    threads,
    ms: Math.round(milliseconds * 1000) / 1000,
    notes,
    ...stats ? { stats } : {},
    ...page ? { report: page } : {},
  });
}

function textOf({ parts, result, threads, milliseconds }: Report): string {
  const { clashes, boxPairs, trianglePairs } = result;
  const total = parts.reduce((sum, part) => sum + triangles(part), 0);
  const scene = `${plural(parts.length, 'part')}, ${plural(total, 'triangle')}, ${plural(boxPairs, 'pair')} of overlapping boxes; `
    + `${milliseconds.toFixed(0)} ms on ${plural(threads, 'thread')}`;
  if (parts.length === 1) {
    return `No clashes: there is only one part, ${printable(parts[0].name)}. Give more files, or cut it with --split components.\n${scene}`;
  }
  if (clashes.length === 0) return `${paint('green', 'No clashes')}: no two of the ${grouped(parts.length)} parts share a point.\n${scene}`;
  const falling = clashes.toSorted((x, y) => y.trianglePairs - x.trianglePairs || x.a - y.a || x.b - y.b);
  const cells = (part: NamedPart) => [printable(part.name), grouped(triangles(part))];
  const rows = falling.map(({ a, b, trianglePairs: count }) => [...cells(parts[a]), ...cells(parts[b]), grouped(count)]);
  const table = textTable(['part', 'triangles', 'clashes with', 'triangles', 'triangle pairs'], rows, [false, true, false, true, true]);
  return `${table}\n\n${paint('red', plural(clashes.length, 'clash'))}, ${plural(trianglePairs, 'triangle pair')}\n${scene}`;
}
