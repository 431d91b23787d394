// Reads the files of `pfront clash`, finds and classifies the clashes, and collects everything that the
// command prints or writes to files.
import { performance } from 'node:perf_hooks';
import type { Part } from '../../formats/readParts.js';
import { createEngine, type Engine } from '../../index.js';
import type { ClashClass, Finding } from '../../report/clashClasses.js';
import { findContacts } from '../../report/contacts.js';
import type { ClashContact } from '../../report/content.js';
import { type ClashCertificate, certifyModel } from '../certificate/certifyModel.js';
import { type ClashResult, type FindClashes, findClashes } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { AllowList } from './allowList.js';
import { Baseline } from './baseline.js';
import { checkUnit } from './bcf/writeBcf.js';
import { type ClashLimits, classifyParts } from './classifyParts.js';
import { type Comparison, compareWithBaseline } from './compareWithBaseline.js';
import { convertLength } from './lengthOption.js';
import type { ClashOptions } from './options.js';
import { findPlaces, type Place } from './places.js';
import { type Model, readModel } from './readModel.js';
import { type SplitFindings, splitFindings } from './splitFindings.js';

export interface Search extends SplitFindings, Model {
  measures: ClashLimits;
  /** The linear deflection of STEP and IGES files, in mm; undefined if there is none. */
  deflection: number | undefined;
  /** The classes to list. */
  classes: readonly ClashClass[];
  result: ClashResult;
  threads: number;
  milliseconds: number;
  /** Where the clashes are, if an output lists it or a baseline requires it. */
  places: ReadonlyMap<Finding, Place>;
  /** The comparison with the baseline, if the options name one. */
  comparison?: Comparison;
  /** Content of the HTML report, if the options request a report. */
  reportData?: { findings: Finding[]; contacts: ClashContact[] };
  /** The proof that no clash is missing, if the options request a certificate. */
  certificate?: ClashCertificate;
}

/**
 * Reads the files and searches them for clashes. `find` does the search. By default, the search runs in this
 * process.
 *
 * @throws UsageError, InvalidFile, InvalidBaseline, MissingPackage and errors of the engine.
 */
export async function search(
  options: ClashOptions,
  progress: Progress,
  find: FindClashes = findClashes,
): Promise<Search> {
  const startedAt = performance.now();
  const allowList =
    options.allowListPath === undefined ? undefined : await AllowList.read(options.allowListPath);
  const baseline = options.baselinePath === undefined ? undefined : await Baseline.read(options.baselinePath);
  const { parts, unread, unit, notes } = await readModel(options, progress);
  const measures = {
    clearance: convertLength(unit, '--clearance', options.clearance),
    tolerance: convertLength(unit, '--tolerance', options.tolerance),
  };
  const { classes, failOn, up, deflection } = options;
  const examined = failOn === 'any' ? classes : [...new Set([...classes, ...failOn])];
  const earlier = baseline?.clashesFor({ unit, up, measures, deflection, classes: examined });
  if (options.bcf) checkUnit(options.bcf, unit);
  const engine = await createEngine({ warmUp: 'off', threads: options.threads });
  try {
    const result = await find(engine, parts, progress);
    const findings = classifyParts(engine, parts, result.meshes, result.clashes, measures, progress);
    const milliseconds = performance.now() - startedAt;
    const sorted = splitFindings(findings, parts, classes, allowList);
    const located = [
      ...sorted.listed,
      ...sorted.allowed,
      ...sorted.hidden.filter(finding => examined.includes(finding.class)),
    ];
    const places = needsPlaces(options)
      ? // The report contains all findings, also hidden ones.
        findPlaces(
          engine,
          result.meshes,
          parts,
          options.reportPath === undefined ? located : findings,
          progress,
        )
      : new Map<Finding, Place>();
    const comparison =
      earlier && compareWithBaseline(options.baselinePath!, earlier, located, parts, places, unread);
    const reportData =
      options.reportPath === undefined
        ? undefined
        : collectReportData(engine, result, parts, sorted, places, progress);
    const certificate =
      options.certificatePath === undefined ? undefined : certifyModel(engine, parts, result, progress);
    return {
      ...sorted,
      parts,
      unread,
      unit,
      measures,
      deflection,
      classes,
      result,
      places,
      comparison,
      reportData,
      certificate,
      threads: engine.info.threads,
      milliseconds,
      notes: [...engine.info.notes, ...notes, ...sorted.unusedLines],
    };
  } finally {
    engine.dispose();
  }
}

// Locating a clash takes one more query, so it is left out for the table.
function needsPlaces({ json, reportPath, csvPath, junitPath, bcf, baselinePath }: ClashOptions): boolean {
  return json || [reportPath, csvPath, junitPath, bcf, baselinePath].some(output => output !== undefined);
}

// Returns the content of the report. It includes the findings that are not listed, because buttons on the
// page can show them.
function collectReportData(
  engine: Engine,
  { meshes }: ClashResult,
  parts: Part[],
  { listed, hidden, allowed }: SplitFindings,
  places: ReadonlyMap<Finding, Place>,
  progress: Progress,
): Search['reportData'] {
  const findings = [...listed, ...hidden, ...allowed].sort((x, y) => x.a - y.a || x.b - y.b);
  return { findings, contacts: findContacts(engine, meshes, parts, findings, places, progress) };
}
