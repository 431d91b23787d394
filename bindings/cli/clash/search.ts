// Reads the files of `pfront clash`, finds and classifies the clashes, and collects everything that the
// command prints or writes to files.
import { performance } from 'node:perf_hooks';
import type { Part } from '../../formats/readParts.js';
import type { Penetration } from '../../index.js';
import type { ClashClass, Finding } from '../../report/clashClasses.js';
import { findContacts } from '../../report/contacts.js';
import type { ClashContact } from '../../report/content.js';
import { type ClashCertificate, certifyModel } from '../certificate/certifyModel.js';
import { type ClashEngine, startClashEngine } from '../clashEngine.js';
import { type ClashResult, comparePairs, type FindClashes, findClashes } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { AllowList } from './allowList.js';
import { applyRules, readRules } from './applyRules.js';
import { Baseline } from './baseline.js';
import { checkUnit } from './bcf/writeBcf.js';
import { checkEffects } from './checkEffects.js';
import type { ClashLimits } from './classifyParts.js';
import { ClosedParts, type Gaps, gapsNotes } from './closedParts.js';
import { type Comparison, compareWithBaseline } from './compareWithBaseline.js';
import { readDeflection } from './deflectionOption.js';
import { findRegions } from './findRegions.js';
import { checkGrouping } from './groupFindings.js';
import type { Grouping } from './groupings.js';
import { convertLength } from './lengthOption.js';
import type { ClashOptions } from './options.js';
import type { PairRule } from './pairRules.js';
import { findPlaces, type Place } from './places.js';
import { type Model, readModel } from './readModel.js';
import { type SplitFindings, splitFindings } from './splitFindings.js';

export interface Search extends SplitFindings, Model {
  measures: ClashLimits;
  /** The linear deflection of STEP and IGES files, in mm; undefined if there is none. */
  deflection: number | undefined;
  /** The classes to list. */
  classes: readonly ClashClass[];
  /** The rules, if the options name any. */
  rules?: readonly PairRule[];
  /** How the table groups clashes; undefined: one row for each clash. */
  grouping: Grouping | undefined;
  result: ClashResult;
  threads: number;
  milliseconds: number;
  /** The places of the clashes, if an output lists them or a baseline requires them; otherwise empty. */
  places: ReadonlyMap<Finding, Place>;
  /** The contact regions of the clashes, if the options request them. */
  regions: ReadonlyMap<Finding, readonly Penetration[]> | undefined;
  /**
   * The parts whose gaps were closed, by number. If such a part clashes, the depths and volumes of the clash
   * are those of the closed part.
   */
  gaps: ReadonlyMap<number, Gaps>;
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
  const { rules, files } = await readRules(options);
  checkEffects(options, rules, files);
  const deflection = readDeflection(options.deflection, files);
  const withProperties = rules?.some(({ a, b }) => a.usesProperties || b.usesProperties);
  const { parts, unread, unit, notes } = await readModel(
    // Nodes of a cluster receive coordinates in float32.
    { ...options, files, deflection, withProperties, keepsDoubles: find === findClashes },
    progress,
  );
  checkGrouping(parts, options.grouping);
  const measures = {
    clearance: convertLength(unit, '--clearance', options.clearance),
    tolerance: convertLength(unit, '--tolerance', options.tolerance),
  };
  const { up, includesRelated } = options;
  const settings = applyRules(rules, parts, unit, measures, options);
  const { classes } = settings;
  const earlier = baseline?.clashesFor({
    unit,
    up,
    measures,
    deflection,
    classes,
    includesRelated,
    rules: settings.rules,
  });
  if (options.bcf) checkUnit(options.bcf, unit);
  progress.begin('Starting threads', 1);
  const engine = await startClashEngine(options.threads, false);
  try {
    const result = await find(engine, parts, progress, settings.filter);
    const model = { parts, meshes: result.meshes };
    const closedParts = new ClosedParts(engine, model);
    const findings = await settings.classify(engine, model, closedParts, result.clashes, progress);
    const milliseconds = performance.now() - startedAt;
    const sorted = splitFindings(findings, parts, settings.isListed, allowList, includesRelated);
    const located = [...sorted.listed, ...sorted.allowed, ...sorted.related.keys()];
    // The report may also contain hidden findings.
    const shown = options.reportPath === undefined ? located : findings;
    const places = needsPlaces(options)
      ? findPlaces(engine, result.meshes, parts, shown, progress)
      : new Map<Finding, Place>();
    const regions = options.listsRegions
      ? await findRegions(engine, closedParts.model, shown, progress)
      : undefined;
    const comparison =
      earlier && compareWithBaseline(options.baselinePath!, earlier, located, parts, places, unread);
    const reportData =
      options.reportPath === undefined
        ? undefined
        : collectReportData(engine, result, parts, sorted, classes, places, progress);
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
      rules: settings.rules,
      grouping: options.grouping,
      result,
      places,
      regions,
      gaps: closedParts.gaps,
      comparison,
      reportData,
      certificate,
      threads: engine.info.threads,
      milliseconds,
      notes: [
        ...engine.info.notes,
        ...notes,
        ...settings.notes,
        ...gapsNotes(closedParts.gaps, findings),
        ...sorted.unusedLines,
      ],
    };
  } finally {
    engine.dispose();
  }
}

// Returns whether clashes must be located. Locating a clash takes one more query, and the table does not show
// places.
function needsPlaces({ json, reportPath, csvPath, junitPath, bcf, baselinePath }: ClashOptions): boolean {
  return json || [reportPath, csvPath, junitPath, bcf, baselinePath].some(output => output !== undefined);
}

// Returns the content of the report. It includes findings of classes that are not listed, because buttons on
// the page can show these classes. But a finding is left out if the rule that found it does not list its
// class, and another rule does.
function collectReportData(
  engine: ClashEngine,
  { meshes }: ClashResult,
  parts: Part[],
  { listed, hidden, allowed, related }: SplitFindings,
  classes: readonly ClashClass[],
  places: ReadonlyMap<Finding, Place>,
  progress: Progress,
): Search['reportData'] {
  const others = hidden.filter(({ class: kind }) => !classes.includes(kind));
  const findings = [...listed, ...others, ...allowed, ...related.keys()].sort(comparePairs);
  return { findings, contacts: findContacts(engine, meshes, parts, findings, places, progress) };
}
