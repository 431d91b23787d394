// Poses of some bodies -> in which of them asked pairs meet, chunk by chunk on all threads: memory does not
// grow with the number of poses.

import type { EngineHost } from '../core/module.js';
import type { PartitionOptions, PlacedPair } from '../core/options.js';
import { readTransform } from '../core/transform.js';
import { limits } from '../records/layout.js';
import { PosesJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { Blocks } from '../runtime/blocks.js';
import { PAGE_BYTES } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { PoseQuestion } from './poseQuestion.js';
import { PoseRoom } from './poseRoom.js';

/** Bytes of poses, and of bits a pair, that lie in memory at a time, beside those of 32 poses at least. */
const CHUNK_BYTES = 64 * PAGE_BYTES;
/** Pairs that are asked one by one at a time, where kernels could not tell. */
const OPEN_PAIRS = 1024;

/** Answers in memory of their own. */
export interface PoseBits {
  /** Bit i % 32 of word i / 32: whether two bodies meet in pose i. */
  hits: Uint32Array;
  /** Where it was asked: the first pair that meets, pose by pose; a bit a pair and pose. */
  first: Uint32Array;
  each: Uint32Array;
  /** Pairs whose boxes met, of all that were looked at. */
  near: number;
}

/** Where one call works: its room, the poses of a chunk, what is found of them. */
interface Place {
  room: PoseRoom;
  posesAt: number;
  outAt: number;
}

const wants = {
  any: posesLimits.WANT_ANY,
  first: posesLimits.WANT_FIRST,
  'pairs-any': posesLimits.WANT_EACH,
} as const;
const setBit = (words: Uint32Array, bit: number): void => {
  words[Math.floor(bit / 32)] |= 1 << (bit % 32);
};

export class PoseSearch {
  readonly #host: EngineHost;
  readonly #rows = new Float64Array(12);

  constructor(host: EngineHost) {
    this.#host = host;
  }

  /**
   * @throws InvalidTransform naming the first pose, in order, with a matrix that breaks the rule; Disposed,
   * Capacity
   */
  ask(asked: PoseQuestion): PoseBits {
    const blocks = new Blocks(this.#host.backend.arena);
    try {
      return this.#askAll(asked, blocks);
    } finally {
      blocks.releaseAll();
    }
  }

  #askAll(asked: PoseQuestion, blocks: Blocks): PoseBits {
    const { poseCount, pairCount, want } = asked;
    const chunk =
      32 *
      Math.max(
        1,
        Math.floor(Math.min(CHUNK_BYTES / (32 * asked.poseBytes), CHUNK_BYTES / (4 * pairCount + 4))),
      );
    const bits: PoseBits = {
      hits: new Uint32Array(Math.ceil(poseCount / 32)),
      first: new Uint32Array(want === 'first' ? poseCount : 0),
      each: new Uint32Array(want === 'pairs-any' ? Math.ceil((poseCount * pairCount) / 32) : 0),
      near: 0,
    };
    for (let begin = 0, place: Place | undefined; begin < poseCount; begin += chunk) {
      const count = Math.min(chunk, poseCount - begin);
      place = retry(
        () => {
          const at = place ?? this.#begin(asked, blocks, count);
          this.#run(asked, at, begin, count);
          return at;
        },
        () => {
          place = undefined;
          blocks.releaseAll();
        },
      );
      this.#refuseBad(asked, place, begin);
      this.#take(asked, place, bits, begin, count);
      bits.near = place.room.near;
    }
    return bits;
  }

  #begin(asked: PoseQuestion, blocks: Blocks, count: number): Place {
    const room = new PoseRoom(this.#host.backend, blocks, asked);
    const { want, pairCount } = asked;
    return {
      room,
      posesAt: blocks.take(count * asked.poseBytes),
      outAt: blocks.take(
        4 * Math.ceil(count / 32) * (2 + (want === 'first' ? 32 : want === 'pairs-any' ? pairCount : 0)),
      ),
    };
  }

  #run(
    { movingCount, pairCount, want, poses }: PoseQuestion,
    { room, posesAt, outAt }: Place,
    begin: number,
    count: number,
  ): void {
    const { arena } = this.#host.backend;
    const wordCount = Math.ceil(count / 32);
    const isDouble = poses instanceof Float64Array;
    const moreAt = outAt + 8 * wordCount;
    (isDouble ? arena.f64 : arena.f32).set(
      poses.subarray(16 * movingCount * begin, 16 * movingCount * (begin + count)),
      posesAt / poses.BYTES_PER_ELEMENT,
    );
    setWords(arena.u32, room.jobAt, PosesJob, {
      movingCount,
      pairCount,
      posesAt,
      isDouble: isDouble ? 1 : 0,
      poseCount: count,
      want: wants[want],
      hitsAt: outAt,
      openAt: outAt + 4 * wordCount,
      firstAt: moreAt,
      eachAt: moreAt,
      cursor: 0,
    });
    runStep(this.#host.backend, 'askPoses', room.jobAt, Math.min(room.sliceCount, wordCount));
  }

  // Slices take words of poses in turn: the least that any has met is the first of all.
  #refuseBad({ poses, movingCount }: PoseQuestion, { room }: Place, begin: number): void {
    const bad = room.firstBad();
    if (bad === undefined) return;
    const pose = begin + bad;
    for (let body = 0, at = 16 * movingCount * pose; body < movingCount; body++, at += 16) {
      readTransform(
        movingCount > 1 ? `pose ${pose}, body ${body}: matrix` : `pose ${pose}: matrix`,
        poses.subarray(at, at + 16),
        this.#rows,
        0,
      );
    }
  }

  #take(asked: PoseQuestion, { outAt }: Place, bits: PoseBits, begin: number, count: number): void {
    const { u32 } = this.#host.backend.arena;
    const { pairCount, want } = asked;
    const wordCount = Math.ceil(count / 32);
    const from = outAt / 4;
    const first = begin / 32;
    const more = from + 2 * wordCount;
    bits.hits.set(u32.subarray(from, from + wordCount), first);
    if (want === 'first') bits.first.set(u32.subarray(more, more + count), begin);
    if (want === 'pairs-any')
      bits.each.set(
        u32.subarray(more, more + Math.min(wordCount * pairCount, bits.each.length - first * pairCount)),
        first * pairCount,
      );
    const open: number[] = [];
    for (let word = 0; word < wordCount; word++) {
      for (let left = u32[from + wordCount + word]; left !== 0; left &= left - 1)
        open.push(begin + 32 * word + 31 - Math.clz32(left & -left));
    }
    const most = Math.max(1, Math.floor(OPEN_PAIRS / Math.max(1, pairCount)));
    for (let at = 0; at < open.length; at += most) this.#settle(asked, bits, open.slice(at, at + most));
  }

  // Frames that are not fit to work in, coordinates that span too many exponents: the engine's own way, pair
  // by pair.
  #settle(asked: PoseQuestion, bits: PoseBits, poses: readonly number[]): void {
    const { pairCount, want } = asked;
    const hits = this.meets(poses.flatMap(pose => asked.placed(pose)));
    poses.forEach((pose, i) => {
      const of = hits.subarray(i * pairCount, (i + 1) * pairCount);
      const first = of.indexOf(1);
      if (first >= 0) setBit(bits.hits, pose);
      if (want === 'first') bits.first[pose] = first >= 0 ? first : limits.NOTHING;
      if (want === 'pairs-any')
        of.forEach((hit, pair) => {
          if (hit) setBit(bits.each, pose * pairCount + pair);
        });
    });
  }

  /** 1 or 0 a pair, by the engine's own queries. */
  meets(placed: readonly PlacedPair[], options: PartitionOptions = {}): Uint32Array {
    const host = this.#host;
    const {
      backend: { arena },
      writer,
    } = this.#host;
    const { hitsAt } = host.run('runAny', front => writer.write(front, placed), options, []);
    return arena.u32.slice(hitsAt / 4, hitsAt / 4 + placed.length);
  }
}
