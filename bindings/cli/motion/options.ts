// Parses and checks the arguments of `pfront clash` for a motion.
import { resolve } from 'node:path';
import { type BcfTarget, bcfOptions, readBcfTarget } from '../clash/bcf/bcfOptions.js';
import { type Length, NO_LENGTH, readLength } from '../clash/lengthOption.js';
import { limitOptions, type ReadLimits, readLimits } from '../clash/limitOptions.js';
import { expectExtension, refuseJsonFile, refuseOverwriting, stillOptions } from '../clash/options.js';
import { readSceneOptions, type SceneOptions, sceneOptions } from '../clash/sceneOptions.js';
import { parseArguments } from '../parseArguments.js';
import { UsageError } from '../usageError.js';
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

export interface MotionOptions extends ReadLimits, SceneOptions {
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
}

/** The default of `--margin`. */
const MARGIN: Length = { value: 0.01, unit: 'mm', text: '0.01mm' };
const SEE_HELP = 'See the motion options in `pfront clash --help`.';
const OPTIONS = ['--animation', '--robot', '--trajectory', '--srdf'];

/** Returns whether the arguments of `pfront clash` ask for clashes of moving parts. */
export function isMotion(args: string[]): boolean {
  return args.some(text => OPTIONS.some(option => text === option || text.startsWith(`${option}=`)));
}

/**
 * Parses the arguments after `pfront clash`.
 * @throws UsageError
 */
export function readMotionOptions(args: string[]): MotionOptions {
  const { values, positionals: files } = parse(args);
  refuseStillOptions(values);
  const { json = false, allow } = values;
  const { csv: csvPath, report: reportPath, junit: junitPath, baseline: baselinePath } = values;
  refuseJsonFile(json, files);
  const scene = readSceneOptions(values);
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
  const clearance = values.clearance === undefined ? NO_LENGTH : readLength('--clearance', values.clearance);
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
    ...scene,
    ...readLimits(values),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return parseArguments(
    args,
    {
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
      between: text,
      ...stillOptions,
      ...bcfOptions,
      ...limitOptions,
      ...sceneOptions,
    },
    SEE_HELP,
  );
}

function refuseStillOptions(values: { [name: string]: unknown }): void {
  for (const name of ['between', ...Object.keys(stillOptions)]) {
    const value = values[name];
    if (value === undefined) continue;
    throw new UsageError(
      `--${name}${typeof value === 'string' ? ` ${value}` : ''} cannot be combined with --animation or --robot`,
      `Remove --${name}, or remove the options of the motion to search the parts at rest.`,
    );
  }
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
    throw new UsageError(
      `${wrong[0]} ${wrong[1]} must be a file name such as ${wrong[3]}`,
      'Check the path.',
    );
  return { urdf: robot, trajectory, srdf };
}

function readMargin(text: string | undefined): Length {
  if (text === undefined) return MARGIN;
  const margin = readLength('--margin', text);
  if (margin.value > 0) return margin;
  throw new UsageError(
    `--margin ${text} must be greater than 0`,
    'Write a small length, such as --margin 0.01mm, because motion is computed with rounding.',
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
