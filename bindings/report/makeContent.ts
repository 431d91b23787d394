// Builds the content of an HTML clash report from the results of a finished search for clashes.
import { basename } from 'node:path';
import type { Part, Unread } from '../formats/readParts.js';
import type { Finding } from './clashClasses.js';
import type { ClashTriangles, ReportContent, ReportHeader } from './content.js';
import { deduplicateMeshes } from './deduplicateMeshes.js';

export interface FinishedSearch
  extends Pick<
    ReportHeader,
    'boxPairs' | 'threads' | 'milliseconds' | 'version' | 'classes' | 'unit' | 'measures'
  > {
  parts: (Part & { file: string })[];
  unread: (Unread & { file: string })[];
  findings: Finding[];
  /** The findings that the list of allowed pairs allows. */
  allowed: Finding[];
  /** The findings whose elements are related in their IFC file, with the relation. */
  related: ReadonlyMap<Finding, string>;
  /** The highlighted triangles of each finding. */
  triangles: ClashTriangles[];
}

/** Returns the content of the report, with the current time as its creation time. */
export function makeContent(search: FinishedSearch): ReportContent {
  const {
    parts,
    unread,
    findings,
    triangles,
    allowed,
    related,
    boxPairs,
    threads,
    milliseconds,
    version,
    classes,
    unit,
    measures,
  } = search;
  const allowedSet = new Set(allowed);
  const paths = [...new Set([...parts, ...unread].map(({ file }) => file))];
  const { meshes, meshOfPart } = deduplicateMeshes(parts);
  const header: ReportHeader = {
    files: paths.map(path => basename(path)),
    up: upOf(paths),
    parts: parts.map(({ name, file, transform }, i) => ({
      name,
      file: paths.indexOf(file),
      mesh: meshOfPart[i],
      transform: [...transform],
    })),
    meshes: meshes.map(({ positions, indices }) => ({
      positions: positions.length,
      indices: indices.length,
    })),
    clashes: findings.map((finding, i) => ({
      ...finding,
      triangleCountA: triangles[i].a.length,
      triangleCountB: triangles[i].b.length,
      isAllowed: allowedSet.has(finding),
      relation: related.get(finding),
    })),
    unread: unread.map(({ name, id, reason, file }) => ({ name, id, reason, file: paths.indexOf(file) })),
    createdAt: new Date().toISOString(),
    boxPairs,
    threads,
    milliseconds,
    version,
    classes,
    unit,
    measures,
  };
  return { header, meshes, triangles };
}

// In glTF files, y is up. In the other formats, z is up in most files.
function upOf(paths: string[]): 'y' | 'z' {
  return paths.every(path => /\.(glb|gltf)(\.gz)?$/i.test(path)) ? 'y' : 'z';
}
