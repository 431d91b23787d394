// Reads trajectories of joints: CSV files, or JSON like the message JointTrajectory of ROS.

import { basename } from 'node:path';
import { readTextFile } from '../../readTextFile.js';
import { plural } from '../../terminal.js';
import { refuse } from './xmlFile.js';

export interface Trajectory {
  /** The names of the joints. */
  names: string[];
  /** Ascending times of the points, in seconds. */
  times: Float64Array;
  /** The positions of all joints at each point, in radians or meters. */
  positions: number[][];
}

/** The JSON of a trajectory, before it is checked. */
interface RosTrajectory {
  names?: unknown;
  joint_names?: unknown;
  points?: unknown;
}
interface RosPoint {
  time?: unknown;
  time_from_start?: unknown;
  positions?: unknown;
}

const CORRECT = 'Correct the file.';

/** Reads a trajectory; the extension of the file determines its format. @throws InvalidFile */
export async function readTrajectory(path: string): Promise<Trajectory> {
  const file = basename(path);
  const text = (await readTextFile(path, '--trajectory')).replace(/^\ufeff/, '');
  const trajectory = /\.json$/i.test(file) ? parseJson(file, text) : parseCsv(file, text);
  const { names, times } = trajectory;
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) refuse(`${file}:`, `names the joint ${twice} twice`, CORRECT);
  if (times.length < 2) refuse(`${file}:`, `has ${times.length} points, but a motion needs two`, CORRECT);
  times.forEach((time, i) => {
    if (i > 0 && !(time > times[i - 1]))
      refuse(`${file}:`, `has the time ${time} after ${times[i - 1]}, but times must ascend`, CORRECT);
  });
  return trajectory;
}

// Parses lines of numbers below the header `time,joint1,joint2`.
function parseCsv(file: string, text: string): Trajectory {
  const lines = text
    .split(/\r?\n/)
    .map((line, i) => ({ where: `${file}: line ${i + 1}`, line: line.trim() }))
    .filter(({ line }) => line !== '');
  if (lines.length === 0) refuse(`${file}:`, 'is empty', CORRECT);
  const [head, ...rows] = lines.map(({ where, line }) => ({
    where,
    cells: line.split(',').map(cell => cell.trim()),
  }));
  const [time, ...names] = head.cells;
  if (time !== 'time' || names.length === 0 || names.includes(''))
    refuse(
      head.where,
      'is not a header such as time,joint1,joint2',
      'Write the names of the joints in the first line.',
    );
  const values = rows.map(({ where, cells }) => {
    if (cells.length !== head.cells.length)
      refuse(where, `has ${plural(cells.length, 'cell')}, but the header has ${head.cells.length}`, CORRECT);
    return cells.map(cell => {
      const value = cell === '' ? NaN : Number(cell);
      return Number.isFinite(value)
        ? value
        : refuse(where, `has "${cell.slice(0, 40)}", which is not a number`, CORRECT);
    });
  });
  return {
    names,
    times: Float64Array.from(values, ([first]) => first),
    positions: values.map(([, ...positions]) => positions),
  };
}

// Parses { names, points: [{ time, positions }] }. Also accepts the names in ROS: joint_names, time_from_start.
function parseJson(file: string, text: string): Trajectory {
  let root: RosTrajectory | null;
  try {
    root = JSON.parse(text);
  } catch {
    return refuse(`${file}:`, 'is not valid JSON', CORRECT);
  }
  const names = root?.names ?? root?.joint_names;
  if (!Array.isArray(names) || names.length === 0 || !names.every(name => typeof name === 'string'))
    return refuse(`${file}: names`, 'is not a list of names of joints', CORRECT);
  if (!Array.isArray(root?.points)) return refuse(`${file}: points`, 'is not a list', CORRECT);
  const points = root.points.map((point: RosPoint | null, i) => {
    const where = `${file}: points[${i}]`;
    const time = secondsOf(point?.time ?? point?.time_from_start);
    if (time === undefined) return refuse(`${where}.time`, 'is not a number of seconds', CORRECT);
    const positions: unknown = point?.positions;
    if (!Array.isArray(positions) || positions.length !== names.length || !positions.every(Number.isFinite))
      return refuse(`${where}.positions`, `are not ${names.length} numbers`, CORRECT);
    return { time, positions: positions as number[] };
  });
  return {
    names,
    times: Float64Array.from(points, ({ time }) => time),
    positions: points.map(({ positions }) => positions),
  };
}

// Returns a time in seconds; undefined if the value is invalid. The value may be a number, or an object with
// seconds and nanoseconds, as in ROS 1 and ROS 2.
function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const { secs, nsecs, sec, nanosec } = (value ?? {}) as Record<string, unknown>;
  const [whole, rest] = [secs ?? sec, nsecs ?? nanosec ?? 0];
  return typeof whole === 'number' && typeof rest === 'number' && Number.isFinite(whole + rest)
    ? whole + rest / 1e9
    : undefined;
}
