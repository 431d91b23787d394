// Two trees -> the starting front of their pair tests, cached with the costs of its last run (Zhang & Kim s3.2.1, s5.3).
import { FrontNode, limits, MeshRecord, Node } from '../layout.js';
import type { Arena } from '../memory.js';

const WORDS = FrontNode.size / 4;
const SLOT_A = FrontNode.at.slotA / 4;
const SLOT_B = FrontNode.at.slotB / 4;
const COST = FrontNode.at.cost / 4;

/** What a starting front needs to know of a mesh. */
export interface Tree { readonly id: number; readonly version: number; readonly recordAt: number }

/** All pairs of boxes some levels down, overlapping or not, as FrontNode records. */
export class StartingFront {
  nodes: Uint32Array;
  costs: Float32Array;
  count: number;
  /** Sum of the last run's costs; 0 before the first. */
  total = 0;
  readonly versionA: number;
  readonly versionB: number;

  constructor(arena: Arena, a: Tree, b: Tree, size: number) {
    this.versionA = a.version;
    this.versionB = b.version;
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

  /** Copies the nodes to `at` for pair `pair`. */
  write(arena: Arena, at: number, pair: number): void {
    arena.u32.set(this.nodes, at / 4);
    if (pair === 0) return;
    for (let i = 0; i < this.count; i++) arena.u32[at / 4 + i * WORDS] = pair;
  }

  /** Keeps the costs that `writeBack` of the front summed up at `at`. */
  read(arena: Arena, at: number): void {
    let total = 0;
    for (let i = 0; i < this.count; i++) {
      const cost = arena.f32[at / 4 + i * WORDS + COST]!;
      this.costs[i * WORDS + COST] = cost;
      total += cost;
    }
    this.total = total;
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

/** Starting fronts by mesh pair and by its occurrence in a call; a rebuilt or disposed mesh drops them. */
export class FrontCache {
  private readonly byPair = new Map<number, Map<number, StartingFront[]>>();

  find(arena: Arena, a: Tree, b: Tree, occurrence: number, size: number): StartingFront {
    let ofA = this.byPair.get(a.id);
    if (!ofA) this.byPair.set(a.id, ofA = new Map());
    let fronts = ofA.get(b.id);
    if (!fronts) ofA.set(b.id, fronts = []);
    let front = fronts[occurrence];
    if (!front || front.versionA !== a.version || front.versionB !== b.version) {
      fronts[occurrence] = front = new StartingFront(arena, a, b, size);
    }
    return front;
  }

  forget(meshId: number): void {
    this.byPair.delete(meshId);
    for (const ofA of this.byPair.values()) ofA.delete(meshId);
  }
}
