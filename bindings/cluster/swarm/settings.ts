// What a swarm is asked for -> checked, all of it stated.
import { Unsupported } from '../../core/errors.js';
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
  trueOrFalse,
} from '../../core/optionTable.js';
import { ClusterError } from '../errors.js';
import type { Link } from '../link.js';
import { Columns, type Grid, subSpaces } from './columns.js';
import type { SwarmRow } from './rows.js';
import type { FindWorld, SwarmStates, SwarmWorld } from './world.js';

/** What a swarm is to do; all but the first four may be left out. */
export interface SwarmOptions {
  /** The name of the world, by which every node finds it. */
  world: string;
  /** Finds it here, for where bodies begin. */
  find: FindWorld;
  /** How many steps. */
  steps: number;
  /** Goes on from there. Default: where the world begins. */
  after?: SwarmStates;
  /** Members to begin with. */
  nodes: number;
  /** Which cluster of those that share a broker. Default 'pfront'. */
  cluster?: string;
  /** Members at most: nodes that come later join at a step's border. Default: as many as `nodes`. */
  mostNodes?: number;
  /** Members at least, when some are lost. Default 1. */
  leastNodes?: number;
  /**
   * m: each member's sub-space has m x m columns. Default 'auto': so many that none has more than 5 % of a
   * member's load, guessed from where bodies begin; where one has more later on, all are cut in four, as long
   * as there are no more columns than bodies.
   */
  columns?: number | 'auto';
  /**
   * By what part of the greater load two members may differ before a column changes hands. false: none ever
   * does. Default 0.1. Read anew each step.
   */
  balance?: number | false;
  /** What counts as load: pairs that touch, as in the paper, or pairs that are tested. Default 'contacts'. */
  load?: 'contacts' | 'tested';
  /** How much a step counts among those before it, when loads are compared: 1: it alone does. Default 0.2. */
  smoothing?: number;
  /** Whether rows have the contacts themselves. Default false. */
  collect?: boolean;
  /** Steps from one checkpoint to the next. Default 10. */
  checkpointEvery?: number;
  /**
   * Milliseconds without a sign of life after which a node is lost; longer than it computes in a step.
   * Default 10000.
   */
  patience?: number;
  /** Milliseconds after which what has not come is asked for again. Default 200. */
  again?: number;
  /** How often the swarm may begin anew from a checkpoint. Default 16. */
  mostRestarts?: number;
  /** Ends the swarm with its reason. */
  signal?: AbortSignal;
  /** Is told of each step, of some again when the swarm was begun anew; the next step waits for it. */
  onStep?: (row: SwarmRow) => void | Promise<void>;
}

/** The same, checked. */
export interface Settings
  extends Required<Omit<SwarmOptions, 'world' | 'find' | 'columns' | 'signal' | 'after'>> {
  link: Link;
  world: SwarmWorld;
  worldName: string;
  signal: AbortSignal | undefined;
  bodyCount: number;
  stateLength: number;
  grid: Grid;
  /** Beyond so many columns none are cut. */
  mostColumns: number;
  /** Whether places belong to members for good: no column changes hands, and nobody comes later. */
  isFixed: boolean;
  /** The step after which it begins, and where bodies are then. */
  firstStep: number;
  states: Float64Array;
  /** Of each column, a guess. */
  loads: Float64Array;
  /** Each member's bodies. */
  homesOf(
    states: Float64Array,
    columns: Columns,
    owners: Uint32Array,
    members: readonly number[],
  ): { ids: Uint32Array; states: Float64Array }[];
}

/** What 'auto' chooses from, and the part of a member's load that a column may have. */
const CHOICES = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
export const MOST_SHARE = 0.05;
/** Of columns that were not asked for: more take longer to tell of than they save. */
const MOST_CUT = 2 ** 16;
const MOST_BODIES = 2 ** 24;

/** @throws CollisionError 'Cluster', Unsupported */
export function readSettings(link: Link, given: SwarmOptions): Settings {
  const options = copyOptions(SWARM, given);
  check(options);
  const { find, world: worldName, nodes, columns = 'auto', after } = options;
  const world = find(worldName);
  if (!world)
    throw new ClusterError(
      `'${worldName}' is not a world that is known here`,
      'pass a name that `find` knows, here and on every node',
    );
  if (!(world.count >= 0 && world.count <= MOST_BODIES))
    throw new Unsupported(`a world of ${world.count} bodies`, `${MOST_BODIES} are the most`);
  if (
    after &&
    !(
      after.states instanceof Float64Array &&
      after.states.length === world.count * world.stateLength &&
      Number.isInteger(after.step) &&
      after.step >= 0
    )
  ) {
    throw new Unsupported(
      `it is to go on after step ${String(after.step)} with ${after.states?.length} numbers`,
      `pass a step, and a Float64Array of ${world.stateLength} numbers for each of ${world.count} bodies`,
    );
  }
  const { count: bodyCount, stateLength, ground } = world;
  const states = new Float64Array(bodyCount * stateLength);
  const places = new Float64Array(2 * bodyCount);
  const rows = new Float64Array(12);
  const take = (body: number, state: Float64Array): void => {
    world.place(body, state, rows);
    [places[2 * body], places[2 * body + 1]] = [rows[3], rows[7]];
  };
  for (let body = 0; body < bodyCount; body++) {
    const state = states.subarray(body * stateLength, (body + 1) * stateLength);
    if (after) state.set(after.states.subarray(body * stateLength, (body + 1) * stateLength));
    else world.begin(body, state);
    take(body, state);
  }
  const isFixed = world.spaceOf !== undefined;
  if (isFixed && options.mostNodes !== undefined && options.mostNodes !== nodes)
    throw new Unsupported(
      `a space that is dealt once, with ${nodes} to ${options.mostNodes} nodes`,
      'leave mostNodes out',
    );
  const { grid, loads } = chooseGrid(ground, nodes, isFixed ? 1 : columns, places);
  return {
    cluster: 'pfront',
    mostNodes: nodes,
    leastNodes: 1,
    load: 'contacts',
    smoothing: 0.2,
    collect: false,
    checkpointEvery: 10,
    patience: 10_000,
    again: 200,
    mostRestarts: 16,
    onStep: () => {},
    ...options,
    get balance() {
      return given.balance ?? 0.1;
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
    mostColumns: columns === 'auto' ? Math.min(MOST_CUT, bodyCount) : 0,
    homesOf(now, table, owners, members) {
      const homes = members.map(() => [] as number[]);
      const placeOf = new Map(members.map((id, i) => [id, i]));
      const space = world.spaceOf?.(members.length);
      for (let body = 0; body < bodyCount; body++) {
        take(body, now.subarray(body * stateLength, (body + 1) * stateLength));
        homes[
          space
            ? space.homeAt(body, places[2 * body], places[2 * body + 1])
            : placeOf.get(owners[table.at(places[2 * body], places[2 * body + 1])])!
        ].push(body);
      }
      return homes.map(list => {
        const own = new Float64Array(list.length * stateLength);
        list.forEach((body, i) =>
          own.set(now.subarray(body * stateLength, (body + 1) * stateLength), i * stateLength),
        );
        return { ids: Uint32Array.from(list), states: own };
      });
    },
  };
}

// The fewest columns of which none has more than its share, by the squares of how many bodies are in each.
function chooseGrid(
  ground: SwarmWorld['ground'],
  nodes: number,
  wanted: number | 'auto',
  places: Float64Array,
): { grid: Grid; loads: Float64Array } {
  const make = (m: number): { grid: Grid; loads: Float64Array } => {
    const grid = { ground, ...subSpaces(nodes), m };
    const columns = new Columns(grid);
    const loads = new Float64Array(columns.count);
    for (let at = 0; at < places.length; at += 2) loads[columns.at(places[at], places[at + 1])] += 1;
    return { grid, loads: loads.map(bodies => bodies ** 2) };
  };
  if (wanted !== 'auto') return make(wanted);
  let best = make(nodes === 1 ? 1 : CHOICES[0]);
  for (const m of nodes === 1 ? [] : CHOICES) {
    // Finer than that, a guess by bodies tells nothing.
    if (nodes * m * m > Math.min(MOST_CUT, Math.max(64 * nodes, places.length / 2))) break;
    best = make(m);
    const total = best.loads.reduce((sum, load) => sum + load, 0);
    if (best.loads.every(load => load <= (MOST_SHARE * total) / nodes)) break;
  }
  return best;
}

const WHOLE = integer(1, 2 ** 31);
const NODES = integer(1, 4096);
const MILLISECONDS: Check = value =>
  !((value as number) > 0 && (value as number) < 2 ** 31) && 'milliseconds, more than 0';
const SWARM: OptionTable<SwarmOptions> = {
  world: anyValue,
  find: callback,
  steps: WHOLE,
  after: object,
  nodes: NODES,
  cluster: anyValue,
  mostNodes: NODES,
  leastNodes: NODES,
  columns: value => value !== 'auto' && integer(1, 512, "'auto' or ")(value),
  balance: value =>
    value !== false &&
    !((value as number) >= 0 && (value as number) < 1) &&
    'a part of the greater load, from 0 to less than 1, or false',
  load: oneOf('contacts', 'tested'),
  smoothing: value => !((value as number) > 0 && (value as number) <= 1) && 'more than 0, and 1 at most',
  collect: trueOrFalse,
  checkpointEvery: WHOLE,
  patience: MILLISECONDS,
  again: MILLISECONDS,
  mostRestarts: integer(0, 2 ** 31),
  signal: object,
  onStep: callback,
};

function check({ find, steps, nodes, mostNodes = nodes, leastNodes }: SwarmOptions): void {
  for (const [name, value] of Object.entries({ find, steps, nodes }))
    if (value === undefined)
      throw new Unsupported(`${name} is missing`, 'pass { world, find, steps, nodes }');
  checkValue('mostNodes', mostNodes, integer(nodes, 4096));
  checkValue('leastNodes', leastNodes, integer(1, mostNodes));
}
