// Formats a finished search as the JSON that `pfront clash --json` prints.
import type { QueryStats } from '../../index.js';
import { CLASSES, type Finding } from '../../report/clashClasses.js';
import type { WrittenFile } from '../outputFile.js';
import type { NamedPart } from './readModel.js';
import type { Search } from './search.js';

/**
 * Returns the JSON text. `written` has the paths and sizes of the report and of the certificate, if written.
 */
export function asJson(
  { parts, unread, unit, measures, listed, allowed, hidden, result, threads, milliseconds, notes }: Search,
  stats: QueryStats | undefined,
  written: { report?: WrittenFile; certificate?: WrittenFile },
): string {
  const { boxPairs, cluster } = result;
  const triangles = (part: NamedPart) => part.indices.length / 3;
  const entry = ({
    a,
    b,
    class: kind,
    trianglePairs,
    depth,
    direction,
    distance,
    size,
    inner,
    isDuplicate,
  }: Finding) => ({
    a,
    b,
    nameA: parts[a].name,
    nameB: parts[b].name,
    class: kind,
    depth,
    direction,
    distance,
    size,
    ...(inner ? { inner: inner === 'a' ? a : b } : {}),
    ...(isDuplicate ? { duplicate: true } : {}),
    trianglePairs,
  });
  const countOf = (findings: Finding[], kind: string) =>
    findings.filter(finding => finding.class === kind).length;
  return JSON.stringify({
    ...(unit ? { unit } : {}),
    ...measures,
    parts: parts.map(part => ({
      name: part.name,
      ...(part.type ? { type: part.type } : {}),
      ...(part.id ? { id: part.id } : {}),
      triangles: triangles(part),
      file: part.file,
    })),
    unread: unread.map(({ name, type, id, reason, isPartial, file }) => ({
      name,
      type,
      id,
      reason,
      ...(isPartial ? { partial: true } : {}),
      file,
    })),
    clashes: listed.map(entry),
    allowed: allowed.map(entry),
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
          { listed: countOf(listed, kind), allowed: countOf(allowed, kind), hidden: countOf(hidden, kind) },
        ]),
      ),
    },
    threads,
    ms: Math.round(milliseconds * 1000) / 1000,
    notes,
    ...(stats ? { stats } : {}),
    ...(cluster ? { cluster } : {}),
    ...written,
  });
}
