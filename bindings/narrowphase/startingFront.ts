// Two trees -> the starting front of their pair tests, and the costs of its last run, pair by pair (Zhang &
// Kim s3.2.1, s5.3).
import { CostEntry, FrontNode, limits, MeshRecord, Node } from '../records/layout.js';
import type { Arena } from '../runtime/memory.js';

const WORDS = FrontNode.size / 4;
const ENTRY_WORDS = CostEntry.size / 4;
const ENTRY_COST = CostEntry.at.cost / 4;
/** One level of 4-wide nodes has up to 16 children a pair. */
const CHILDREN = 16;

/** What a starting front needs to know of a mesh. */
export interface Tree {
  readonly treeVersion: number;
  readonly recordAt: number;
  readonly leafCount: number;
}

/** All pairs of boxes some levels down, overlapping or not: slots of A and B in turn. */
interface StartingNodes {
  slots: Uint32Array;
  versionA: number;
  versionB: number;
}

// isSelf: both trees are one; of what is there twice, once the other way round, one stays.
function makeNodes(arena: Arena, a: Tree, b: Tree, size: number, isSelf: boolean): StartingNodes {
  let level: number[] = [limits.NOTHING, limits.NOTHING];
  // Leaf pairs stay as they are.
  for (let grown = true; grown && (level.length / 2) * CHILDREN <= size; )
    [level, grown] = nextLevel(arena, a, b, level);
  if (isSelf) level = level.filter((_, i) => level[i & ~1] <= level[i | 1]);
  return { slots: Uint32Array.from(level), versionA: a.treeVersion, versionB: b.treeVersion };
}

/** A placed pair's starting front with its costs: whoever asks about the pair keeps it from run to run. */
export class StartingFront {
  /** Sum of the last run's costs. */
  total = 0;
  readonly count: number;
  readonly #nodes: StartingNodes;
  readonly #a: Tree;
  readonly #b: Tree;
  #costs: Float32Array | undefined;
  #lastRun: object | undefined;
  #firstEntry = 0;

  constructor(nodes: StartingNodes, a: Tree, b: Tree) {
    this.#nodes = nodes;
    this.#a = a;
    this.#b = b;
    this.count = nodes.slots.length / 2;
  }

  /** Bytes of costs, which are its own; nodes are shared by all pairs of two meshes. */
  get bytes(): number {
    return this.#costs?.byteLength ?? 0;
  }
  /** Boxes of A and B in turn, a node each two. */
  get slots(): Uint32Array {
    return this.#nodes.slots;
  }
  /** Whether its nodes still name boxes of its trees. */
  get isCurrent(): boolean {
    return this.#nodes.versionA === this.#a.treeVersion && this.#nodes.versionB === this.#b.treeVersion;
  }

  /** With those of its nodes alone, by their numbers. */
  only(has: (node: number) => boolean): StartingFront {
    return new StartingFront(
      { ...this.#nodes, slots: this.slots.filter((_, i) => has(i >> 1)) },
      this.#a,
      this.#b,
    );
  }

  /** Whether it is a front of these trees, in this order, as they are now. */
  isOf(a: Tree, b: Tree): boolean {
    return this.#a === a && this.#b === b && this.isCurrent;
  }

  /**
   * Writes the nodes to `at` for pair `pair` with their last costs, less than 0 where there are none, and
   * points each to its entry in the last run's cost tree where this front took part in that run.
   */
  write(arena: Arena, at: number, pair: number, lastRun: object | undefined, coherence: 'on' | 'off'): void {
    const { u32, f32 } = arena;
    const { slots } = this.#nodes;
    const costs = coherence === 'on' ? this.#costs : undefined;
    const isKnown = costs !== undefined && this.#lastRun === lastRun;
    for (let i = 0, node = at / 4; i < this.count; i++, node += WORDS) {
      u32[node + FrontNode.at.pair / 4] = pair;
      u32[node + FrontNode.at.slotA / 4] = slots[2 * i];
      u32[node + FrontNode.at.slotB / 4] = slots[2 * i + 1];
      u32[node + FrontNode.at.entry / 4] = isKnown ? this.#firstEntry + i : limits.NOTHING;
      f32[node + FrontNode.at.cost / 4] = costs ? costs[i] : -1;
    }
  }

  /**
   * Keeps the costs of a run whose cost tree at `treeAt` has this front's nodes from entry `firstEntry` on.
   */
  read(arena: Arena, treeAt: number, firstEntry: number, run: object): void {
    const { f32 } = arena;
    const costs = (this.#costs ??= new Float32Array(this.count));
    let total = 0;
    for (
      let i = 0, at = treeAt / 4 + firstEntry * ENTRY_WORDS + ENTRY_COST;
      i < this.count;
      i++, at += ENTRY_WORDS
    )
      total += costs[i] = f32[at];
    this.total = total;
    this.#lastRun = run;
    this.#firstEntry = firstEntry;
  }
}

function nextLevel(arena: Arena, a: Tree, b: Tree, level: number[]): [number[], boolean] {
  const next: number[] = [];
  let grown = false;
  for (let i = 0; i < level.length; i += 2) {
    const [slotA, slotB] = [level[i], level[i + 1]];
    const childrenA = childSlots(arena, a, slotA);
    const childrenB = childSlots(arena, b, slotB);
    if (!childrenA && !childrenB) {
      next.push(slotA, slotB);
      continue;
    }
    grown = true;
    for (const childB of childrenB ?? [slotB])
      for (const childA of childrenA ?? [slotA]) next.push(childA, childB);
  }
  return [next, grown];
}

// Slots of a box's children, or undefined for a leaf.
function childSlots(arena: Arena, tree: Tree, slot: number): number[] | undefined {
  const nodesAt = arena.u32[(tree.recordAt + MeshRecord.at.nodesAt) / 4];
  const child = (s: number): number =>
    arena.u32[(nodesAt + (s >>> 2) * Node.size + Node.at.child) / 4 + (s & 3)];
  const handle = slot === limits.NOTHING ? 0 : child(slot);
  if (handle >= limits.LEAF_BIT) return undefined;
  return [0, 1, 2, 3].map(lane => handle * 4 + lane).filter(s => child(s) !== limits.NOTHING);
}

/**
 * What is known of two meshes: starting nodes by their size, and the fronts of queries by the pair's
 * occurrence in a call.
 */
interface OfMeshes {
  nodes: Map<number, StartingNodes>;
  fronts: StartingFront[];
}

/**
 * Starting nodes and, for those who keep none themselves, fronts of two meshes; a mesh takes its own along.
 */
export class FrontCache {
  readonly #byPair = new WeakMap<Tree, WeakMap<Tree, OfMeshes>>();

  /**
   * A front without costs. size: nodes that it has at most. isSelf: of a mesh paired with itself, each two
   * boxes once.
   */
  make(arena: Arena, a: Tree, b: Tree, size: number, isSelf = false): StartingFront {
    const { nodes } = this.#ofMeshes(a, b);
    // Sizes between two powers give the same nodes, but for a few small trees.
    const power = CHILDREN ** Math.floor(Math.log2(Math.max(1, size)) / Math.log2(CHILDREN));
    const key = isSelf ? -power : power;
    let made = nodes.get(key);
    if (!made || made.versionA !== a.treeVersion || made.versionB !== b.treeVersion)
      nodes.set(key, (made = makeNodes(arena, a, b, power, isSelf)));
    return new StartingFront(made, a, b);
  }

  /** The front of the pair that is the `occurrence`-th of these meshes in a call. */
  find(arena: Arena, a: Tree, b: Tree, occurrence: number, size: number): StartingFront {
    const { fronts } = this.#ofMeshes(a, b);
    const front = fronts[occurrence];
    return front?.isCurrent ? front : (fronts[occurrence] = this.make(arena, a, b, size));
  }

  #ofMeshes(a: Tree, b: Tree): OfMeshes {
    let ofA = this.#byPair.get(a);
    if (!ofA) this.#byPair.set(a, (ofA = new WeakMap()));
    let known = ofA.get(b);
    if (!known) ofA.set(b, (known = { nodes: new Map(), fronts: [] }));
    return known;
  }
}
