// Formats a finished search as the JSON that `pfront clash --json` prints. The schema of this JSON is
// docs/schemas/clash.schema.json.
import type { Penetration, QueryStats } from '../../index.js';
import { CLASSES, type Finding } from '../../report/clashClasses.js';
import type { WrittenFile } from '../outputFile.js';
import { roundTimes, type StageTime } from '../stageTimes.js';
import type { BaselineClash } from './baseline.js';
import { groupIndices } from './groupFindings.js';
import { FORMAT, FORMAT_VERSION } from './jsonFormat.js';
import type { PairRule } from './pairRules.js';
import { identityOf } from './partIdentity.js';
import type { NamedPart } from './readModel.js';
import { maxRounding } from './rounding.js';
import type { Search } from './search.js';
import { statusOf } from './statusOf.js';

/** The paths and sizes of the files that were written. */
export type WrittenFiles = Partial<Record<'report' | 'certificate' | 'bcf' | 'csv' | 'junit', WrittenFile>>;

/** Returns the JSON text. */
export function asJson(
  search: Search,
  up: 'y' | 'z' | undefined,
  stats: QueryStats | undefined,
  written: WrittenFiles,
  times: StageTime[],
): string {
  const { parts, unread, unit, measures, listed, allowed, hidden, result } = search;
  const { related, includesRelated, rules, grouping } = search;
  const { threads, notes, classes, places, regions, gaps, comparison, deflection } = search;
  const { boxPairs, cluster } = result;
  const triangles = (part: NamedPart) => part.indices.length / 3;
  const entry = (finding: Finding) => {
    const { a, b, class: kind, trianglePairs, distance, size, inner, isDuplicate, rule } = finding;
    return {
      a,
      b,
      nameA: parts[a].name,
      nameB: parts[b].name,
      rule,
      class: kind,
      ...figuresOf(finding),
      separation: finding.separation,
      distance,
      size,
      inner: inner && (inner === 'a' ? a : b),
      ...(isDuplicate ? { duplicate: true } : {}),
      trianglePairs,
      ...places.get(finding)!,
      regions: regions && (regions.get(finding) ?? []).map(regionEntry),
    };
  };
  const listedEntry = (finding: Finding) => {
    const before = comparison?.previous.get(finding);
    return {
      ...entry(finding),
      status: statusOf(comparison, finding),
      previousClass: before?.class === finding.class ? undefined : before?.class,
    };
  };
  const { total, rounded } = roundTimes(times, 0.001);
  const countOf = (findings: Finding[], kind: string) =>
    findings.filter(finding => finding.class === kind).length;
  return JSON.stringify({
    format: FORMAT,
    version: FORMAT_VERSION,
    unit,
    up,
    ...measures,
    classes,
    // The deflection is in mm and needs no conversion: it is defined only if there is a STEP or IGES file. The
    // parts of such a file are in mm, which is the smallest of all units, so the scene is in mm, too.
    deflection,
    rounding: maxRounding(parts),
    rules: rules?.map(ruleEntry),
    parts: parts.map((part, number) => ({
      ...identityOf(part),
      color: part.color,
      triangles: triangles(part),
      gaps: gaps.get(number),
    })),
    unread: unread.map(({ name, type, id, reason, isPartial, file }) => ({
      name,
      type,
      id,
      reason,
      ...(isPartial ? { partial: true } : {}),
      file,
    })),
    clashes: listed.map(listedEntry),
    allowed: allowed.map(entry),
    related: includesRelated
      ? undefined
      : [...related].map(([finding, relation]) => ({ ...entry(finding), relation })),
    baseline: comparison?.path,
    resolved: comparison?.resolved.map(baselineEntry),
    unchecked: comparison?.unchecked.map(baselineEntry),
    groups: grouping && groupIndices(listed, parts, grouping),
    totals: {
      parts: parts.length,
      unread: unread.length,
      triangles: parts.reduce((sum, part) => sum + triangles(part), 0),
      boxPairs,
      clashes: listed.length,
      trianglePairs: listed.reduce((sum, { trianglePairs }) => sum + trianglePairs, 0),
      classes: Object.fromEntries(
        CLASSES.map(kind => [
          kind,
          {
            listed: countOf(listed, kind),
            allowed: countOf(allowed, kind),
            related: countOf([...related.keys()], kind),
            hidden: countOf(hidden, kind),
          },
        ]),
      ),
    },
    threads,
    ms: total / 1000,
    stages: times.map(({ name }, i) => ({ name, ms: rounded[i] / 1000 })),
    notes,
    stats,
    cluster,
    ...written,
  });
}

// Returns the figures that a clash and each of its regions have.
const figuresOf = (found: Finding | Penetration) => {
  const { overlapDepth, volume, contactLength, contactArea, depth, bound, direction } = found;
  return { overlapDepth, volume, contactLength, contactArea, depth, bound, direction };
};

const regionEntry = (region: Penetration) => {
  const { component, pointA, pointB, size, pairs } = region;
  return { component, ...figuresOf(region), pointA, pointB, size, trianglePairs: pairs };
};

// The parts of a baseline clash may be missing in the list of parts, so the entry itself describes them.
function baselineEntry({ a, b, rule, class: kind, depth, distance, size, point, box }: BaselineClash) {
  return {
    partA: identityOf(a),
    partB: identityOf(b),
    rule,
    class: kind,
    depth,
    distance,
    size,
    point,
    box,
  };
}

function ruleEntry({ name, textA, textB, measures, classes, inA, inB }: PairRule) {
  const count = (set: Uint8Array) => set.reduce((sum, value) => sum + value, 0);
  return {
    ...(name === '' ? {} : { name }),
    a: { selector: textA, parts: count(inA) },
    b: { selector: textB, parts: count(inB) },
    ...measures,
    classes,
  };
}
