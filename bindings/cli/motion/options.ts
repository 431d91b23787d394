// Parses and checks the arguments of `pfront clash` for a motion.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Up } from '../../formats/part.js';
import { isUnit, UNITS, type Unit } from '../../formats/units.js';
import { type BcfTarget, bcfOptions, readBcfTarget } from '../clash/bcf/bcfOptions.js';
import { type Length, readLength } from '../clash/lengthOption.js';
import { limitOptions, type ReadLimits, readLimits } from '../clash/limitOptions.js';
import { expectExtension, refuseOverwriting } from '../clash/options.js';
import { asUsageError, UsageError } from '../usageError.js';
import { isMotionClass, MOTION_CLASSES, type MotionClass } from './motionClasses.js';

/** The files of a robot. */
export interface RobotFiles {
  /** Path of the URDF file. */
  urdf: string;
  /** Path of the trajectory, CSV or JSON. */
  trajectory: string;
  /** Path of the SRDF file. */
  srdf: string | undefined;
}

export interface MotionOptions extends ReadLimits {
  files: string[];
  /** The name of an animation, or `all`; undefined for a robot. */
  animation: string | undefined;
  robot: RobotFiles | undefined;
  json: boolean;
  /** Path of the HTML page with the timeline. */
  reportPath: string | undefined;
  /** Path of the CSV file. */
  csvPath: string | undefined;
  /** Path of the JUnit XML file. */
  junitPath: string | undefined;
  /** The BCF file. */
  bcf: BcfTarget | undefined;
  /** Path of the JSON of an earlier run, with which this run is compared. */
  baselinePath: string | undefined;
  margin: Length;
  clearance: Length;
  allowListPath: string | undefined;
  failOn: readonly MotionClass[];
  assumedUnit: Unit | undefined;
  up: Up | undefined;
  threads: number | 'auto';
}

/** The default of `--margin`. */
const MARGIN: Length = { value: 0.01, unit: 'mm', text: '0.01mm' };
const NONE: Length = { value: 0, text: '0' };
const SEE_HELP = 'See the motion options in `pfront clash --help`.';
const OPTIONS = ['--animation', '--robot', '--trajectory', '--srdf'];

/** Returns whether arguments of `pfront clash` ask for a motion. */
export function isMotion(args: string[]): boolean {
  return args.some(text => OPTIONS.some(option => text === option || text.startsWith(`${option}=`)));
}

/**
 * Parses the arguments after `pfront clash`.
 * @throws UsageError
 */
export function readMotionOptions(args: string[]): MotionOptions {
  const { values, positionals: files, tokens } = parse(args);
  refuseRepeated(tokens.flatMap(token => (token.kind === 'option' ? [token.name] : [])));
  const { json = false, threads, units, up, allow } = values;
  const { csv: csvPath, report: reportPath, junit: junitPath, baseline: baselinePath } = values;
  if (units !== undefined && !isUnit(units))
    throw new UsageError(`--units ${units} is not a unit`, `Write --units ${UNITS.join('|')}.`);
  if (up !== undefined && up !== 'y' && up !== 'z')
    throw new UsageError(`--up ${up} is neither y nor z`, 'Write --up y or --up z.');
  if (threads !== undefined && !(/^\d{1,3}$/.test(threads) && Number(threads) >= 1 && Number(threads) <= 256))
    throw new UsageError(
      `--threads ${threads} is not a whole number from 1 to 256`,
      'Write --threads 4, or omit it for all cores.',
    );
  const robot = readRobot(values);
  if (values.animation !== undefined && robot)
    throw new UsageError('--animation cannot be combined with --robot', 'Run pfront clash once for each.');
  if (!robot && files.length === 0)
    throw new UsageError('--animation requires a glTF file', 'Run pfront clash FILE.glb --animation all.');
  const twice = files.find((file, i) => files.findIndex(other => resolve(other) === resolve(file)) < i);
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`, 'Give each file once.');
  expectExtension('--csv', csvPath, /\.csv$/i, 'contacts.csv');
  expectExtension('--report', reportPath, /\.html?$/i, 'contacts.html');
  expectExtension('--junit', junitPath, /\.xml$/i, 'contacts.xml');
  const bcf = readBcfTarget(values);
  refuseOverwriting(
    [csvPath, reportPath, junitPath, bcf?.path],
    [...files, allow, robot?.trajectory, baselinePath],
  );
  const clearance = values.clearance === undefined ? NONE : readLength('--clearance', values.clearance);
  return {
    files,
    animation: values.animation,
    robot,
    json,
    csvPath,
    reportPath,
    junitPath,
    bcf,
    baselinePath,
    margin: readMargin(values.margin),
    clearance,
    allowListPath: allow,
    failOn: values['fail-on'] === undefined ? [] : readClasses(values['fail-on'], clearance.value > 0),
    assumedUnit: units,
    up,
    ...readLimits(values),
    threads: threads === undefined ? 'auto' : Number(threads),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        animation: text,
        robot: text,
        trajectory: text,
        srdf: text,
        json: flag,
        csv: text,
        report: text,
        junit: text,
        baseline: text,
        margin: text,
        clearance: text,
        allow: text,
        'fail-on': text,
        units: text,
        up: text,
        threads: text,
        ...bcfOptions,
        ...limitOptions,
      },
    });
  } catch (error) {
    throw asUsageError(error, SEE_HELP);
  }
}

// Otherwise, only the last value would be used.
function refuseRepeated(names: string[]): void {
  const name = names.find((name, i) => names.indexOf(name) < i);
  if (name !== undefined) throw new UsageError(`--${name} is given twice`, 'Give each option once.');
}

function readRobot({
  robot,
  trajectory,
  srdf,
}: {
  robot?: string;
  trajectory?: string;
  srdf?: string;
}): RobotFiles | undefined {
  if (robot === undefined && trajectory === undefined && srdf === undefined) return undefined;
  if (robot === undefined)
    throw new UsageError(
      `${srdf === undefined ? '--trajectory' : '--srdf'} requires --robot`,
      'Add --robot arm.urdf.',
    );
  if (trajectory === undefined)
    throw new UsageError('--robot requires --trajectory', 'Add --trajectory path.csv.');
  const wrong = (
    [
      ['--robot', robot, /\.urdf$/i, 'arm.urdf'],
      ['--trajectory', trajectory, /\.(csv|json)$/i, 'path.csv or path.json'],
      ['--srdf', srdf, /\.srdf$/i, 'arm.srdf'],
    ] as const
  ).find(([, path, pattern]) => path !== undefined && !pattern.test(path));
  if (wrong)
    throw new UsageError(`${wrong[0]} ${wrong[1]} is not a file such as ${wrong[3]}`, 'Check the path.');
  return { urdf: robot, trajectory, srdf };
}

function readMargin(text: string | undefined): Length {
  if (text === undefined) return MARGIN;
  const margin = readLength('--margin', text);
  if (margin.value > 0) return margin;
  throw new UsageError(
    `--margin ${text} is not more than 0`,
    'Write a small length, such as --margin 0.01mm: motion is computed with rounding.',
  );
}

function readClasses(text: string, hasClearance: boolean): MotionClass[] {
  if (text === 'any') return [...MOTION_CLASSES];
  return text.split(',').map(word => {
    const name = word.trim();
    if (!isMotionClass(name))
      throw new UsageError(
        `--fail-on ${text}: "${name}" is not a class of motion`,
        `Write any, or a comma-separated list of ${MOTION_CLASSES.join(', ')}.`,
      );
    if (name === 'clearance' && !hasClearance)
      throw new UsageError(
        `--fail-on ${text}: the class clearance requires --clearance`,
        'Add --clearance 25mm, or remove clearance from the list.',
      );
    return name;
  });
}
