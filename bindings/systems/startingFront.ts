// Two trees -> the starting front of their pair tests, cached with the costs of its last run (Zhang & Kim s3.2.1, s5.3).
import { CostEntry, FrontNode, limits, MeshRecord, Node } from '../layout.js';
import type { Arena } from '../memory.js';

const WORDS = FrontNode.size / 4;
const SLOT_A = FrontNode.at.slotA / 4;
const SLOT_B = FrontNode.at.slotB / 4;
const COST = FrontNode.at.cost / 4;
const ENTRY = FrontNode.at.entry / 4;
const PAIR = FrontNode.at.pair / 4;
const ENTRY_WORDS = CostEntry.size / 4;
const ENTRY_COST = CostEntry.at.cost / 4;

/** What a starting front needs to know of a mesh. */
export interface Tree { readonly treeVersion: number; readonly recordAt: number; readonly leafCount: number }

/** All pairs of boxes some levels down, overlapping or not, as FrontNode records. */
export class StartingFront {
  nodes: Uint32Array;
  costs: Float32Array;
  count: number;
  /** Sum of the last run's costs. */
  total = 0;
  private run = -1;
  private firstEntry = 0;
  readonly versionA: number;
  readonly versionB: number;

  constructor(arena: Arena, a: Tree, b: Tree, size: number) {
    this.versionA = a.treeVersion;
    this.versionB = b.treeVersion;
    let level: number[] = [limits.NOTHING, limits.NOTHING];
    // One level of 4-wide nodes has up to 16 children a pair; leaf pairs stay as they are.
    for (let grown = true; grown && level.length / 2 * 16 <= size;) [level, grown] = nextLevel(arena, a, b, level);
    this.count = level.length / 2;
    this.nodes = new Uint32Array(this.count * WORDS);
    this.costs = new Float32Array(this.nodes.buffer);
    for (let i = 0; i < this.count; i++) {
      this.nodes[i * WORDS + SLOT_A] = level[2 * i]!;
      this.nodes[i * WORDS + SLOT_B] = level[2 * i + 1]!;
    }
  }

  /** Whether it has the costs of a run. */
  get hasRun(): boolean { return this.run >= 0; }

  /**
   * Copies the nodes to `at` for pair `pair` of run number `run`, and points each to its entry in the last run's cost tree
   * where this front took part in that run.
   */
  write(arena: Arena, at: number, pair: number, run: number): void {
    const { u32 } = arena;
    u32.set(this.nodes, at / 4);
    const known = this.run === run - 1;
    for (let i = 0, node = at / 4; i < this.count; i++, node += WORDS) {
      u32[node + PAIR] = pair;
      u32[node + ENTRY] = known ? this.firstEntry + i : limits.NOTHING;
    }
  }

  /** Keeps the costs of run number `run`, whose cost tree at `treeAt` has this front's nodes from entry `firstEntry` on. */
  read(arena: Arena, treeAt: number, firstEntry: number, run: number): void {
    let total = 0;
    for (let i = 0; i < this.count; i++) {
      const cost = arena.f32[treeAt / 4 + (firstEntry + i) * ENTRY_WORDS + ENTRY_COST]!;
      this.costs[i * WORDS + COST] = cost;
      total += cost;
    }
    this.total = total;
    this.run = run;
    this.firstEntry = firstEntry;
  }
}

function nextLevel(arena: Arena, a: Tree, b: Tree, level: number[]): [number[], boolean] {
  const next: number[] = [];
  let grown = false;
  for (let i = 0; i < level.length; i += 2) {
    const [slotA, slotB] = [level[i]!, level[i + 1]!];
    const childrenA = childSlots(arena, a, slotA), childrenB = childSlots(arena, b, slotB);
    if (!childrenA && !childrenB) { next.push(slotA, slotB); continue; }
    grown = true;
    for (const childB of childrenB ?? [slotB]) for (const childA of childrenA ?? [slotA]) next.push(childA, childB);
  }
  return [next, grown];
}

// Slots of a box's children, or undefined for a leaf.
function childSlots(arena: Arena, tree: Tree, slot: number): number[] | undefined {
  const nodesAt = arena.u32[(tree.recordAt + MeshRecord.at.nodesAt) / 4]!;
  const child = (s: number): number => arena.u32[(nodesAt + (s >>> 2) * Node.size + Node.at.child) / 4 + (s & 3)]!;
  const handle = slot === limits.NOTHING ? 0 : child(slot);
  if (handle >= limits.LEAF_BIT) return undefined;
  return [0, 1, 2, 3].map((lane) => handle * 4 + lane).filter((s) => child(s) !== limits.NOTHING);
}

/** Starting fronts by mesh pair and by its occurrence in a call; a new tree shape drops them, a mesh takes its own along. */
export class FrontCache {
  private readonly byPair = new WeakMap<Tree, WeakMap<Tree, StartingFront[]>>();

  find(arena: Arena, a: Tree, b: Tree, occurrence: number, size: number): StartingFront {
    let ofA = this.byPair.get(a);
    if (!ofA) this.byPair.set(a, ofA = new WeakMap());
    let fronts = ofA.get(b);
    if (!fronts) ofA.set(b, fronts = []);
    let front = fronts[occurrence];
    if (!front || front.versionA !== a.treeVersion || front.versionB !== b.treeVersion) {
      fronts[occurrence] = front = new StartingFront(arena, a, b, size);
    }
    return front;
  }
}
