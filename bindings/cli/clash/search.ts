// Reads the files of `pfront clash`, finds and classifies the clashes, and collects everything that the
// command prints or writes to the report.
import { performance } from 'node:perf_hooks';
import { InvalidFile, type Part, readParts, type Unread } from '../../formats/readParts.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import type { Unit } from '../../formats/units.js';
import { createEngine, type Engine } from '../../index.js';
import type { ClashClass, Finding } from '../../report/clashClasses.js';
import { findTriangles } from '../../report/clashTriangles.js';
import type { ClashTriangles } from '../../report/content.js';
import { type ClashResult, type FindClashes, findClashes } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { splitComponents } from '../splitComponents.js';
import { AllowList } from './allowList.js';
import { type ClashLimits, classifyParts } from './classifyParts.js';
import { convertToOneUnit } from './convertToOneUnit.js';
import { convertLength } from './lengthOption.js';
import type { ClashOptions } from './options.js';
import { rotateToUpAxis } from './rotateToUpAxis.js';
import { type SplitFindings, splitFindings } from './splitFindings.js';

export interface NamedPart extends Part {
  file: string;
}
/** An element that could not be read, with the path of its file. */
export interface UnreadElement extends Unread {
  file: string;
}
export interface Note {
  message: string;
  fix: string;
}

export interface Search extends SplitFindings {
  parts: NamedPart[];
  /** Elements that could not be read; their clashes are missing. */
  unread: UnreadElement[];
  /** Unit of all lengths; undefined if no file defines one. */
  unit: Unit | undefined;
  measures: ClashLimits;
  /** The classes to list. */
  classes: readonly ClashClass[];
  result: ClashResult;
  threads: number;
  milliseconds: number;
  notes: Note[];
  /** Content of the HTML report, if one is to be written. */
  reportData?: { findings: Finding[]; triangles: ClashTriangles[] };
}

/**
 * Reads the files and searches them for clashes. `find` does the search; by default, it runs in this process.
 *
 * @throws UsageError, InvalidFile, MissingPackage and errors of the engine.
 */
export async function search(
  options: ClashOptions,
  progress: Progress,
  find: FindClashes = findClashes,
): Promise<Search> {
  const startedAt = performance.now();
  const notes: Note[] = [];
  const warn = (message: string, fix: string): void => {
    notes.push({ message, fix });
  };
  const allowList =
    options.allowListPath === undefined ? undefined : await AllowList.read(options.allowListPath);
  const unread: UnreadElement[] = [];
  const { parts, unit } = convertToOneUnit(
    rotateToUpAxis(await readFiles(options, progress, warn, unread), options.up, warn),
    options.assumedUnit,
    warn,
  );
  const measures = {
    clearance: convertLength(unit, '--clearance', options.clearance),
    tolerance: convertLength(unit, '--tolerance', options.tolerance),
  };
  const engine = await createEngine({ warmUp: 'off', threads: options.threads });
  try {
    const result = await find(engine, parts, progress);
    const findings = classifyParts(engine, parts, result.meshes, result.clashes, measures, progress);
    const milliseconds = performance.now() - startedAt;
    const sorted = splitFindings(findings, parts, options.classes, allowList);
    const reportData =
      options.reportPath === undefined
        ? undefined
        : collectReportData(engine, result, parts, sorted, progress);
    return {
      ...sorted,
      parts,
      unread,
      unit,
      measures,
      classes: options.classes,
      result,
      reportData,
      threads: engine.info.threads,
      milliseconds,
      notes: [...engine.info.notes, ...notes, ...sorted.unusedLines],
    };
  } finally {
    engine.dispose();
  }
}

// Returns the content of the report. It includes the findings that are not listed, because buttons on the
// page can show them.
function collectReportData(
  engine: Engine,
  { meshes }: ClashResult,
  parts: Part[],
  { listed, hidden, allowed }: SplitFindings,
  progress: Progress,
): Search['reportData'] {
  const findings = [...listed, ...hidden, ...allowed].sort((x, y) => x.a - y.a || x.b - y.b);
  return { findings, triangles: findTriangles(engine, meshes, parts, findings, progress) };
}

async function readFiles(
  { files, isSplit, ifcLimitFactor, maxUnpackRatio }: ClashOptions,
  progress: Progress,
  onWarning: (message: string, fix: string) => void,
  unread: UnreadElement[],
): Promise<NamedPart[]> {
  progress.begin('Reading files', files.length);
  const parts: NamedPart[] = [];
  for (const file of files) {
    const read = await readParts(file, {
      onWarning,
      maxUnpackRatio,
      onUnread: element => unread.push({ ...element, file }),
      ifcLimits: { time: ifcLimitFactor, memory: ifcLimitFactor },
    });
    if (read.length === 0)
      throw new InvalidFile(
        `${file}: contains no triangles`,
        'Give a file with surfaces; points and lines cannot clash.',
      );
    for (const part of isSplit ? read.flatMap(splitComponents) : read) parts.push({ ...part, file });
    progress.step();
  }
  const names = uniqueNames(parts.map(({ name }) => name));
  return parts.map((part, number) => ({ ...part, name: names[number] }));
}
