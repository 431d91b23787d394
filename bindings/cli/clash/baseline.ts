// Reads the clashes of an earlier run from the JSON that `pfront clash --json` printed (`--baseline FILE`).

import { basename } from 'node:path';
import { CollisionError } from '../../core/errors.js';
import { quote } from '../../formats/part.js';
import { isUnit, type Unit, unitsPer } from '../../formats/units.js';
import type { Bounds, Point } from '../../report/bounds.js';
import { type ClashClass, isClass } from '../../report/clashClasses.js';
import { readTextFile } from '../readTextFile.js';
import type { ClashLimits } from './classifyParts.js';
import { FORMAT, FORMAT_VERSION } from './jsonFormat.js';
import type { PairRule } from './pairRules.js';
import { OPTIONAL_PROPERTIES, type PartIdentity } from './partIdentity.js';

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
  /** Whether the run lists clashes of related elements with the others. */
  includesRelated: boolean;
  rules: readonly ComparedRule[] | undefined;
}

/** What must agree between a rule of the earlier run and the rule of this run. */
export type ComparedRule = Pick<PairRule, 'name' | 'textA' | 'textB' | 'measures' | 'classes'>;

/** The file of --baseline cannot be used. */
export class InvalidBaseline extends CollisionError {
  constructor(
    message: string,
    fix = 'Write it again with pfront clash FILE --json, into another file than the new output.',
  ) {
    super('InvalidBaseline', message, fix);
  }
}

type Fields = Record<string, unknown>;

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
    const reader = new BaselineReader(basename(path));
    return new Baseline(path, reader.read(await readTextFile(path, '--baseline', InvalidBaseline)));
  }

  /**
   * Returns the clashes of the earlier run, in the unit of this run, whose classes this run lists.
   *
   * @throws InvalidBaseline if the two runs cannot be compared, because a clash would seem to be new or
   *   resolved only because the options differ.
   */
  clashesFor(run: ComparedRun): BaselineClash[] {
    const { unit, up, measures, deflection, classes, clashes } = this.content;
    const name = basename(this.path);
    if ((unit === undefined) !== (run.unit === undefined))
      throw new InvalidBaseline(
        `${name}: its unit is ${unit ?? 'unknown'}, but the unit of this run is ${run.unit ?? 'unknown'}`,
        'Give the same --units as in the run that wrote the baseline.',
      );
    const factor = unit === undefined ? 1 : unitsPer(unit, run.unit!);
    if (up !== run.up)
      throw new InvalidBaseline(
        `${name}: was written ${up === undefined ? 'without --up' : `with --up ${up}`}`,
        'Give the same --up as in the run that wrote the baseline.',
      );
    for (const key of ['clearance', 'tolerance'] as const) {
      const [before, now] = [factor * measures[key], run.measures[key]];
      if (Math.abs(before - now) > 1e-9 * Math.max(before, now))
        throw new InvalidBaseline(
          `${name}: was written with --${key} ${measures[key]}${unit ?? ''}, but this run has --${key} ${now}${run.unit ?? ''}`,
          `Give the same --${key} as in the run that wrote the baseline.`,
        );
    }
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
        `${name}: does not list the class ${missing.join(', ')}, so all of these clashes would seem to be new`,
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

// Checks and converts the values that a comparison needs. `place` is the name of a value in error messages.
class BaselineReader {
  constructor(private readonly file: string) {}

  read(text: string): Baseline['content'] {
    let content: unknown;
    try {
      content = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch (error) {
      const { message } = error as Error;
      this.refuse(text === '' ? 'is empty' : `is not JSON (${message.replace(/\s+/g, ' ').slice(0, 100)})`);
    }
    const { format, version } = (content ?? {}) as Fields;
    if (format !== FORMAT)
      this.refuse(`is not the output of pfront clash --json: "format" is not "${FORMAT}"`);
    if (version !== FORMAT_VERSION)
      this.refuse(
        `has version ${quote(String(version))}, but this version of pfront reads only version ${FORMAT_VERSION}`,
      );
    const { unit, up, deflection, classes, related, rules, parts, clashes } = content as Fields;
    if (unit !== undefined && !(typeof unit === 'string' && isUnit(unit))) this.refuse('unit is not a unit');
    const identities = this.list('parts', parts).map((part, i) => this.part(`parts[${i}]`, part));
    return {
      unit: unit as Unit | undefined,
      up,
      measures: this.measures('', content as Fields),
      deflection: deflection === undefined ? undefined : this.length('deflection', deflection),
      classes: this.list('classes', classes).map((kind, i) => this.class(`classes[${i}]`, kind)),
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
    const part = (key: string, index: unknown): PartIdentity =>
      Number.isInteger(index) && (index as number) in parts
        ? parts[index as number]
        : this.refuse(`${place}.${key} is not the index of a part`);
    return {
      a: part('a', a),
      b: part('b', b),
      ...(rule === undefined ? {} : { rule: this.text(`${place}.rule`, rule) }),
      class: this.class(`${place}.class`, kind),
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
        this.class(`${place}.classes[${i}]`, kind),
      ),
    };
  }

  private measures(prefix: string, { clearance, tolerance }: Fields): ClashLimits {
    return {
      clearance: this.length(`${prefix}clearance`, clearance),
      tolerance: this.length(`${prefix}tolerance`, tolerance),
    };
  }

  private part(place: string, content: unknown): PartIdentity {
    const { name, file, ...others } = this.fields(place, content);
    const known = OPTIONAL_PROPERTIES.flatMap(key =>
      others[key] === undefined ? [] : [[key, this.text(`${place}.${key}`, others[key])]],
    );
    return {
      name: this.text(`${place}.name`, name),
      file: this.text(`${place}.file`, file),
      ...Object.fromEntries(known),
    };
  }

  private fields(place: string, content: unknown): Fields {
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      return this.refuse(`${place} is not an object`);
    return content as Fields;
  }

  private list(place: string, content: unknown): unknown[] {
    return Array.isArray(content) ? content : this.refuse(`${place} is not a list`);
  }

  private text(place: string, content: unknown): string {
    return typeof content === 'string' ? content : this.refuse(`${place} is not a string`);
  }

  private class(place: string, content: unknown): ClashClass {
    return typeof content === 'string' && isClass(content) ? content : this.refuse(`${place} is not a class`);
  }

  private length(place: string, content: unknown): number {
    return typeof content === 'number' && content >= 0
      ? content
      : this.refuse(`${place} is not a number of at least 0`);
  }

  private point(place: string, content: unknown): Point {
    const values = this.list(place, content);
    return values.length === 3 && values.every(value => typeof value === 'number')
      ? (values as Point)
      : this.refuse(`${place} is not a list of three numbers`);
  }

  private refuse(problem: string): never {
    throw new InvalidBaseline(`${this.file}: ${problem}`);
  }
}
