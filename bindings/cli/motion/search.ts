// Reads the files of `pfront clash` for motion and searches each motion for contacts.
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { InvalidFile, identity, type Up } from '../../formats/part.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import { type Unit, unitsPer } from '../../formats/units.js';
import { createEngine } from '../../index.js';
import { AllowList } from '../clash/allowList.js';
import { convertLength } from '../clash/lengthOption.js';
import { checkLimits } from '../clash/limitOptions.js';
import { type NamedPart, type Note, readModel, type UnreadElement } from '../clash/readModel.js';
import { rotateToUpAxis } from '../clash/rotateToUpAxis.js';
import { createMeshes } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { UsageError } from '../usageError.js';
import { findContacts, type MotionFinding, type MotionMeasures, type StillContact } from './findContacts.js';
import { type AnimatedFile, animationName, gltfMechanism } from './gltfMechanism.js';
import { checkTimes, type Mechanism } from './mechanism.js';
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
  /** Sorted by a, then by b. */
  listed: MotionFinding[];
  /** Findings that the list of allowed pairs allows. */
  allowed: MotionFinding[];
  still: StillContact[];
  nearPairs: number;
  counts: ProbeCounts;
}

export interface MotionSearch {
  parts: NamedPart[];
  unit: Unit | undefined;
  measures: MotionMeasures;
  motions: MotionReport[];
  /** Elements that could not be read, so that their contacts are not found. */
  unread: UnreadElement[];
  notes: Note[];
  threads: number;
  milliseconds: number;
}

/** The duration in seconds to which the begin and end of contacts are determined. */
const RESOLUTION = 1e-4;

/**
 * Reads the files and searches them for contacts during their motions.
 *
 * @throws UsageError, InvalidFile, MissingPackage and errors of the engine.
 */
export async function searchMotion(options: MotionOptions, progress: Progress): Promise<MotionSearch> {
  const startedAt = performance.now();
  const allowList =
    options.allowListPath === undefined
      ? undefined
      : await AllowList.read(options.allowListPath, MOTION_CLASSES);
  const notes: Note[] = [];
  const robot = options.robot && (await readRobot(options.robot, options, notes));
  checkLimits(options, [...options.files, ...(robot?.meshFiles ?? [])]);
  const scenes: Omit<AnimatedFile, 'root'>[] = [];
  const model = await readModel(
    { ...options, isSplit: false, deflection: undefined },
    progress,
    options.animation === undefined ? undefined : (path, scene) => scenes.push({ path, scene }),
    robot?.moving.parts.map(({ part }) => part),
  );
  const { unread, unit } = model;
  const names = uniqueNames(model.parts.map(({ name }) => name));
  const parts = model.parts.map((part, number) => ({ ...part, name: names[number] }));
  notes.push(...model.notes, ...unread.map(unreadNote));
  const measures = {
    margin: convertLength(unit, '--margin', options.margin),
    clearance: convertLength(unit, '--clearance', options.clearance),
    resolution: RESOLUTION,
  };
  const { animation, up } = options;
  const mechanisms = robot
    ? [robotMechanism(robot.moving, rootOf(unit, up, 'z'), parts.slice(robot.moving.parts.length))]
    : animationMechanisms(animationsOf(scenes, animation!), rootOf(unit, up, 'y'), parts, notes);
  for (const mechanism of mechanisms) checkTimes(mechanism, measures.resolution);
  const isSkipped = (a: number, b: number): boolean => robot?.isSkipped(a, b) ?? false;
  const engine = await createEngine({ warmUp: 'off', threads: options.threads });
  try {
    const meshes = createMeshes(engine, parts, progress);
    const motions = mechanisms.map(mechanism => {
      const found = findContacts(engine, mechanism, parts, meshes, measures, isSkipped, progress);
      return { mechanism, found };
    });
    const findings = motions.flatMap(({ found }) => found.findings);
    const { isAllowed, unused } = allowList?.apply(parts, findings) ?? { isAllowed: [], unused: [] };
    const allowed = new Set(findings.filter((_, i) => isAllowed[i]));
    return {
      parts,
      unit,
      measures,
      motions: motions.map(({ mechanism: { name, start, end }, found: { findings, ...rest } }) => ({
        name,
        start,
        end,
        ...rest,
        listed: findings.filter(finding => !allowed.has(finding)),
        allowed: findings.filter(finding => allowed.has(finding)),
      })),
      unread,
      notes: [...engine.info.notes, ...notes, ...unused],
      threads: engine.info.threads,
      milliseconds: performance.now() - startedAt,
    };
  } finally {
    engine.dispose();
  }
}

// Returns the placement of a file in meters in the scene, which has another unit and up axis if other files have.
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

// Reads a robot and its trajectory. Parts of the same link, and of links whose collisions the SRDF file disables,
// are skipped. `meshFiles` are the files that the URDF file names.
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
      `${basename(path)}: does not move the joint ${unmoved.join(', ')}, which stays at 0`,
      'Add the joint to the trajectory if it moves.',
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

// Returns the mechanisms of animations. Those that move no node are left out with a note, unless all are.
function animationMechanisms(
  animations: { file: Omit<AnimatedFile, 'root'>; number: number }[],
  root: Float64Array,
  parts: NamedPart[],
  notes: Note[],
): Mechanism[] {
  const mechanisms: Mechanism[] = [];
  const still: string[] = [];
  for (const { file, number } of animations) {
    const mechanism = gltfMechanism({ ...file, root }, number, parts);
    if (mechanism) mechanisms.push(mechanism);
    else
      still.push(
        `${file.path}: the animation "${animationName(file.scene.animations[number], number)}" moves no node`,
      );
  }
  if (mechanisms.length === 0)
    throw new InvalidFile(still[0], 'Name another animation, or run pfront clash without --animation.');
  for (const message of still)
    notes.push({
      message: `${message}, so it is left out`,
      fix: 'Remove it from the file if it is not needed.',
    });
  return mechanisms;
}

// Returns the animations that the options name.
function animationsOf<File extends Omit<AnimatedFile, 'root'>>(
  files: File[],
  animation: string,
): { file: File; number: number }[] {
  const all = files.flatMap(file =>
    file.scene.animations.map((item, number) => ({ file, number, name: animationName(item, number) })),
  );
  if (all.length === 0)
    throw new UsageError(
      `--animation ${animation}: no file has an animation`,
      'Give a .glb or .gltf file with animations.',
    );
  if (animation === 'all') return all;
  const named = all.filter(({ name }) => name === animation);
  if (named.length === 1) return named;
  const names = all.map(({ name }) => `"${name}"`);
  const list =
    names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
  throw new UsageError(
    `--animation ${animation}: ${named.length === 0 ? 'no animation has' : `${named.length} animations have`} this name`,
    `Write --animation all, or one of ${list}.`,
  );
}
