// Writes a page of `pfront clash --report` with 10,000 clashes that are made up, not found by a search.
import { writeReport } from '../../dist/cli/clash/writeReport.js';
import { makeContent } from '../../dist/report/makeContent.js';
import { box, translation } from '../../dist/samples/index.js';
import { writeBeside } from './reports.js';

/** Number of clashes of the page. */
export const CLASHES = 10_000;
const SILENT = { begin() {}, step() {}, end() {} };

/**
 * Writes the page. `partCount`: number of parts, at least 150. `groupSize`: the number of clashes of each
 * group, if there are groups. @returns the path of the page and its size in bytes
 */
export async function writeManyClashes(
  name: string,
  partCount: number,
  groupSize?: number,
): Promise<{ address: string; bytes: number }> {
  const cube = box(0.5, 0.5, 0.5);
  const parts = Array.from({ length: partCount }, (_, i) => ({
    name: `Crate ${i}`,
    file: 'crates.glb',
    ...cube,
    transform: Float64Array.from(translation([i % 15, Math.floor(i / 15), 0])),
  }));
  const findings = parts
    .flatMap((_, a) => Array.from({ length: partCount - 1 - a }, (_, i) => ({ a, b: a + 1 + i })))
    .slice(0, CLASHES)
    .map(({ a, b }) => ({
      a,
      b,
      class: 'hard' as const,
      trianglePairs: 1,
      depth: 0.1,
      direction: [0, 0, 1],
      distance: 0,
      size: 1,
      isDuplicate: false,
    }));
  const address = writeBeside(name, '');
  const bytes = await writeReport(
    address,
    makeContent({
      parts,
      unread: [],
      findings,
      allowed: [],
      related: new Map(),
      changes: new Map(),
      groups:
        groupSize === undefined
          ? undefined
          : {
              by: 'part',
              list: Array.from({ length: CLASHES / groupSize }, (_, group) => ({
                name: `Group ${group}`,
                clashes: Array.from({ length: groupSize }, (_, i) => group * groupSize + i),
              })),
            },
      contacts: findings.map(({ a, b }) => ({
        point: [a % 15, Math.floor(b / 15), (a * b) / 2e4],
        triangleCountA: 1,
        triangleCountB: 1,
        lineLengths: Uint32Array.of(2),
        linePoints: Float32Array.of(0, 0, 0, 1, 1, 1),
        regionCorners: new Float32Array(),
        singlePoints: new Float32Array(),
      })),
      up: 'z',
      fileDates: new Map([['crates.glb', '2026-01-01T00:00:00Z']]),
      classes: ['hard'],
      unit: 'm',
      measures: { clearance: 0, tolerance: 0 },
      boxPairs: CLASHES,
      threads: 1,
      milliseconds: 1,
      version: '0.0.0',
    }),
    SILENT,
  );
  return { address, bytes };
}
