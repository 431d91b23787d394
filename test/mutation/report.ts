// Sums up the results of mutants, and writes them to results.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../bindings/build/paths.mjs';
import { explanations } from './explanations.js';
import type { Mutants, Part, Result } from './runMutants.js';

const resultsFile = new URL('./results.json', import.meta.url);

/** A mutant that was found neither by the scenes nor by the test files that ran on it. */
interface Survivor {
  place: string;
  change: string;
  /** The kernels that run the changed code, or the source file. */
  where: string;
  /** Whether the scenes run the changed code; missing if this was not examined. */
  reached?: boolean;
  /** How many of the test files that may run the changed code were run, such as '3 of 9'. */
  testFiles: string;
  /** The source line of the place. */
  line: string;
  /**
   * The explanation from explanations.ts or, if that has none, from survivors.json for the same line, change
   * and kernels; empty if there is none.
   */
  why: string;
}

/** An explanation of one mutant, found by reading the code. */
interface Explained {
  file: string;
  line: string;
  change: string;
  where: string;
  why: string;
}

const explained: readonly Explained[] = JSON.parse(
  readFileSync(new URL('./survivors.json', import.meta.url), 'utf8'),
);

/**
 * The results of the mutants of one part. byScenes, byTests: how many mutants the scenes and the tests found,
 * for each status of an outcome, such as 'trap'.
 */
export interface Report {
  seed: number;
  commit: string;
  date: string;
  mutants: number;
  byScenes: Record<string, number>;
  byTests: Record<string, number>;
  survived: Survivor[];
}

function countBy(results: readonly Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of results) if (status !== 'survived') counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Returns the source line of a place, such as 'assembly/simd/boxes.ts:12 (assembly/simd/lanes.ts:7)'. */
function lineAt(place: string): string {
  const [, file, line] = /^(\S+):(\d+)/.exec(place) ?? [];
  if (!file) return '';
  return readFileSync(path.join(root, file), 'utf8').split('\n')[Number(line) - 1]?.trim() ?? '';
}

function explanationOf({ place, change, where }: Pick<Survivor, 'place' | 'change' | 'where'>): string {
  const matching = explanations.find(
    ({ places, changes = /./, kernels = /./ }) =>
      places.test(place) && changes.test(change) && kernels.test(where),
  );
  if (matching) return matching.why;
  const [file, line] = [place.replace(/:\d+/g, ''), lineAt(place)];
  return (
    explained.find(
      one => one.file === file && one.line === line && one.change === change && one.where === where,
    )?.why ?? ''
  );
}

/** Sums up the results of all mutants on which the scenes were run. */
export function makeReport(seed: number, { mutants, results }: Mutants): Report {
  const known = (stage: Result['stage']): Result[] =>
    [...results.ofStage(stage).values()].filter(({ index }) => index < mutants.length);
  const [scenes, tests] = [known('scenes'), results.ofStage('tests')];
  const reached = results.ofStage('reached');
  const survived = scenes
    .filter(({ index, status }) => (tests.get(index)?.status ?? status) === 'survived')
    .map(({ index }): Survivor => {
      const { change, where } = mutants[index];
      const error = { place: mutants[index].place(), change, where };
      const trap = reached.get(index);
      const { filesRun = 0, files } = tests.get(index) ?? {};
      return {
        ...error,
        reached: trap && trap.status !== 'survived',
        testFiles: files === undefined ? 'none yet' : `${filesRun} of ${files}`,
        line: lineAt(error.place),
        why: explanationOf(error),
      };
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  return {
    seed,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    mutants: scenes.length,
    byScenes: countBy(scenes),
    byTests: countBy(known('tests')),
    survived,
  };
}

/** Returns a text that is equal for the same error in the same place. */
export const nameOf = ({ place, change, where }: Survivor): string => `${place}: ${change} (${where})`;

/** Returns the reports in results.json. */
export const readReports = (): Partial<Record<Part, Report>> =>
  existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};

/** Writes a report to results.json, and prints the mutants that survived and have no explanation. */
export function writeReport(part: Part, report: Report): void {
  writeFileSync(resultsFile, `${JSON.stringify({ ...readReports(), [part]: report }, null, 2)}\n`);
  const unexplained = report.survived.filter(({ why }) => why === '');
  for (const survivor of unexplained) console.log(nameOf(survivor));
  console.log(
    JSON.stringify({ ...report, survived: report.survived.length, unexplained: unexplained.length }, null, 2),
  );
}
