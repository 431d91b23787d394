// Pairs of trees -> the front that a GPU starts from: a cut through the tree of all their pair tests, made
// and grown on the GPU, kept from run to run with what its nodes cost. All of its nodes stay in it, whether
// they meet or not (Zhang and Kim, 5.3).
import { GpuPass, GrowParams, gpuLimits } from '../../records/gpuLayout.js';
import { limits } from '../../records/layout.js';
import type { GpuTree } from '../bvh/gpuRefits.js';
import type { BoundBuffers, Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';

/** What a front needs to know of a mesh. */
export interface CutTree extends GpuTree {
  readonly id: number;
  readonly depth: number;
  readonly treeVersion: number;
}

/** Nodes of one pair's front, boxes of A and B in turn, and what they are called. */
export interface CutPart {
  name: string;
  slots: Uint32Array;
}

/** trees[2 i] and trees[2 i + 1] are pair i's. */
export interface CutQuestion {
  trees: readonly CutTree[];
  /** 'on': the front of the last run of the same trees goes on, larger where it was dear. */
  coherence: 'on' | 'off';
  /**
   * Both trees of each pair are one: its triangles that share no vertex. Vertices are one that have the same
   * number, or the same coordinates.
   */
  neighbors?: 'index' | 'position';
  /** Of one pair what lies below these nodes; all where there are none. */
  part?: CutPart;
}

const { LEAF_COST } = gpuLimits;
/** One level of both trees has up to 16 children a pair. */
const CHILDREN = 16;
/** A front starts with up to 4^6 nodes, and grows up to 4^7. */
const AT_FIRST = 4 ** 6;
const MOST = 4 ** 7;
/** A node is replaced by those below it where it cost this many times the mean. */
const DEAR = 8;
/** A front is long enough where what lies below a node costs this much or less, in tests of boxes. */
const WORTH = 16;
/** Fronts of more pairs than this are not kept. */
const MOST_PAIRS = 64;
const NODE_BYTES = 16;

/** Byte offset of a pass among all of them. */
export const passAt = (level: number): number => level * GpuPass.size;

export class GpuCut {
  readonly #gpu: Gpu;
  readonly #rooms: readonly [GpuRoom, GpuRoom];
  readonly #costRoom: GpuRoom;
  /** Nodes that the rooms are long enough for. */
  #room = 0;
  /** Whose the front is, in which room it lies, how many nodes it has, and what they cost in the last run. */
  #kept: { key: string; place: number; count: number; cost: number } | undefined;
  #next: { key: string; place: number } | undefined;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#rooms = [new GpuRoom(gpu, 'front'), new GpuRoom(gpu, 'front')];
    this.#costRoom = new GpuRoom(gpu, 'costs of the front');
  }

  /** Nodes' costs of this run: words. */
  get costs(): GPUBuffer {
    return this.#costRoom.reserve(4 * this.#room);
  }
  /** The nodes of this run. */
  get nodes(): GPUBuffer {
    return this.#at(this.#next!.place);
  }

  /**
   * Records how the front is made. common: pairs, nodes, passes, counts. dispatch: records that a pass of
   * this level, with `each` invocations a node, is dispatched. @returns the level at which the front is.
   */
  record(
    commands: Commands,
    { trees, coherence, neighbors, part }: CutQuestion,
    common: BoundBuffers,
    dispatch: (level: number) => void,
  ): number {
    const roots = part ? rootsOf(part) : rootsOfPairs(trees.length / 2);
    const rootCount = roots.length / 4;
    const key = `${part?.name ?? ''}${keyOf(trees, neighbors !== undefined)}`;
    const kept = this.#kept;
    const most = this.#most;
    this.#kept = this.#next = undefined;
    this.#room = Math.max(most, rootCount);
    let place = 0;
    let levels: number;
    let bound = 0;
    if (coherence === 'on' && kept?.key === key) {
      place = kept.place;
      commands.upload(common['counts'], 0, Uint32Array.of(kept.count));
      bound = Math.ceil((DEAR * kept.cost) / kept.count);
      levels = kept.cost > WORTH * kept.count && kept.count * CHILDREN <= most && kept.count < MOST ? 1 : 0;
    } else {
      levels = Math.max(
        0,
        Math.floor(Math.log(Math.min(AT_FIRST, most) / Math.max(1, rootCount)) / Math.log(CHILDREN)),
      );
      commands.upload(this.#at(0), 0, roots);
      commands.upload(common['counts'], 0, Uint32Array.of(rootCount));
    }
    for (let level = 0; level < levels; level++, place = 1 - place) {
      dispatch(level);
      commands.runIndirect(
        'growFront',
        { layout: GrowParams, values: { level, bound, listCapacity: most } },
        { ...common, front: this.#at(place), costs: this.costs, next: this.#at(1 - place) },
        common['passes'],
        passAt(level),
      );
    }
    commands.clear(this.costs);
    this.#next = { key, place };
    return levels;
  }

  /** What the run found out: nodes of the front, and tests and leaf pairs below it. */
  keep(count: number, boxTests: number, leafPairs: number, pairCount: number): void {
    const next = this.#next;
    if (next && pairCount <= MOST_PAIRS && count <= MOST)
      this.#kept = { ...next, count, cost: boxTests + LEAF_COST * leafPairs };
  }

  dispose(): void {
    for (const room of [...this.#rooms, this.#costRoom]) room.dispose();
    this.#kept = this.#next = undefined;
  }

  // A front that may grow once more fits, as far as the device goes.
  get #most(): number {
    return Math.min(MOST * CHILDREN, Math.floor(this.#gpu.limits.bindingBytes / NODE_BYTES));
  }
  #at(place: number): GPUBuffer {
    return this.#rooms[place].reserve(this.#room * NODE_BYTES);
  }
}

const rootsOfPairs = (pairCount: number): Uint32Array =>
  Uint32Array.from({ length: 4 * pairCount }, (_, i) => (i % 4 === 0 ? i / 4 : limits.NOTHING));
const rootsOf = ({ slots }: CutPart): Uint32Array =>
  Uint32Array.from({ length: 2 * slots.length }, (_, i) =>
    i % 4 === 0 ? 0 : i % 4 === 3 ? limits.NOTHING : slots[(i >> 2) * 2 + (i % 4) - 1],
  );
// The front of a mesh with itself has each two of its boxes once.
const keyOf = (trees: readonly CutTree[], isSelf: boolean): string =>
  trees.length > 2 * MOST_PAIRS
    ? ''
    : (isSelf ? 'self ' : '') + trees.map(({ id, treeVersion }) => `${id}.${treeVersion}`).join();
