// Makes a mechanism from a robot and a trajectory of its joints.
import { basename } from 'node:path';
import { compose } from '../../../formats/transforms.js';
import type { Attached, Frame } from '../../../motion/frames.js';
import { makeKeys } from '../../../motion/makeKeys.js';
import { rotationMatrix } from '../../../motion/rotationKeys.js';
import { MAX_ANGLE } from '../../../samples/portableMath.js';
import type { NamedPart } from '../../clash/readModel.js';
import { attach, type Mechanism } from '../mechanism.js';
import type { RobotPart } from './robotParts.js';
import type { Trajectory } from './trajectory.js';
import type { Joint, Robot } from './urdf.js';
import { refuse } from './xmlFile.js';

/** A robot, its parts and its motion. */
export interface MovingRobot {
  robot: Robot;
  parts: RobotPart[];
  trajectory: Trajectory;
  /** Path of the trajectory, for messages. */
  path: string;
}

/**
 * How far a joint may be beyond its limits, in radians or meters. This is more than the rounding error of
 * numbers that are written as text.
 */
const LIMIT_SLACK = 1e-5;
const NO_ROTATION = [0, 0, 0, 1];
const UNIT_SCALE = [1, 1, 1];

/**
 * Makes the mechanism.
 * @param root The transform from the robot's frame to the scene.
 * @param others The parts of the scene that do not belong to the robot. They come after the parts of the robot.
 * @throws InvalidFile
 */
export function robotMechanism(moving: MovingRobot, root: Float64Array, others: NamedPart[]): Mechanism {
  const { robot, parts, trajectory, path } = moving;
  const positions = jointPositions(moving);
  const frames: Frame[] = [{ parent: undefined, placement: root }];
  const frameOf = robot.links.map(() => 0);
  for (const joint of robot.joints) {
    const parent = frames.push({ parent: frameOf[joint.parent], placement: joint.origin }) - 1;
    const values = positions.get(joint.name);
    frameOf[joint.child] = values
      ? frames.push({ parent, placement: placementOf(joint, values, trajectory.times) }) - 1
      : parent;
  }
  const attached = [
    ...parts.map(({ link, part }): Attached => attach(part, frameOf[link], part.transform)),
    ...others.map((part): Attached => attach(part, undefined, part.transform)),
  ];
  const { times } = trajectory;
  const name = basename(path);
  return { name, where: `${name}:`, start: times[0], end: times[times.length - 1], frames, attached };
}

/**
 * Returns the joints that can move, but are not in the trajectory and do not follow another joint. They stay
 * at 0.
 */
export function unmovedJoints({ robot, trajectory }: MovingRobot): string[] {
  return robot.joints
    .filter(({ name, kind, mimic }) => kind !== 'fixed' && !mimic && !trajectory.names.includes(name))
    .map(({ name }) => name);
}

// Returns the position of each joint that can move, at each point of the trajectory.
function jointPositions({ robot, trajectory, path }: MovingRobot): Map<string, number[]> {
  const file = basename(path);
  const byName = new Map(robot.joints.map(joint => [joint.name, joint]));
  for (const name of trajectory.names) {
    const joint =
      byName.get(name) ?? refuse(`${file}:`, `names the joint ${name}, which the robot does not have`);
    if (joint.kind === 'fixed' || joint.mimic)
      refuse(
        `${file}:`,
        `moves the joint ${name}, which ${joint.mimic ? `follows the joint ${joint.mimic.joint}` : 'is fixed'}`,
        'Remove the joint from the trajectory.',
      );
  }
  const positionsOf = (joint: Joint, above: string[]): number[] => {
    const column = trajectory.names.indexOf(joint.name);
    if (column >= 0) return trajectory.positions.map(row => row[column]);
    if (!joint.mimic) return trajectory.positions.map(() => 0);
    const { joint: name, multiplier, offset } = joint.mimic;
    const source = byName.get(name);
    if (!source || source.kind === 'fixed')
      return refuse(joint.where, `follows the joint ${name}, which does not move or does not exist`);
    if (above.includes(name)) return refuse(joint.where, 'follows a joint that in turn follows this joint');
    return positionsOf(source, [...above, joint.name]).map(value => multiplier * value + offset);
  };
  return new Map(
    robot.joints
      .filter(({ kind }) => kind !== 'fixed')
      .map(joint => {
        const values = positionsOf(joint, [joint.name]);
        checkLimits(joint, values, trajectory, file);
        checkAngles(joint, values, trajectory, file);
        return [joint.name, values];
      }),
  );
}

function checkLimits(
  { name, limits, mimic }: Joint,
  values: number[],
  trajectory: Trajectory,
  file: string,
): void {
  if (!limits) return;
  const [lower, upper] = limits;
  const wrong = values.findIndex(value => value < lower - LIMIT_SLACK || value > upper + LIMIT_SLACK);
  if (wrong < 0) return;
  if (!mimic && !trajectory.names.includes(name))
    refuse(
      `${file}:`,
      `does not move the joint ${name}, and 0 is outside of its limits ${lower} to ${upper}`,
      'Add the joint to the trajectory.',
    );
  refuse(
    `${file}:`,
    `moves the joint ${name} to ${values[wrong]} at ${trajectory.times[wrong]} s, outside of its limits ${lower} to ${upper}`,
    'Correct the trajectory, or the limits in the URDF file.',
  );
}

// Refuses angles of more than MAX_ANGLE, whose sines would be wrong.
function checkAngles({ name, kind }: Joint, values: number[], trajectory: Trajectory, file: string): void {
  const wrong = kind === 'prismatic' ? -1 : values.findIndex(value => !(Math.abs(value) <= MAX_ANGLE));
  if (wrong >= 0)
    refuse(
      `${file}:`,
      `moves the joint ${name} to ${values[wrong]} rad at ${trajectory.times[wrong]} s, more than ${MAX_ANGLE} rad`,
      'Check the unit of the trajectory, or subtract whole turns.',
    );
}

function placementOf({ kind, axis }: Joint, values: number[], times: Float64Array): Frame['placement'] {
  const isConstant = values.every(value => value === values[0]);
  const shift = (value: number): number[] => axis.map(part => part * value);
  if (kind === 'prismatic') {
    if (isConstant) return compose(shift(values[0]), NO_ROTATION, UNIT_SCALE);
    const shifts = Float64Array.from(values.flatMap(shift));
    const translation = makeKeys({ interpolation: 'linear', times, values: shifts });
    return { translation, rotation: NO_ROTATION, scale: UNIT_SCALE };
  }
  if (isConstant) return rotationMatrix(axis, values[0]);
  const rotation = makeKeys({
    interpolation: 'axisRotation',
    times,
    values: Float64Array.from(values),
    axis,
  });
  return { translation: [0, 0, 0], rotation, scale: UNIT_SCALE };
}
