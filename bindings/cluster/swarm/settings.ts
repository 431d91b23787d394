// Checks the options of a swarm (a simulation of moving bodies on many nodes) and fills in the defaults.

import {
  anyValue,
  type Check,
  callback,
  checkValue,
  copyOptions,
  integer,
  type OptionTable,
  object,
  oneOf,
  PROGRESS,
  share,
  text,
  trueOrFalse,
} from '../../core/checkOptions.js';
import { describe, Unsupported } from '../../core/errors.js';
import { ClusterError } from '../errors.js';
import type { Link } from '../link.js';
import { Columns, type Grid, subSpaces } from './columns.js';
import { MAX_PATIENCE, MAX_WORLD_BYTES } from './messages.js';
import type { SwarmRow } from './rows.js';
import type { FindWorld, SwarmStates, SwarmWorld } from './world.js';

/** Options of `runSwarm`; all but world, find, steps and nodes are optional. */
export interface SwarmOptions {
  /** The name by which every node finds the world. */
  world: string;
  /** Finds the world in this process. The initial states are taken from this world. */
  find: FindWorld;
  /** The number of steps. */
  steps: number;
  /** Continues from these states. Default: the initial states of the world. */
  after?: SwarmStates;
  /** The number of members at the start. */
  nodes: number;
  /** The name of the cluster; several clusters may share a broker. Default 'pfront'. */
  cluster?: string;
  /** The maximum number of members. Nodes that start later join between steps. Default: `nodes`. */
  maxNodes?: number;
  /** The minimum number of members with which the swarm continues after it has lost members. Default 1. */
  minNodes?: number;
  /**
   * The number m: each member's sub-space has m x m columns. Default 'auto': m is chosen so that, if
   * possible, no column has more than 5 % of the mean load of a member. These loads are estimated from the
   * initial positions. If a column later exceeds 5 %, 'auto' splits each column into four, unless there
   * would then be more columns than bodies, or more than 65,536 columns. `SwarmRow.columnShare` lists the other
   * conditions of a split.
   */
  columns?: number | 'auto';
  /**
   * How much the loads of two members may differ before a column changes its owner, as a fraction of the
   * greater load. false: no column changes its owner to balance the load. Default 0.1. This option is read
   * again at each step.
   */
  balance?: number | false;
  /**
   * What counts as load: pairs in contact, as in the paper by Du et al., or tested pairs. Default 'contacts'.
   */
  load?: 'contacts' | 'tested';
  /**
   * Loads are smoothed over steps, and the last step has this weight. 1: only the last step counts. Default
   * 0.2.
   */
  smoothing?: number;
  /** Whether rows include the contacts. Default false. */
  collect?: boolean;
  /** The number of steps from one checkpoint to the next. Default 10. */
  checkpointEvery?: number;
  /**
   * The probability that the steps from one checkpoint to the next are checked. For a check, this process
   * simulates these steps again on one thread, while the swarm waits. If a result is false, the swarm ends with
   * an error that names the members. With 1, all steps are checked. For the last of these steps, `onStep` is
   * called after the check; for the other steps, it is called before the check. `patience` must exceed the time
   * of a step in one process. Default 0: members are trusted.
   */
  verify?: number;
  /**
   * Milliseconds without a sign of life after which a node counts as lost. It must exceed the computing time
   * of a step. At most 86,400,000. Default 10,000.
   */
  patience?: number;
  /** Milliseconds after which a missing message is requested again. Default 200. */
  retryInterval?: number;
  /** How often the swarm may restart from a checkpoint. Default 16. */
  maxRestarts?: number;
  /** Aborts the swarm with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Called after each step, and again for steps that are repeated after a restart. The next step waits until
   * the returned promise resolves.
   */
  onStep?: (row: SwarmRow) => void | Promise<void>;
}

/** The checked options of a swarm with all defaults filled in, and values computed from the options. */
export interface Settings
  extends Required<Omit<SwarmOptions, 'world' | 'find' | 'columns' | 'signal' | 'after'>> {
  link: Link;
  world: SwarmWorld;
  worldName: string;
  signal: AbortSignal | undefined;
  bodyCount: number;
  stateLength: number;
  grid: Grid;
  /** The maximum number of columns after splits. */
  maxColumns: number;
  /** Whether members own fixed regions: no column changes its owner, and no member joins later. */
  isFixed: boolean;
  /** The step after which the swarm begins, and the states of all bodies after that step. */
  firstStep: number;
  states: Float64Array;
  /** The estimated load of each column at the start. */
  loads: Float64Array;
  /** Returns the owned bodies of each member and their states. */
  ownedBodiesOf(
    states: Float64Array,
    columns: Columns,
    owners: Uint32Array,
    members: readonly number[],
  ): { ids: Uint32Array; states: Float64Array }[];
}

/** The values of m that 'auto' chooses from if there is more than one member. */
const CHOICES = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
/** The maximum load of a column, as a fraction of the mean load of members. */
export const MAX_COLUMN_SHARE = 0.05;
/**
 * The maximum number of columns that 'auto' uses. With more columns, reporting their loads costs more than
 * better balance saves.
 */
const MAX_AUTO_COLUMNS = 2 ** 16;
const MAX_BODIES = 2 ** 24;

/** Checks options. @throws CollisionError 'Cluster', Unsupported */
export function readSettings(link: Link, given: SwarmOptions): Settings {
  const options = copyOptions(SWARM, given);
  check(options);
  const { find, world: worldName, nodes, columns = 'auto', after: givenAfter, steps } = options;
  const world = find(worldName);
  if (!world)
    throw new ClusterError(
      `find does not know the world '${worldName}'`,
      'pass a name that `find` knows, here and on every node',
    );
  const nameBytes = new TextEncoder().encode(worldName).length;
  if (nameBytes > MAX_WORLD_BYTES)
    throw new Unsupported(
      `the name of the world has ${nameBytes} bytes, more than ${MAX_WORLD_BYTES}`,
      'pass a shorter name',
    );
  if (!(Number.isInteger(world.count) && world.count >= 0 && world.count <= MAX_BODIES))
    throw new Unsupported(
      `the world has ${world.count} bodies, not 0 to ${MAX_BODIES}`,
      'use a world whose `count` is an integer in this range',
    );
  const after = givenAfter && readStates(givenAfter, world, steps);
  const { count: bodyCount, stateLength, ground } = world;
  const states = new Float64Array(bodyCount * stateLength);
  const positions = new Float64Array(2 * bodyCount);
  const rows = new Float64Array(12);
  const storePosition = (body: number, state: Float64Array): void => {
    world.place(body, state, rows);
    [positions[2 * body], positions[2 * body + 1]] = [rows[3], rows[7]];
  };
  for (let body = 0; body < bodyCount; body++) {
    const state = states.subarray(body * stateLength, (body + 1) * stateLength);
    if (after) state.set(after.states.subarray(body * stateLength, (body + 1) * stateLength));
    else world.begin(body, state);
    storePosition(body, state);
  }
  const isFixed = world.spaceOf !== undefined;
  if (isFixed && options.maxNodes !== undefined && options.maxNodes !== nodes)
    throw new Unsupported(
      `maxNodes is ${options.maxNodes}, but a world with fixed regions runs on exactly ${nodes} nodes`,
      'omit maxNodes',
    );
  const { grid, loads } = chooseGrid(ground, nodes, isFixed ? 1 : columns, positions);
  return {
    cluster: 'pfront',
    maxNodes: nodes,
    minNodes: 1,
    load: 'contacts',
    smoothing: 0.2,
    collect: false,
    checkpointEvery: 10,
    verify: 0,
    patience: 10_000,
    retryInterval: 200,
    maxRestarts: 16,
    onStep: () => {},
    ...options,
    get balance() {
      const { balance = 0.1 } = given;
      checkValue('balance', balance, BALANCE);
      return balance;
    },
    signal: options.signal,
    link,
    world,
    worldName,
    bodyCount,
    stateLength,
    grid,
    isFixed,
    firstStep: after?.step ?? 0,
    states,
    loads,
    maxColumns: columns === 'auto' ? Math.min(MAX_AUTO_COLUMNS, bodyCount) : 0,
    ownedBodiesOf(now, table, owners, members) {
      const ownedBodies = members.map(() => [] as number[]);
      const placeOf = new Map(members.map((id, i) => [id, i]));
      const space = world.spaceOf?.(members.length);
      for (let body = 0; body < bodyCount; body++) {
        storePosition(body, now.subarray(body * stateLength, (body + 1) * stateLength));
        ownedBodies[
          space
            ? space.ownerOfBody(body, positions[2 * body], positions[2 * body + 1])
            : placeOf.get(owners[table.at(positions[2 * body], positions[2 * body + 1])])!
        ].push(body);
      }
      return ownedBodies.map(list => {
        const own = new Float64Array(list.length * stateLength);
        list.forEach((body, i) =>
          own.set(now.subarray(body * stateLength, (body + 1) * stateLength), i * stateLength),
        );
        return { ids: Uint32Array.from(list), states: own };
      });
    },
  };
}

// Checks the states from which a swarm continues, and the number of their step. Messages store the numbers of
// steps as 32-bit words, and the greatest number in a message is that of the last step plus 1.
function readStates({ step, states }: SwarmStates, world: SwarmWorld, steps: number): SwarmStates {
  const lastStep = 2 ** 32 - 2 - steps;
  if (!(Number.isInteger(step) && step >= 0 && step <= lastStep))
    throw new Unsupported(
      `after.step is ${describe(step)}, not a whole number from 0 to ${lastStep}`,
      'pass the step after which the bodies have these states',
    );
  const length = world.count * world.stateLength;
  if (!(states instanceof Float64Array) || states.length !== length)
    throw new Unsupported(
      `after.states ${states instanceof Float64Array ? `has ${states.length} numbers` : `is ${describe(states)}`}`,
      `pass a Float64Array of ${world.stateLength} numbers for each of ${world.count} bodies`,
    );
  const wrong = states.findIndex(value => !Number.isFinite(value));
  if (wrong >= 0) throw new Unsupported(`after.states[${wrong}] is ${states[wrong]}`, 'pass finite numbers');
  return { step, states };
}

// Makes the grid whose m is `wanted`. If `wanted` is 'auto', chooses the smallest m for which no column
// exceeds MAX_COLUMN_SHARE; if there is no such m, chooses the largest allowed m. With one member, 'auto'
// chooses 1. The load of a column is estimated as the square of its number of bodies.
function chooseGrid(
  ground: SwarmWorld['ground'],
  nodes: number,
  wanted: number | 'auto',
  positions: Float64Array,
): { grid: Grid; loads: Float64Array } {
  const make = (m: number): { grid: Grid; loads: Float64Array } => {
    const grid = { ground, ...subSpaces(nodes), m };
    const columns = new Columns(grid);
    const loads = new Float64Array(columns.count);
    for (let at = 0; at < positions.length; at += 2) loads[columns.at(positions[at], positions[at + 1])] += 1;
    return { grid, loads: loads.map(bodies => bodies ** 2) };
  };
  if (wanted !== 'auto') return make(wanted);
  let best = make(nodes === 1 ? 1 : CHOICES[0]);
  for (const m of nodes === 1 ? [] : CHOICES) {
    // With more columns than this, the number of bodies in a column does not predict its load.
    if (nodes * m * m > Math.min(MAX_AUTO_COLUMNS, Math.max(64 * nodes, positions.length / 2))) break;
    best = make(m);
    const total = best.loads.reduce((sum, load) => sum + load, 0);
    if (best.loads.every(load => load <= (MAX_COLUMN_SHARE * total) / nodes)) break;
  }
  return best;
}

const WHOLE = integer(1, 2 ** 31);
const NODES = integer(1, 4096);
const isNumber = (value: unknown): value is number => typeof value === 'number';
const MILLISECONDS: Check = value =>
  !(isNumber(value) && value > 0 && value <= MAX_PATIENCE) &&
  `a number of milliseconds above 0 and at most ${MAX_PATIENCE}`;
const BALANCE: Check = value =>
  value !== false &&
  !(isNumber(value) && value >= 0 && value < 1) &&
  'a fraction of the greater load, at least 0 and less than 1, or false';
const SWARM: OptionTable<SwarmOptions> = {
  world: text,
  find: callback,
  steps: WHOLE,
  after: object,
  nodes: NODES,
  cluster: anyValue,
  maxNodes: NODES,
  minNodes: NODES,
  columns: value => value !== 'auto' && integer(1, 512, "'auto' or ")(value),
  balance: BALANCE,
  load: oneOf('contacts', 'tested'),
  smoothing: value => !(isNumber(value) && value > 0 && value <= 1) && 'a number above 0 and at most 1',
  collect: trueOrFalse,
  checkpointEvery: WHOLE,
  verify: share,
  patience: MILLISECONDS,
  retryInterval: MILLISECONDS,
  maxRestarts: integer(0, 2 ** 31),
  signal: PROGRESS.signal,
  onStep: callback,
};

function check({ find, steps, nodes, maxNodes = nodes, minNodes }: SwarmOptions): void {
  for (const [name, value] of Object.entries({ find, steps, nodes }))
    if (value === undefined)
      throw new Unsupported(`${name} is missing`, 'pass { world, find, steps, nodes }');
  checkValue('maxNodes', maxNodes, integer(nodes, 4096));
  checkValue('minNodes', minNodes, integer(1, maxNodes));
}
