// Reads the clashes of an earlier run from the JSON that `pfront clash --json` printed (`--baseline FILE`).

import { basename } from 'node:path';
import { nounFor } from '../../formats/formatCount.js';
import type { Unit } from '../../formats/units.js';
import type { Bounds, Point } from '../../report/bounds.js';
import { type ClashClass, isClass } from '../../report/clashClasses.js';
import type { ClashLimits } from './classifyParts.js';
import { checkMeasures, EarlierRunReader, type Fields, InvalidBaseline } from './earlierRun.js';
import { FORMAT, FORMAT_VERSION } from './jsonFormat.js';
import type { PairRule } from './pairRules.js';
import type { PartIdentity } from './partIdentity.js';

const RUN = { format: FORMAT, version: FORMAT_VERSION, command: 'pfront clash --json' };

/** A clash of the earlier run. Lengths and coordinates are in the unit of this run. */
export interface BaselineClash {
  a: PartIdentity;
  b: PartIdentity;
  /** The name of the rule that asks for the pair, if the runs have rules with names. */
  rule?: string;
  class: ClashClass;
  depth: number;
  distance: number;
  size: number;
  point: Point;
  box: Bounds;
}

/** What must agree between the earlier run and this run, so that their clashes can be compared. */
export interface ComparedRun {
  unit: Unit | undefined;
  up: 'y' | 'z' | undefined;
  measures: ClashLimits;
  deflection: number | undefined;
  /** The classes that this run lists. */
  classes: readonly ClashClass[];
  /** Whether the run lists clashes between related elements like other clashes. */
  includesRelated: boolean;
  rules: readonly ComparedRule[] | undefined;
}

/** What must agree between a rule of the earlier run and the rule of this run. */
export type ComparedRule = Pick<PairRule, 'name' | 'textA' | 'textB' | 'measures' | 'classes'>;

/** The clashes of an earlier run, as its JSON lists them. */
export class Baseline {
  private constructor(
    /** The path as the user wrote it. */
    readonly path: string,
    private readonly content: {
      unit: Unit | undefined;
      up: unknown;
      measures: ClashLimits;
      deflection: number | undefined;
      classes: ClashClass[];
      includesRelated: boolean;
      rules: ComparedRule[] | undefined;
      clashes: BaselineClash[];
    },
  ) {}

  /** Reads a file. @throws InvalidBaseline */
  static async read(path: string): Promise<Baseline> {
    return new Baseline(path, await new BaselineReader(path, RUN).read());
  }

  /**
   * Returns the clashes of the earlier run whose classes this run lists. Lengths and coordinates are
   * converted to the unit of this run.
   *
   * @throws InvalidBaseline if the options of the two runs differ in such a way that a clash could seem to be
   *   new or resolved only because of this difference.
   */
  clashesFor(run: ComparedRun): BaselineClash[] {
    const { deflection, classes, clashes } = this.content;
    const name = basename(this.path);
    const factor = checkMeasures(this.path, ['clearance', 'tolerance'], this.content, run);
    if (deflection !== undefined && run.deflection !== undefined && deflection !== run.deflection)
      throw new InvalidBaseline(
        `${name}: was written with --deflection ${deflection}mm, but this run has --deflection ${run.deflection}mm`,
        'Give the same --deflection as in the run that wrote the baseline.',
      );
    if (this.content.includesRelated !== run.includesRelated)
      throw new InvalidBaseline(
        `${name}: was written ${run.includesRelated ? 'without' : 'with'} --include-related`,
        'Give or omit --include-related as in the run that wrote the baseline.',
      );
    const difference = differenceOfRules(this.content.rules, run.rules, factor);
    if (difference !== undefined)
      throw new InvalidBaseline(
        `${name}: ${difference}`,
        'Give the same --rules or --between as in the run that wrote the baseline, or write the baseline again.',
      );
    const missing = run.classes.filter(kind => !classes.includes(kind));
    if (missing.length > 0)
      throw new InvalidBaseline(
        `${name}: does not list the ${nounFor(missing.length, 'class')} ${missing.join(', ')}, so all clashes of ${missing.length === 1 ? 'this class' : 'these classes'} would seem to be new`,
        `Write --classes ${classes.join(',')}, or write the baseline again with more classes.`,
      );
    const compared = clashes.filter(clash => run.classes.includes(clash.class));
    return factor === 1 ? compared : compared.map(clash => scaled(clash, factor));
  }
}

function scaled(clash: BaselineClash, factor: number): BaselineClash {
  const scale = (point: Point): Point => point.map(value => factor * value) as Point;
  return {
    ...clash,
    depth: factor * clash.depth,
    distance: factor * clash.distance,
    size: factor * clash.size,
    point: scale(clash.point),
    box: { min: scale(clash.box.min), max: scale(clash.box.max) },
  };
}

// Describes the first difference between the rules of two runs, or returns undefined if there is none.
function differenceOfRules(
  before: ComparedRule[] | undefined,
  now: readonly ComparedRule[] | undefined,
  factor: number,
): string | undefined {
  if ((before === undefined) !== (now === undefined))
    return `was written ${now ? 'without' : 'with'} --rules or --between`;
  const titleOf = (name: string) => (name === '' ? 'the sets of --between' : `the rule "${name}"`);
  const missing = before?.find(({ name }) => !now!.some(rule => rule.name === name));
  if (missing) return `this run lacks ${titleOf(missing.name)}`;
  for (const rule of now ?? []) {
    const old = before!.find(({ name }) => name === rule.name);
    if (!old) return `lacks ${titleOf(rule.name)}`;
    const isLike = (x: number, y: number) => Math.abs(factor * x - y) <= 1e-9 * y;
    const isSame =
      old.textA === rule.textA &&
      old.textB === rule.textB &&
      isLike(old.measures.clearance, rule.measures.clearance) &&
      isLike(old.measures.tolerance, rule.measures.tolerance) &&
      [...old.classes].sort().join() === [...rule.classes].sort().join();
    if (!isSame) return `${titleOf(rule.name)} had other sets, lengths or classes`;
  }
  return undefined;
}

class BaselineReader extends EarlierRunReader {
  async read(): Promise<Baseline['content']> {
    const content = await this.readFile();
    const { unit, up, deflection, classes, related, rules, parts, clashes } = content;
    const identities = this.list('parts', parts).map((part, i) => this.part(`parts[${i}]`, part));
    return {
      unit: this.unit('unit', unit),
      up,
      measures: this.measures('', content),
      deflection: deflection === undefined ? undefined : this.length('deflection', deflection),
      classes: this.list('classes', classes).map((kind, i) => this.class(`classes[${i}]`, kind, isClass)),
      includesRelated: related === undefined,
      rules:
        rules === undefined
          ? undefined
          : this.list('rules', rules).map((rule, i) => this.rule(`rules[${i}]`, rule)),
      clashes: this.list('clashes', clashes).map((clash, i) =>
        this.clash(`clashes[${i}]`, clash, identities),
      ),
    };
  }

  private clash(place: string, content: unknown, parts: PartIdentity[]): BaselineClash {
    const { a, b, rule, class: kind, depth, distance, size, point, box } = this.fields(place, content);
    const { min, max } = this.fields(`${place}.box`, box);
    return {
      a: this.partAt(`${place}.a`, a, parts),
      b: this.partAt(`${place}.b`, b, parts),
      ...(rule === undefined ? {} : { rule: this.text(`${place}.rule`, rule) }),
      class: this.class(`${place}.class`, kind, isClass),
      depth: this.length(`${place}.depth`, depth),
      distance: this.length(`${place}.distance`, distance),
      size: this.length(`${place}.size`, size),
      point: this.point(`${place}.point`, point),
      box: { min: this.point(`${place}.box.min`, min), max: this.point(`${place}.box.max`, max) },
    };
  }

  private rule(place: string, content: unknown): ComparedRule {
    const fields = this.fields(place, content);
    const selector = (key: 'a' | 'b'): string =>
      this.text(`${place}.${key}.selector`, this.fields(`${place}.${key}`, fields[key]).selector);
    return {
      name: fields.name === undefined ? '' : this.text(`${place}.name`, fields.name),
      textA: selector('a'),
      textB: selector('b'),
      measures: this.measures(`${place}.`, fields),
      classes: this.list(`${place}.classes`, fields.classes).map((kind, i) =>
        this.class(`${place}.classes[${i}]`, kind, isClass),
      ),
    };
  }

  private measures(prefix: string, { clearance, tolerance }: Fields): ClashLimits {
    return {
      clearance: this.length(`${prefix}clearance`, clearance),
      tolerance: this.length(`${prefix}tolerance`, tolerance),
    };
  }
}
