// Finds the edges along which queried pairs of bodies collide. All threads process one chunk of edges after
// another, so that engine memory does not grow with the number of edges.

import { InvalidTransform, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { EdgesRecord, PosesJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { EdgeQuery } from './edgeQuery.js';
import { PoseMemory } from './poseMemory.js';

/** Max bytes of the joint values of a chunk. */
const CHUNK_BYTES = 2 ** 22;

/** The results of a search, in arrays outside engine memory. */
export interface EdgeResults {
  /**
   * For each edge, where the interval of its first known collision begins, from 0 to 1; Infinity if the edge is
   * free.
   */
  readonly times: Float64Array;
  /** For each edge, the index of the pair of this collision, or NOTHING. */
  readonly first: Uint32Array;
  /** Number of poses that were tested. */
  poseCount: number;
  /** Number of tests of the trees of two bodies. */
  nearCount: number;
}

export class EdgeSearch {
  readonly #host: EngineHost;

  constructor(host: EngineHost) {
    this.#host = host;
  }

  /**
   * Runs the query.
   * @throws Unsupported or InvalidTransform, naming an edge that cannot be tested; Disposed, Capacity
   */
  run(query: EdgeQuery): EdgeResults {
    const { edgeCount, bodies } = query;
    const results: EdgeResults = {
      times: new Float64Array(edgeCount),
      first: new Uint32Array(edgeCount),
      poseCount: 0,
      nearCount: 0,
    };
    const chunk = Math.max(1, Math.floor(CHUNK_BYTES / (16 * bodies.chain.valueCount)));
    const blocks = new BlockGroup(this.#host.context.arena);
    for (let begin = 0; begin < edgeCount; begin += chunk) {
      try {
        const count = Math.min(chunk, edgeCount - begin);
        retry(
          () => this.#run(query, blocks, results, begin, count),
          () => blocks.releaseAll(),
        );
      } finally {
        blocks.releaseAll();
      }
    }
    return results;
  }

  #run(query: EdgeQuery, blocks: BlockGroup, results: EdgeResults, begin: number, count: number): void {
    const { context } = this.#host;
    const { arena } = context;
    const { bodies, from, to, levers, travels, sizes, treeReaches, want, clearance } = query;
    const { valueCount } = bodies.chain;
    const memory = new PoseMemory(context, blocks, bodies, 'edges');
    const takeNumbers = (numbers: Float64Array): number => {
      const at = blocks.take(8 * numbers.length);
      arena.f64.set(numbers, at / 8);
      return at;
    };
    const valuesOf = (values: Float64Array): number =>
      takeNumbers(values.subarray(valueCount * begin, valueCount * (begin + count)));
    const edgesAt = blocks.take(EdgesRecord.size);
    const timesAt = blocks.take(8 * count);
    const firstAt = blocks.take(4 * count);
    const words = {
      fromAt: valuesOf(from),
      toAt: valuesOf(to),
      edgeCount: count,
      wantsAny: want === 'any' ? 1 : 0,
      leversAt: takeNumbers(levers),
      travelsAt: travels.length > 0 ? takeNumbers(travels) : 0,
      sizesAt: takeNumbers(sizes),
      treeReachesAt: takeNumbers(treeReaches),
      timesAt,
      firstAt,
    };
    // The allocations above may have replaced the arena's views, so the views are read only after them.
    setWords(arena.u32, edgesAt, EdgesRecord, words);
    arena.f64[(edgesAt + EdgesRecord.at.tolerance) / 8] = query.tolerance;
    arena.f64[(edgesAt + EdgesRecord.at.growth) / 8] = query.growth;
    setWords(arena.u32, memory.jobAt, PosesJob, { edgesAt, cursor: 0 });
    arena.f64[(memory.jobAt + PosesJob.at.clearance) / 8] = clearance;
    runStep(context, 'testEdges', memory.jobAt, Math.min(memory.sliceCount, count));
    const invalid = memory.firstInvalidPose();
    if (invalid !== undefined)
      throw new InvalidTransform(
        `edge ${begin + invalid} has a placement with a number of more than 2^200`,
        'pass smaller joint values, or a chain with smaller placements',
      );
    results.times.set(arena.f64.subarray(timesAt / 8, timesAt / 8 + count), begin);
    const first = arena.u32.subarray(firstAt / 4, firstAt / 4 + count);
    results.first.set(first, begin);
    results.poseCount += memory.testedPoses;
    results.nearCount += memory.nearCount;
    const undecided = first.indexOf(posesLimits.UNDECIDED_EDGE);
    if (undecided >= 0)
      throw new Unsupported(
        `edge ${begin + undecided} cannot be tested: a placement shears a body or scales its axes by different factors, or coordinates differ too much in magnitude`,
        'use placements that scale all axes by the same factor; shear or stretch the vertices of the mesh instead',
      );
  }
}
