// Checks the options of `queryEdges` and runs the query. For motion planning, `queryEdges` tests whether a
// robot can move from one pose to another without a collision.

import { anyValue, copyOptions, nonNegative, type OptionTable, oneOf } from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Transforms } from '../core/transform.js';
import { type Chain, type KinematicChain, readChain, readValues } from './chain.js';
import { EdgeAnswers } from './edgeAnswers.js';
import { makeEdgeQuery } from './edgeQuery.js';
import type { EdgeSearch } from './edgeSearch.js';
import { POSED_BODIES, type PosedBodyOptions, readBodies } from './posedBodies.js';

/** Options of queryEdges. */
export interface EdgesOptions extends PosedBodyOptions {
  /** The joints that place the moving bodies. */
  chain: KinematicChain;
  /**
   * Joint values at the start of each edge: one number for each joint that is not fixed, edge by edge. Angles
   * are in radians, lengths in units of the common frame.
   */
  from: Transforms | readonly number[];
  /** Joint values at the end of each edge, in the same format. */
  to: Transforms | readonly number[];
  /**
   * The result for each edge. 'any' (default): whether it is in collision. 'first': also where its first
   * collision begins, and which pair collides there.
   */
  want?: 'any' | 'first';
  /**
   * Bodies also collide if their distance is at most this, in units of the common frame: a finite number, 0 or
   * more. Default 0: only bodies that share a point.
   */
  clearance?: number;
  /**
   * A finite number more than 0, in units of the common frame. An edge along which a pair of bodies comes
   * nearer than `clearance + tolerance` may be reported as a collision. Default: about a thousandth of the
   * largest extent of a moving body. If the tolerance is too small for the rounding of doubles, or less than
   * 2^-28 of the distance that points move along an edge, a larger tolerance is used for this edge.
   */
  tolerance?: number;
}

const EDGES: OptionTable<EdgesOptions> = {
  ...POSED_BODIES,
  chain: anyValue,
  from: anyValue,
  to: anyValue,
  want: oneOf('any', 'first'),
  clearance: nonNegative,
  tolerance: value => !(typeof value === 'number' && value > 0 && value < Infinity) && 'a finite number > 0',
};

export class Edges {
  readonly #host: EngineHost;
  readonly #search: EdgeSearch;

  constructor(host: EngineHost, search: EdgeSearch) {
    this.#host = host;
    this.#search = search;
  }

  run(given: EdgesOptions): EdgeAnswers {
    const options = copyOptions(EDGES, given);
    const { want = 'any', clearance = 0, tolerance } = options;
    if (options.chain === undefined)
      throw new Unsupported('chain is missing', 'describe the joints that place the moving bodies');
    const chain = readChain(options.chain);
    const bodies = { ...readBodies(this.#host, options, chain), chain };
    const { from, to } = readEnds(options, chain);
    const query = makeEdgeQuery(bodies, from, to, want, clearance, tolerance);
    // Reading the arguments may run the caller's code, which may dispose of the engine.
    this.#host.beginCall();
    return new EdgeAnswers(query, this.#search.run(query));
  }
}

// Returns the joint values at both ends of all edges.
function readEnds(options: EdgesOptions, chain: Chain): { from: Float64Array; to: Float64Array } {
  const [from, to] = (['from', 'to'] as const).map(name => readValues(name, options[name], chain));
  if (from.length !== to.length)
    throw new Unsupported(
      `from has ${from.length} numbers, but to has ${to.length}`,
      'pass the joint values of both ends of each edge',
    );
  return { from, to };
}
