// Runs the search of `pfront clash` for contacts during motions: reads the files and searches each motion.
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { identity, type Up } from '../../formats/part.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import { type Unit, unitsPer } from '../../formats/units.js';
import { AllowList } from '../clash/allowList.js';
import { convertLength } from '../clash/lengthOption.js';
import { checkLimits } from '../clash/limitOptions.js';
import { type NamedPart, type Note, readModel, type UnreadElement } from '../clash/readModel.js';
import { rotateToUpAxis } from '../clash/rotateToUpAxis.js';
import { startClashEngine } from '../clashEngine.js';
import { createMeshes } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { withoutEffect } from '../usageError.js';
import { animationMechanisms, type LeftOutAnimation, type SceneFile } from './animations.js';
import { compareMotions, MotionBaseline, type MotionComparison } from './baseline.js';
import {
  type ConstantContact,
  findContacts,
  type MotionFinding,
  type MotionMeasures,
} from './findContacts.js';
import { checkTimes, type Mechanism } from './mechanism.js';
import { findMoments, type Moments } from './moments.js';
import { MOTION_CLASSES } from './motionClasses.js';
import type { MotionOptions, RobotFiles } from './options.js';
import type { ProbeCounts } from './pairProbe.js';
import { type MovingRobot, robotMechanism, unmovedJoints } from './robot/robotMechanism.js';
import { robotParts } from './robot/robotParts.js';
import { readSrdf } from './robot/srdf.js';
import { readTrajectory } from './robot/trajectory.js';
import { readUrdf } from './robot/urdf.js';

/** The contacts of one motion. */
export interface MotionReport {
  name: string;
  start: number;
  end: number;
  mechanism: Mechanism;
  /** Sorted by a, then by b. */
  listed: MotionFinding[];
  /** Findings that the list of allowed pairs allows. */
  allowed: MotionFinding[];
  constantContacts: ConstantContact[];
  nearPairs: number;
  counts: ProbeCounts;
  /** The moments of the listed findings, if the options request a page. */
  moments?: Moments;
}

export interface MotionSearch {
  parts: NamedPart[];
  unit: Unit | undefined;
  /** The up axis that `--up` sets. */
  up: Up | undefined;
  /** The name of the animation, or `all`; undefined for a robot. */
  animation: string | undefined;
  measures: MotionMeasures;
  motions: MotionReport[];
  /** Elements that could not be read. Their contacts are not found. */
  unread: UnreadElement[];
  /** Animations that could not be checked. Contacts during these animations are not found. */
  leftOut: LeftOutAnimation[];
  /** The comparison with the baseline, if the options name one. */
  comparison?: MotionComparison;
  notes: Note[];
  threads: number;
  milliseconds: number;
}

/** Contact start and end times are accurate to this many seconds. */
const RESOLUTION = 1e-4;

/**
 * Reads the files and searches them for contacts during their motions.
 *
 * @throws UsageError, InvalidFile, InvalidBaseline, MissingPackage and errors of the engine.
 */
export async function searchMotion(options: MotionOptions, progress: Progress): Promise<MotionSearch> {
  const startedAt = performance.now();
  const allowList =
    options.allowListPath === undefined
      ? undefined
      : await AllowList.read(options.allowListPath, MOTION_CLASSES);
  const { animation, up, baselinePath, reportPath } = options;
  const baseline = baselinePath === undefined ? undefined : await MotionBaseline.read(baselinePath);
  const notes: Note[] = [];
  const robot = options.robot && (await readRobot(options.robot, options, notes));
  checkLimits(options, [...options.files, ...(robot?.meshFiles ?? [])]);
  const scenes: SceneFile[] = [];
  const model = await readModel(
    { ...options, isSplit: false, deflection: undefined },
    progress,
    animation === undefined ? undefined : (path, scene) => scenes.push({ path, scene }),
    robot?.moving.parts.map(({ part }) => part),
  );
  const { unread, unit } = model;
  const names = uniqueNames(model.parts.map(({ name }) => name));
  const parts = model.parts.map((part, number) => ({ ...part, name: names[number] }));
  for (const note of [...model.notes, ...unread.map(unreadNote)]) notes.push(note);
  const measures = {
    margin: convertLength(unit, '--margin', options.margin),
    clearance: convertLength(unit, '--clearance', options.clearance),
    resolution: RESOLUTION,
  };
  const { margin, clearance } = measures;
  if (clearance > 0 && clearance <= margin)
    throw withoutEffect(
      `--clearance ${options.clearance.text}`,
      `parts at most --margin ${options.margin.text} apart are already near`,
      'Write a larger --clearance, or remove it.',
    );
  const earlier = baseline?.pairsFor({ unit, up, measures: { margin, clearance }, animation });
  const { mechanisms, leftOut } = robot
    ? {
        mechanisms: [
          robotMechanism(robot.moving, rootOf(unit, up, 'z'), parts.slice(robot.moving.parts.length)),
        ],
        leftOut: [],
      }
    : animationMechanisms(scenes, animation!, rootOf(unit, up, 'y'), parts, notes);
  for (const mechanism of mechanisms) checkTimes(mechanism, measures.resolution);
  const isSkipped = (a: number, b: number): boolean => robot?.isSkipped(a, b) ?? false;
  const engine = await startClashEngine(options.threads, true);
  try {
    const meshes = createMeshes(engine, parts, progress);
    const motions = mechanisms.map(mechanism => {
      const found = findContacts(engine, mechanism, parts, meshes, measures, isSkipped, progress);
      return { mechanism, found };
    });
    const findings = motions.flatMap(({ found }) => found.findings);
    const { isAllowed, unused } = allowList?.apply(parts, findings) ?? { isAllowed: [], unused: [] };
    const allowed = new Set(findings.filter((_, i) => isAllowed[i]));
    const found = motions.map(({ mechanism: { name }, found: { findings } }) => ({ name, findings }));
    const comparison =
      earlier && compareMotions(baselinePath!, earlier, found, robot !== undefined, parts, unread, leftOut);
    return {
      parts,
      unit,
      up,
      animation,
      measures,
      motions: motions.map(({ mechanism, found: { findings, ...rest } }): MotionReport => {
        const { name, start, end } = mechanism;
        const listed = findings.filter(finding => !allowed.has(finding));
        return {
          name,
          start,
          end,
          mechanism,
          ...rest,
          listed,
          allowed: findings.filter(finding => allowed.has(finding)),
          ...(reportPath === undefined
            ? {}
            : { moments: findMoments(engine, mechanism, listed, meshes, progress) }),
        };
      }),
      unread,
      leftOut,
      comparison,
      notes: [...engine.info.notes, ...notes, ...unused],
      threads: engine.info.threads,
      milliseconds: performance.now() - startedAt,
    };
  } finally {
    engine.dispose();
  }
}

// Returns the transform from a file to the scene. The file is in meters and has the up axis `ownUp`; the scene
// may have another unit and another up axis.
function rootOf(unit: Unit | undefined, up: Up | undefined, ownUp: Up): Float64Array {
  const file = { name: '', file: '', positions: new Float32Array(0), indices: new Uint32Array(0) };
  const [{ transform }] = rotateToUpAxis([{ ...file, up: ownUp, transform: identity() }], up, () => {});
  const factor = unit === undefined ? 1 : unitsPer('m', unit);
  return transform.map((value, i) => (i === 15 ? value : factor * value));
}

function unreadNote({ name, reason, file }: UnreadElement): Note {
  return {
    message: `${file}: ${name} could not be read (${reason}), so its contacts are missing`,
    fix: 'Repair the element in the program that wrote the file.',
  };
}

// Reads a robot and its trajectory. `isSkipped` returns true for two parts that are not tested against each
// other: parts of the same link, and parts of two links between which the SRDF file disables collisions.
// `meshFiles` are the files that the URDF file names.
async function readRobot(
  { urdf, trajectory: path, srdf }: RobotFiles,
  { maxUnpackRatio }: MotionOptions,
  notes: Note[],
): Promise<{ moving: MovingRobot; meshFiles: string[]; isSkipped: (a: number, b: number) => boolean }> {
  const robot = await readUrdf(urdf);
  const disabled = srdf === undefined ? undefined : await readSrdf(srdf, robot);
  const trajectory = await readTrajectory(path);
  const warn = (message: string, fix: string): void => {
    notes.push({ message, fix });
  };
  const parts = await robotParts(robot, urdf, maxUnpackRatio, warn);
  const moving = { robot, parts, trajectory, path };
  const unmoved = unmovedJoints(moving);
  if (unmoved.length > 0)
    warn(
      `${basename(path)}: joints that the trajectory does not move stay at 0: ${unmoved.join(', ')}`,
      'Add each joint that moves to the trajectory.',
    );
  return {
    moving,
    meshFiles: robot.links.flatMap(({ shapes }) =>
      shapes.flatMap(({ shape }) => (shape.kind === 'mesh' ? [shape.file] : [])),
    ),
    isSkipped: (a, b) => {
      const [p, q] = [parts[a]?.link, parts[b]?.link];
      return p !== undefined && q !== undefined && (p === q || (disabled?.has(p, q) ?? false));
    },
  };
}
