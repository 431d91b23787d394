// Compares the contacts of motions with those of an earlier run (`--baseline FILE`): which pairs are new, still
// open or resolved. The result does not depend on the order of the parts in the files.
import { basename } from 'node:path';
import { append } from '../../formats/listsByKey.js';
import {
  type Comparison,
  comparisonOf,
  isUncheckedIn,
  pairInOrder,
  pairKey,
} from '../clash/compareWithBaseline.js';
import { checkMeasures, EarlierRunReader, InvalidBaseline, type RunMeasures } from '../clash/earlierRun.js';
import type { PartIdentity } from '../clash/partIdentity.js';
import type { UnreadElement } from '../clash/readModel.js';
import type { LeftOutAnimation } from './animations.js';
import type { MotionFinding } from './findContacts.js';
import { FORMAT, FORMAT_VERSION } from './jsonFormat.js';
import { isMotionClass, MOTION_CLASSES, type MotionClass } from './motionClasses.js';

/** A pair of parts that came near each other in the earlier run. */
export interface BaselinePair {
  /** The name of the motion. */
  motion: string;
  a: PartIdentity;
  b: PartIdentity;
  class: MotionClass;
  /** The start of the first interval of contact; undefined for the class clearance. */
  first?: number;
  /** The sum of the durations of all intervals of contact; undefined for the class clearance. */
  duration?: number;
  /** The start of the first interval, or the time of the min clearance. */
  time: number;
}

export type MotionComparison = Comparison<MotionFinding, BaselinePair>;

const RUN = {
  format: FORMAT,
  version: FORMAT_VERSION,
  command: 'pfront clash --json with --animation or --robot',
};
const LENGTHS = ['margin', 'clearance'] as const;

/** The settings in which the earlier run and this run must agree, so that their contacts can be compared. */
export interface ComparedMotions extends RunMeasures<(typeof LENGTHS)[number]> {
  /** The name of an animation, or `all`; undefined for a robot. */
  animation: string | undefined;
}

/** The pairs of an earlier run, as its JSON lists them. */
export class MotionBaseline {
  private constructor(
    /** The path as the user wrote it. */
    readonly path: string,
    private readonly content: ComparedMotions & { pairs: BaselinePair[] },
  ) {}

  /** Reads a file. @throws InvalidBaseline */
  static async read(path: string): Promise<MotionBaseline> {
    return new MotionBaseline(path, await new MotionBaselineReader(path, RUN).read());
  }

  /**
   * Returns the pairs that met in the earlier run during a motion that this run also searches.
   *
   * @throws InvalidBaseline if the unit or the options of the two runs differ in such a way that a pair could
   *   seem to be new or resolved only because of this difference.
   */
  pairsFor(run: ComparedMotions): BaselinePair[] {
    const { animation, pairs } = this.content;
    checkMeasures(this.path, LENGTHS, this.content, run);
    if ((animation === undefined) !== (run.animation === undefined))
      throw new InvalidBaseline(
        `${basename(this.path)}: was written with ${animation === undefined ? '--robot' : '--animation'}`,
        'Give a baseline of the same kind of motion.',
      );
    if (animation !== 'all' && animation !== run.animation)
      throw new InvalidBaseline(
        `${basename(this.path)}: was written with --animation ${animation}, so the contacts of all other animations would seem to be new`,
        'Give the same --animation as in the run that wrote the baseline.',
      );
    return run.animation === undefined || run.animation === 'all'
      ? pairs
      : pairs.filter(({ motion }) => motion === run.animation);
  }
}

class MotionBaselineReader extends EarlierRunReader {
  async read(): Promise<ComparedMotions & { pairs: BaselinePair[] }> {
    const { unit, up, animation, margin, clearance, parts, motions } = await this.readFile();
    const identities = this.list('parts', parts).map((part, i) => this.part(`parts[${i}]`, part));
    return {
      unit: this.unit('unit', unit),
      up,
      animation: animation === undefined ? undefined : this.text('animation', animation),
      measures: {
        margin: this.length('margin', margin),
        clearance: this.length('clearance', clearance),
      },
      pairs: this.list('motions', motions).flatMap((motion, i) => {
        const { name, pairs } = this.fields(`motions[${i}]`, motion);
        return this.list(`motions[${i}].pairs`, pairs).map((pair, k) =>
          this.pair(`motions[${i}].pairs[${k}]`, this.text(`motions[${i}].name`, name), pair, identities),
        );
      }),
    };
  }

  private pair(place: string, motion: string, content: unknown, parts: PartIdentity[]): BaselinePair {
    const { a, b, class: kind, first, duration, min } = this.fields(place, content);
    const hasIntervals = first !== undefined;
    const time = hasIntervals ? first : this.fields(`${place}.min`, min).at;
    return {
      motion,
      a: this.partAt(`${place}.a`, a, parts),
      b: this.partAt(`${place}.b`, b, parts),
      class: this.class(`${place}.class`, kind, isMotionClass),
      ...(hasIntervals
        ? { first: this.time(`${place}.first`, first), duration: this.length(`${place}.duration`, duration) }
        : {}),
      time: this.time(`${place}.${hasIntervals ? 'first' : 'min.at'}`, time),
    };
  }

  private time(place: string, content: unknown): number {
    return typeof content === 'number' ? content : this.refuse(`${place} is not a number`);
  }
}

/** The findings of one motion. */
interface MotionFindings {
  name: string;
  findings: MotionFinding[];
}

/**
 * Compares the findings of this run with the pairs of a baseline. A finding matches a pair of the baseline if
 * its parts have the same GUIDs and meet during a motion with the same name. A part without a GUID is
 * identified by its name; the names of parents and the numbers that the readers add to make names unique are
 * ignored. If there are several candidates, those with the nearest meeting times are matched. Each finding and
 * each pair of the baseline is matched at most once. For a robot, the names of the motions are ignored.
 *
 * @param leftOut - The animations of this run that could not be checked.
 */
export function compareMotions(
  path: string,
  baseline: BaselinePair[],
  motions: MotionFindings[],
  isRobot: boolean,
  parts: PartIdentity[],
  unread: UnreadElement[],
  leftOut: LeftOutAnimation[],
): MotionComparison {
  const keyOf = (a: PartIdentity, b: PartIdentity, motion: string): string =>
    pairKey(a, b, isRobot ? undefined : motion);
  const before = new Map<string, BaselinePair[]>();
  for (const pair of baseline) append(before, keyOf(pair.a, pair.b, pair.motion), pair);
  const now = new Map<string, MotionFinding[]>();
  for (const { name, findings } of motions)
    for (const finding of findings) append(now, keyOf(parts[finding.a], parts[finding.b], name), finding);
  const previous = new Map<MotionFinding, BaselinePair>();
  for (const [key, findings] of now)
    pairInOrder(
      findings.flatMap(finding =>
        (before.get(key) ?? []).map(pair => ({
          now: finding,
          before: pair,
          order: orderOf(finding, pair, parts),
        })),
      ),
      previous,
    );
  const isUnread = isUncheckedIn(unread);
  const uncheckedMotions = new Set(leftOut.map(({ name }) => name));
  return comparisonOf(
    path,
    MOTION_CLASSES,
    baseline,
    motions.flatMap(({ findings }) => findings),
    previous,
    pair => isUnread(pair) || uncheckedMotions.has(pair.motion),
  );
}

// Returns the numbers by which possible matches are sorted. The first number is the difference between the
// times at which the parts meet in the two runs. The other numbers break ties.
function orderOf(finding: MotionFinding, before: BaselinePair, parts: PartIdentity[]): number[] {
  const time = finding.intervals[0]?.from ?? finding.place.time;
  const names = [parts[finding.a].name, parts[finding.b].name];
  return [
    Math.abs(time - before.time),
    Math.abs(MOTION_CLASSES.indexOf(finding.class) - MOTION_CLASSES.indexOf(before.class)),
    names.includes(before.a.name) && names.includes(before.b.name) ? 0 : 1,
    time,
    before.time,
  ];
}
