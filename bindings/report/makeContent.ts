// Builds the content of an HTML clash report from the results of a finished search for clashes.
import { basename, resolve } from 'node:path';
import type { Up } from '../formats/part.js';
import type { Part, Unread } from '../formats/readParts.js';
import { upAxisOf } from './bcf/bcfFrame.js';
import { pairGuid, partKeys, reportGuid } from './bcf/guids.js';
import { midpoint, type Point } from './bounds.js';
import type { ReportChange } from './changes.js';
import type { Finding } from './clashClasses.js';
import {
  type ClashContact,
  CONTACT_ARRAYS,
  type ContactArrays,
  type ContactLengths,
  type ReportContent,
  type ReportHeader,
  type ReportRegion,
  type ReportRegions,
} from './content.js';
import { deduplicateMeshes } from './deduplicateMeshes.js';

/** At most this many regions of a clash are in the page. */
const MAX_REGIONS = 100;

/** A contact region: a `Penetration` of the engine. */
type RegionOfFinding = Omit<ReportRegion, 'point'> & { pointA: Point; pointB: Point };

export interface FinishedSearch
  extends Pick<
    ReportHeader,
    | 'boxPairs'
    | 'threads'
    | 'milliseconds'
    | 'version'
    | 'classes'
    | 'unit'
    | 'measures'
    | 'deflection'
    | 'groups'
    | 'comparison'
  > {
  parts: (Part & { file: string })[];
  unread: (Unread & { file: string })[];
  findings: Finding[];
  /** The findings that the list of allowed pairs allows. */
  allowed: Finding[];
  /** The contact of each finding. */
  contacts: ClashContact[];
  /** The up axis that `--up` sets. */
  up: Up | undefined;
  /** The time of the last change of each file, by its path, in ISO 8601. */
  fileDates: ReadonlyMap<string, string>;
  /** The contact regions of findings, deepest first, if they were measured. */
  regions?: ReadonlyMap<Finding, readonly RegionOfFinding[]> | undefined;
  /** How the listed findings compare with an earlier run; empty if there is no comparison. */
  changes: ReadonlyMap<Finding, ReportChange>;
  /** The findings whose elements are related in their IFC file, with the relation. */
  related: ReadonlyMap<Finding, string>;
}

/** Returns the content of the report, with the current time as its creation time. */
export function makeContent(search: FinishedSearch): ReportContent {
  const {
    parts,
    unread,
    findings,
    contacts,
    allowed,
    fileDates,
    related,
    changes,
    comparison,
    boxPairs,
    threads,
    milliseconds,
    version,
    classes,
    unit,
    measures,
    deflection,
    groups,
  } = search;
  const keys = partKeys(parts);
  const allowedSet = new Set(allowed);
  const paths = [...new Set([...parts, ...unread].map(({ file }) => file))];
  const { meshes, meshOfPart } = deduplicateMeshes(parts);
  const header: ReportHeader = {
    files: paths.map(path => basename(path)),
    fileDates: paths.map(path => fileDates.get(path)!),
    guid: reportGuid(paths.map(path => resolve(path))),
    up: upAxisOf(search.up, parts),
    parts: parts.map(
      ({ name, id, type, objectType, storey, layer, assembly, color, file, transform }, i) => ({
        name,
        id,
        type,
        objectType,
        storey,
        layer,
        assembly,
        color,
        file: paths.indexOf(file),
        mesh: meshOfPart[i],
        transform: [...transform],
      }),
    ),
    meshes: meshes.map(({ positions, indices }) => ({
      positions: positions.length,
      indices: indices.length,
    })),
    clashes: findings.map((finding, i) => ({
      ...finding,
      guid: pairGuid(keys[finding.a], keys[finding.b], finding.rule),
      point: contacts[i].point,
      triangleCountA: contacts[i].triangleCountA,
      triangleCountB: contacts[i].triangleCountB,
      ...lengthsOf(contacts[i]),
      ...changes.get(finding),
      isAllowed: allowedSet.has(finding),
      relation: related.get(finding),
      regions: regionsOf(search.regions?.get(finding)),
    })),
    groups,
    comparison,
    unread: unread.map(({ name, id, reason, file }) => ({ name, id, reason, file: paths.indexOf(file) })),
    createdAt: new Date().toISOString(),
    boxPairs,
    threads,
    milliseconds,
    version,
    classes,
    unit,
    measures,
    deflection,
  };
  return { header, meshes, contacts };
}

// The point of a region is the midpoint of two points: the deepest point of each part in this region.
function regionsOf(regions: readonly RegionOfFinding[] | undefined): ReportRegions | undefined {
  return (
    regions && {
      count: regions.length,
      list: regions
        .slice(0, MAX_REGIONS)
        .map(({ overlapDepth, volume, contactLength, contactArea, depth, pointA, pointB }) => ({
          overlapDepth,
          volume,
          contactLength,
          contactArea,
          depth,
          point: midpoint(pointA, pointB),
        })),
    }
  );
}

/** Returns the lengths of the arrays of a contact. */
export const lengthsOf = (contact: ContactArrays): ContactLengths =>
  Object.fromEntries(CONTACT_ARRAYS.map(name => [name, contact[name].length])) as ContactLengths;
