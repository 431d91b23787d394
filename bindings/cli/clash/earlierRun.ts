// Reads the JSON that an earlier run printed (`--baseline FILE`), and checks that the options of the earlier
// run agree with those of this run.
import { basename } from 'node:path';
import { CollisionError } from '../../core/errors.js';
import { quote } from '../../formats/part.js';
import { isUnit, type Unit, unitsPer } from '../../formats/units.js';
import type { Point } from '../../report/bounds.js';
import { readTextFile } from '../readTextFile.js';
import { OPTIONAL_PROPERTIES, type PartIdentity } from './partIdentity.js';

const TO_OTHER_FILE = 'to a different file than the output of this run.';

/** The file of --baseline cannot be used. */
export class InvalidBaseline extends CollisionError {
  constructor(message: string, fix: string) {
    super('InvalidBaseline', message, fix);
  }
}

/** A JSON format: its name and version, and the command that prints it. */
export interface RunFormat {
  format: string;
  version: number;
  command: string;
}

export type Fields = Record<string, unknown>;

/** Checks and converts the values that a comparison needs. `place` is the name of a value in error messages. */
export class EarlierRunReader {
  /** @param path The path of the file. */
  constructor(
    private readonly path: string,
    private readonly expected: RunFormat,
  ) {}

  /** Reads the file. @throws InvalidBaseline */
  async readFile(): Promise<Fields> {
    const { format, version, command } = this.expected;
    const text = await readTextFile(this.path, '--baseline', InvalidBaseline);
    let content: unknown;
    try {
      content = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch (error) {
      const { message } = error as Error;
      this.refuse(text === '' ? 'is empty' : `is not JSON (${message.replace(/\s+/g, ' ').slice(0, 100)})`);
    }
    const fields = (content ?? {}) as Fields;
    if (fields.format !== format)
      throw new InvalidBaseline(
        `${basename(this.path)}: is not the output of ${command}: "format" is not "${format}"`,
        `Write it with ${command}, ${TO_OTHER_FILE}`,
      );
    if (fields.version !== version)
      this.refuse(
        `has version ${quote(String(fields.version))}, but this version of pfront reads only version ${version}`,
      );
    return fields;
  }

  unit(place: string, content: unknown): Unit | undefined {
    if (content === undefined || (typeof content === 'string' && isUnit(content))) return content;
    return this.refuse(`${place} is not a unit`);
  }

  /** Reads an index of `parts`, and returns the part at this index. */
  partAt(place: string, index: unknown, parts: PartIdentity[]): PartIdentity {
    return Number.isInteger(index) && (index as number) in parts
      ? parts[index as number]
      : this.refuse(`${place} is not the index of a part`);
  }

  part(place: string, content: unknown): PartIdentity {
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

  fields(place: string, content: unknown): Fields {
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      return this.refuse(`${place} is not an object`);
    return content as Fields;
  }

  list(place: string, content: unknown): unknown[] {
    return Array.isArray(content) ? content : this.refuse(`${place} is not a list`);
  }

  text(place: string, content: unknown): string {
    return typeof content === 'string' ? content : this.refuse(`${place} is not a string`);
  }

  class<Class extends string>(
    place: string,
    content: unknown,
    isClass: (text: string) => text is Class,
  ): Class {
    return typeof content === 'string' && isClass(content) ? content : this.refuse(`${place} is not a class`);
  }

  /** Reads a length or a duration. */
  length(place: string, content: unknown): number {
    return typeof content === 'number' && content >= 0
      ? content
      : this.refuse(`${place} is not a number of at least 0`);
  }

  point(place: string, content: unknown): Point {
    const values = this.list(place, content);
    return values.length === 3 && values.every(value => typeof value === 'number')
      ? (values as Point)
      : this.refuse(`${place} is not a list of three numbers`);
  }

  refuse(problem: string): never {
    throw new InvalidBaseline(
      `${basename(this.path)}: ${problem}`,
      `Write it again with ${this.expected.command}, ${TO_OTHER_FILE}`,
    );
  }
}

/** What must agree between two runs. */
export interface RunMeasures<Option extends string> {
  unit: Unit | undefined;
  up: unknown;
  /** The lengths of options, in the unit of the run. */
  measures: Record<Option, number>;
}

/**
 * Checks that the up axis and the lengths of an earlier run agree with those of this run, and that the unit is
 * known in both runs or in neither. The units may differ.
 *
 * @param path The path of the earlier run.
 * @param options The names of the options with lengths.
 * @returns The factor that converts lengths of the earlier run to the unit of this run.
 * @throws InvalidBaseline
 */
export function checkMeasures<Option extends string>(
  path: string,
  options: readonly Option[],
  before: RunMeasures<Option>,
  now: RunMeasures<Option>,
): number {
  const name = basename(path);
  if ((before.unit === undefined) !== (now.unit === undefined))
    throw new InvalidBaseline(
      `${name}: its unit is ${before.unit ?? 'unknown'}, but the unit of this run is ${now.unit ?? 'unknown'}`,
      'Give the same --units as in the run that wrote the baseline.',
    );
  const factor = before.unit === undefined ? 1 : unitsPer(before.unit, now.unit!);
  if (before.up !== now.up)
    throw new InvalidBaseline(
      `${name}: was written ${before.up === undefined ? 'without --up' : `with --up ${before.up}`}`,
      'Give the same --up as in the run that wrote the baseline.',
    );
  for (const option of options) {
    const [then, today] = [factor * before.measures[option], now.measures[option]];
    if (Math.abs(then - today) > 1e-9 * Math.max(then, today))
      throw new InvalidBaseline(
        `${name}: was written with --${option} ${before.measures[option]}${before.unit ?? ''}, but this run has --${option} ${today}${now.unit ?? ''}`,
        `Give the same --${option} as in the run that wrote the baseline.`,
      );
  }
  return factor;
}
