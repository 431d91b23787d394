// Groups clashes by the types of their parts, by part, by storey, by assembly or by cluster, so that many
// clashes with one cause are one row.
import { append } from '../../formats/listsByKey.js';
import { compareFindings, type Finding } from '../../report/clashClasses.js';
import { rootOf, unite } from '../unionFind.js';
import { UsageError } from '../usageError.js';
import type { Grouping } from './groupings.js';
import type { NamedPart } from './readModel.js';

/** Clashes that belong together. Each listed clash is in one group. */
export interface ClashGroup {
  name: string;
  /** Worst first. */
  findings: Finding[];
}

/** Checks that at least one part has the property by which clashes are grouped. @throws UsageError */
export function checkGrouping(parts: NamedPart[], by: Grouping | undefined): void {
  if (by !== undefined && by !== 'part' && by !== 'cluster' && !parts.some(part => part[by]))
    throw new UsageError(
      `--group ${by}: no part has ${by === 'assembly' ? 'an' : 'a'} ${by}`,
      'Only elements of IFC files have types and storeys, and only parts of STEP and IGES files have assemblies. Write --group part or --group cluster.',
    );
}

/** Groups findings. The groups are sorted by their worst finding. */
export function groupFindings(findings: Finding[], parts: NamedPart[], by: Grouping): ClashGroup[] {
  const groups =
    by === 'part'
      ? groupByPart(findings, parts)
      : by === 'cluster'
        ? groupByCluster(findings, parts)
        : groupByNames(findings, ({ a, b }) => pairName(parts[a], parts[b], by));
  return groups
    .map(({ name, findings: members }) => ({ name, findings: members.toSorted(compareFindings) }))
    .sort((x, y) => compareFindings(x.findings[0], y.findings[0]));
}

/**
 * Returns the groups of the listed findings, each with the indices of its findings in the list `order`.
 *
 * @param order - A list that contains all listed findings; by default, the listed findings themselves.
 */
export function groupIndices(
  listed: Finding[],
  parts: NamedPart[],
  by: Grouping,
  order = listed,
): { name: string; clashes: number[] }[] {
  const indices = new Map(order.map((finding, i) => [finding, i]));
  return groupFindings(listed, parts, by).map(({ name, findings }) => ({
    name,
    clashes: findings.map(finding => indices.get(finding)!),
  }));
}

/** Returns the name of the group of each finding; no names if findings are not grouped. */
export function groupNames(
  findings: Finding[],
  parts: NamedPart[],
  by: Grouping | undefined,
): ReadonlyMap<Finding, string> {
  return new Map(
    (by ? groupFindings(findings, parts, by) : []).flatMap(({ name, findings: members }) =>
      members.map(finding => [finding, name] as const),
    ),
  );
}

function groupByNames(findings: Finding[], nameOf: (finding: Finding) => string): ClashGroup[] {
  return [...groupBy(findings, nameOf)].map(([name, members]) => ({ name, findings: members }));
}

function groupBy<Key>(findings: Finding[], keyOf: (finding: Finding) => Key): Map<Key, Finding[]> {
  const groups = new Map<Key, Finding[]>();
  for (const finding of findings) append(groups, keyOf(finding), finding);
  return groups;
}

function pairName(a: NamedPart, b: NamedPart, by: 'type' | 'storey' | 'assembly'): string {
  const none = `(no ${by})`;
  const [x, y] = [a[by] || none, b[by] || none].sort();
  return by !== 'type' && x === y ? x : `${x} \u00d7 ${y}`;
}

// Groups clashes greedily: all clashes of the part with the most clashes form a group, then all remaining
// clashes of the part with the most remaining clashes, and so on. Ties are decided by the order of the parts.
function groupByPart(findings: Finding[], parts: NamedPart[]): ClashGroup[] {
  const clashesOf = new Map<number, Set<Finding>>();
  for (const finding of findings)
    for (const part of [finding.a, finding.b])
      clashesOf.set(part, (clashesOf.get(part) ?? new Set()).add(finding));
  // Buckets of parts by their number of remaining clashes. If the number of a part has decreased, the part is
  // moved to a lower bucket when its old bucket is reached.
  const buckets: number[][] = [];
  const put = (part: number, count: number) => (buckets[count] ??= []).push(part);
  for (const part of [...clashesOf.keys()].sort((x, y) => y - x)) put(part, clashesOf.get(part)!.size);
  const groups: ClashGroup[] = [];
  for (let count = buckets.length - 1; count > 0; count--) {
    const bucket = (buckets[count] ?? []).sort((x, y) => y - x);
    for (let part = bucket.pop(); part !== undefined; part = bucket.pop()) {
      const own = clashesOf.get(part)!;
      if (own.size < count) {
        if (own.size > 0) put(part, own.size);
        continue;
      }
      const members = [...own];
      groups.push({ name: parts[part].name, findings: members });
      for (const finding of members)
        for (const other of [finding.a, finding.b]) clashesOf.get(other)!.delete(finding);
    }
  }
  return groups;
}

// A cluster is a set of parts that are connected by clashes.
function groupByCluster(findings: Finding[], parts: NamedPart[]): ClashGroup[] {
  const parents = Uint32Array.from(parts, (_, i) => i);
  // The smaller index becomes the root, so the name of a cluster is the name of its first part.
  for (const { a, b } of findings) unite(parents, a, b);
  return [...groupBy(findings, ({ a }) => rootOf(parents, a))].map(([root, members]) => {
    const count = new Set(members.flatMap(({ a, b }) => [a, b])).size;
    return { name: `${parts[root].name} and ${count - 1} more`, findings: members };
  });
}
