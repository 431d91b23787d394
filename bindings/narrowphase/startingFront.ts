// Makes and caches the starting front of two trees: pairs of boxes some levels below the roots, with the
// costs of the last run of these two trees (Zhang and Kim 2014, sections 3.2.1 and 5.3). A pair of boxes is a
// node of the bounding volume test tree (BVTT).
import { CostEntry, FrontNode, limits, MeshRecord, Node } from '../records/layout.js';
import type { Arena } from '../runtime/memory.js';

const WORDS = FrontNode.size / 4;
const ENTRY_WORDS = CostEntry.size / 4;
const ENTRY_COST = CostEntry.at.cost / 4;
/** A pair of nodes with up to four children each has up to 16 pairs of children. */
const CHILDREN = 16;

/** The properties of a mesh that a starting front uses. */
export interface Tree {
  readonly treeVersion: number;
  readonly recordAt: number;
  readonly leafCount: number;
}

/**
 * All pairs of boxes some levels below the roots, whether the boxes overlap or not. `slots` has two entries
 * per pair: the slot of A's box, then the slot of B's box. A slot (4 * node + lane) is the position of a box in
 * its tree; NOTHING stands for the root.
 */
interface StartingNodes {
  slots: Uint32Array;
  versionA: number;
  versionB: number;
}

// Makes the pairs of boxes of one level. Descends from the roots as long as the next level cannot have more
// than `size` pairs. isSelf: both trees are the same, so only one of the pairs (a, b) and (b, a) is kept.
function makeNodes(arena: Arena, a: Tree, b: Tree, size: number, isSelf: boolean): StartingNodes {
  let level: number[] = [limits.NOTHING, limits.NOTHING];
  // A pair of leaves has no children and stays as it is. If all pairs are pairs of leaves, the loop ends.
  for (let hasGrown = true; hasGrown && (level.length / 2) * CHILDREN <= size; )
    [level, hasGrown] = nextLevel(arena, a, b, level);
  if (isSelf) level = level.filter((_, i) => level[i & ~1] <= level[i | 1]);
  return { slots: Uint32Array.from(level), versionA: a.treeVersion, versionB: b.treeVersion };
}

/**
 * The starting front of a placed pair, and the costs of the front's nodes. The caller of the query or the
 * FrontCache keeps the front from one run to the next.
 */
export class StartingFront {
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

  /**
   * Bytes of the front's costs. The nodes are not counted, because all pairs of the same two meshes share one
   * array of nodes.
   */
  get bytes(): number {
    return this.#costs?.byteLength ?? 0;
  }
  /** Two entries per node: the slot of A's box, then the slot of B's box. */
  get slots(): Uint32Array {
    return this.#nodes.slots;
  }
  /** Whether the nodes refer to boxes of the current trees; false after a tree was rebuilt. */
  get isCurrent(): boolean {
    return this.#nodes.versionA === this.#a.treeVersion && this.#nodes.versionB === this.#b.treeVersion;
  }

  /** Returns a front, without costs, of the nodes whose numbers `has` accepts. */
  subset(has: (node: number) => boolean): StartingFront {
    return new StartingFront(
      { ...this.#nodes, slots: this.slots.filter((_, i) => has(i >> 1)) },
      this.#a,
      this.#b,
    );
  }

  /** Whether this is a front of tree `a` against tree `b`, in this order, in their current versions. */
  matches(a: Tree, b: Tree): boolean {
    return this.#a === a && this.#b === b && this.isCurrent;
  }

  /**
   * Writes the nodes as FrontNodes of pair `pair` to address `at`, with their last costs. If this front was
   * used in run `lastRun`, each node also gets the number of its entry in that run's cost tree. Otherwise, this
   * number is NOTHING. If the front has no costs yet, the costs are negative, and the numbers are NOTHING.
   */
  write(arena: Arena, at: number, pair: number, lastRun: object | undefined): void {
    const { u32, f32 } = arena;
    const { slots } = this.#nodes;
    const costs = this.#costs;
    const isKnown = costs !== undefined && this.#lastRun === lastRun;
    for (let i = 0, node = at / 4; i < this.count; i++, node += WORDS) {
      u32[node + FrontNode.at.pair / 4] = pair;
      u32[node + FrontNode.at.slotA / 4] = slots[2 * i];
      u32[node + FrontNode.at.slotB / 4] = slots[2 * i + 1];
      u32[node + FrontNode.at.entry / 4] = isKnown ? this.#firstEntry + i : limits.NOTHING;
      f32[node + FrontNode.at.cost / 4] = costs ? costs[i] : -1;
    }
  }

  /** Allocates memory for the costs, if there is none yet. Until `keepCosts`, all costs are negative. */
  reserveCosts(): Float32Array {
    return (this.#costs ??= new Float32Array(this.count).fill(-1));
  }

  /**
   * Keeps the costs of a run. In the run's cost tree at `treeAt`, the entries of this front's nodes start at
   * entry `firstEntry`.
   */
  keepCosts(arena: Arena, treeAt: number, firstEntry: number, run: object): void {
    const { f32 } = arena;
    const costs = this.reserveCosts();
    for (
      let i = 0, at = treeAt / 4 + firstEntry * ENTRY_WORDS + ENTRY_COST;
      i < this.count;
      i++, at += ENTRY_WORDS
    )
      costs[i] = f32[at];
    this.#lastRun = run;
    this.#firstEntry = firstEntry;
  }
}

function nextLevel(arena: Arena, a: Tree, b: Tree, level: number[]): [number[], boolean] {
  const next: number[] = [];
  let hasGrown = false;
  for (let i = 0; i < level.length; i += 2) {
    const [slotA, slotB] = [level[i], level[i + 1]];
    const childrenA = childSlots(arena, a, slotA);
    const childrenB = childSlots(arena, b, slotB);
    if (!childrenA && !childrenB) {
      next.push(slotA, slotB);
      continue;
    }
    hasGrown = true;
    for (const childB of childrenB ?? [slotB])
      for (const childA of childrenA ?? [slotA]) next.push(childA, childB);
  }
  return [next, hasGrown];
}

// Returns the slots of a box's children; undefined for a leaf.
function childSlots(arena: Arena, tree: Tree, slot: number): number[] | undefined {
  const nodesAt = arena.u32[(tree.recordAt + MeshRecord.at.nodesAt) / 4];
  const child = (s: number): number =>
    arena.u32[(nodesAt + (s >>> 2) * Node.size + Node.at.child) / 4 + (s & 3)];
  const handle = slot === limits.NOTHING ? 0 : child(slot);
  if (handle >= limits.LEAF_BIT) return undefined;
  return [0, 1, 2, 3].map(lane => handle * 4 + lane).filter(s => child(s) !== limits.NOTHING);
}

/**
 * What the cache holds for two meshes. nodes: starting nodes by size; the key is negative if the mesh is
 * tested against itself. fronts[i]: the front of the i-th pair of these two meshes in a call.
 */
interface PairEntry {
  nodes: Map<number, StartingNodes>;
  fronts: StartingFront[];
}

/**
 * Caches the starting nodes of pairs of meshes. For callers that do not keep the fronts, also caches the
 * fronts. Entries live as long as their meshes.
 */
export class FrontCache {
  readonly #byPair = new WeakMap<Tree, WeakMap<Tree, PairEntry>>();

  /**
   * Makes a front without costs. size: max number of nodes. isSelf: the mesh is tested against itself, and
   * each pair of its boxes occurs once.
   */
  make(arena: Arena, a: Tree, b: Tree, size: number, isSelf = false): StartingFront {
    const { nodes } = this.#entryOf(a, b);
    // Sizes are rounded down to a power of 16, because for most trees, all sizes between two such powers give
    // the same nodes.
    const power = CHILDREN ** Math.floor(Math.log2(Math.max(1, size)) / Math.log2(CHILDREN));
    const key = isSelf ? -power : power;
    let startingNodes = nodes.get(key);
    if (
      !startingNodes ||
      startingNodes.versionA !== a.treeVersion ||
      startingNodes.versionB !== b.treeVersion
    )
      nodes.set(key, (startingNodes = makeNodes(arena, a, b, power, isSelf)));
    return new StartingFront(startingNodes, a, b);
  }

  /**
   * Returns the cached front of the `occurrence`-th pair of these two meshes in a call; makes a new one if it
   * is missing or outdated.
   */
  find(arena: Arena, a: Tree, b: Tree, occurrence: number, size: number): StartingFront {
    const { fronts } = this.#entryOf(a, b);
    const front = fronts[occurrence];
    return front?.isCurrent ? front : (fronts[occurrence] = this.make(arena, a, b, size));
  }

  #entryOf(a: Tree, b: Tree): PairEntry {
    let byB = this.#byPair.get(a);
    if (!byB) this.#byPair.set(a, (byB = new WeakMap()));
    let known = byB.get(b);
    if (!known) byB.set(b, (known = { nodes: new Map(), fronts: [] }));
    return known;
  }
}
