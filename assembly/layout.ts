// Generated from bindings/layout.ts by `npm run build`: byte offsets of every record. Do not edit.

export namespace Node {
  export const centerX: usize = 0;
  export const centerY: usize = 16;
  export const centerZ: usize = 32;
  export const halfX: usize = 48;
  export const halfY: usize = 64;
  export const halfZ: usize = 80;
  export const child: usize = 96;
  export const parent: usize = 112;
  export const spare: usize = 116;
  export const SIZE: usize = 128;
}

export namespace Leaf {
  export const ax: usize = 0;
  export const ay: usize = 16;
  export const az: usize = 32;
  export const bx: usize = 48;
  export const by: usize = 64;
  export const bz: usize = 80;
  export const cx: usize = 96;
  export const cy: usize = 112;
  export const cz: usize = 128;
  export const id: usize = 144;
  export const SIZE: usize = 160;
}

export namespace MeshRecord {
  export const positionsAt: usize = 0;
  export const indicesAt: usize = 4;
  export const vertexCount: usize = 8;
  export const triangleCount: usize = 12;
  export const nodesAt: usize = 16;
  export const nodeCount: usize = 20;
  export const leavesAt: usize = 24;
  export const leafCount: usize = 28;
  export const depth: usize = 32;
  export const centerX: usize = 36;
  export const centerY: usize = 40;
  export const centerZ: usize = 44;
  export const scale: usize = 48;
  export const halfX: usize = 52;
  export const halfY: usize = 56;
  export const halfZ: usize = 60;
  export const storedError: usize = 64;
  export const middleX: usize = 68;
  export const middleY: usize = 72;
  export const middleZ: usize = 76;
  export const SIZE: usize = 80;
}

export namespace PairRecord {
  export const toA: usize = 0;
  export const absToA: usize = 48;
  export const toB: usize = 84;
  export const absToB: usize = 132;
  export const slackA: usize = 168;
  export const slackB: usize = 172;
  export const pointError: usize = 176;
  export const localError: usize = 180;
  export const nodesA: usize = 184;
  export const leavesA: usize = 188;
  export const nodesB: usize = 192;
  export const leavesB: usize = 196;
  export const meshA: usize = 200;
  export const meshB: usize = 204;
  export const placedA: usize = 208;
  export const placedB: usize = 212;
  export const toAExact: usize = 216;
  export const placementA: usize = 312;
  export const placementB: usize = 408;
  export const SIZE: usize = 512;
}

export namespace FrontNode {
  export const pair: usize = 0;
  export const slotA: usize = 4;
  export const slotB: usize = 8;
  export const start: usize = 12;
  export const cost: usize = 16;
  export const boxTests: usize = 20;
  export const leafPairs: usize = 24;
  export const spare: usize = 28;
  export const SIZE: usize = 32;
}

export namespace ListRecord {
  export const orderAt: usize = 0;
  export const orderCount: usize = 4;
  export const nodesAt: usize = 8;
  export const nodesStride: usize = 12;
  export const mixedAAt: usize = 16;
  export const mixedBAt: usize = 20;
  export const mixedStride: usize = 24;
  export const leavesAt: usize = 28;
  export const leavesStride: usize = 32;
  export const scratchAt: usize = 36;
  export const candidatesAt: usize = 40;
  export const unsureAt: usize = 44;
  export const exactAt: usize = 48;
  export const pairsAAt: usize = 52;
  export const pairsBAt: usize = 56;
  export const pairsCapacity: usize = 60;
  export const pairsCount: usize = 64;
  export const runsAt: usize = 68;
  export const runsCount: usize = 72;
  export const wideAt: usize = 76;
  export const wideCapacity: usize = 80;
  export const wideCount: usize = 84;
  export const hit: usize = 88;
  export const rest: usize = 92;
  export const boxTests: usize = 96;
  export const leafPairs: usize = 104;
  export const triangleTests: usize = 112;
  export const unsure: usize = 120;
  export const milliseconds: usize = 128;
  export const SIZE: usize = 144;
}

export namespace TraverseJob {
  export const pairsAt: usize = 0;
  export const frontAt: usize = 4;
  export const listsAt: usize = 8;
  export const packTableAt: usize = 12;
  export const hitsAt: usize = 16;
  export const budget: usize = 20;
  export const SIZE: usize = 32;
}

export namespace WeighJob {
  export const pairsAt: usize = 0;
  export const startAt: usize = 4;
  export const startCount: usize = 8;
  export const sliceCount: usize = 12;
  export const outAt: usize = 16;
  export const outCapacity: usize = 20;
  export const countsAt: usize = 24;
  export const stackAt: usize = 28;
  export const stackBytes: usize = 32;
  export const bound: usize = 36;
  export const coherent: usize = 40;
  export const SIZE: usize = 48;
}

export namespace SortJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const count: usize = 8;
  export const spareAAt: usize = 12;
  export const spareBAt: usize = 16;
  export const histogramAt: usize = 20;
  export const bitsA: usize = 24;
  export const bitsB: usize = 28;
  export const SIZE: usize = 32;
}

export namespace DecideJob {
  export const pointsAt: usize = 0;
  export const pairCount: usize = 4;
  export const verdictsAt: usize = 8;
  export const scratchAt: usize = 12;
  export const sliceCount: usize = 16;
  export const SIZE: usize = 32;
}

export namespace BoundPositionsJob {
  export const positionsAt: usize = 0;
  export const groupCount: usize = 4;
  export const indicesAt: usize = 8;
  export const indexGroupCount: usize = 12;
  export const partsAt: usize = 16;
  export const sliceCount: usize = 20;
  export const SIZE: usize = 32;
}

export namespace BoundPart {
  export const low: usize = 0;
  export const high: usize = 48;
  export const tiny: usize = 96;
  export const wild: usize = 112;
  export const greatestIndex: usize = 128;
  export const SIZE: usize = 144;
}

export namespace BuildRecord {
  export const minX: usize = 0;
  export const minY: usize = 4;
  export const minZ: usize = 8;
  export const id: usize = 12;
  export const maxX: usize = 16;
  export const maxY: usize = 20;
  export const maxZ: usize = 24;
  export const spare: usize = 28;
  export const SIZE: usize = 32;
}

export namespace BoundTrianglesJob {
  export const meshAt: usize = 0;
  export const recordsAt: usize = 4;
  export const partsAt: usize = 8;
  export const sliceCount: usize = 12;
  export const SIZE: usize = 16;
}

export namespace BoxPart {
  export const low: usize = 0;
  export const high: usize = 16;
  export const SIZE: usize = 32;
}

export namespace BinaryNode {
  export const right: usize = 0;
  export const first: usize = 4;
  export const count: usize = 8;
  export const spare: usize = 12;
  export const cost1: usize = 16;
  export const cost2: usize = 20;
  export const cost3: usize = 24;
  export const cost4: usize = 28;
  export const SIZE: usize = 32;
}

export namespace OpenRange {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const depth: usize = 8;
  export const parent: usize = 12;
  export const low: usize = 16;
  export const high: usize = 32;
  export const centroidLow: usize = 48;
  export const centroidHigh: usize = 64;
  export const SIZE: usize = 80;
}

export namespace TopRange {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const depth: usize = 8;
  export const spare: usize = 12;
  export const low: usize = 16;
  export const high: usize = 32;
  export const centroidLow: usize = 48;
  export const centroidHigh: usize = 64;
  export const firstChunk: usize = 80;
  export const chunkCount: usize = 84;
  export const left: usize = 88;
  export const axis: usize = 92;
  export const bin: usize = 96;
  export const SIZE: usize = 112;
}

export namespace Chunk {
  export const range: usize = 0;
  export const begin: usize = 4;
  export const end: usize = 8;
  export const leftTo: usize = 12;
  export const rightTo: usize = 16;
  export const SIZE: usize = 32;
}

export namespace TopJob {
  export const fromAt: usize = 0;
  export const toAt: usize = 4;
  export const rangesAt: usize = 8;
  export const rangeCount: usize = 12;
  export const chunksAt: usize = 16;
  export const chunkCount: usize = 20;
  export const binsAt: usize = 24;
  export const sidesAt: usize = 28;
  export const sliceCount: usize = 32;
  export const SIZE: usize = 48;
}

export namespace Subtree {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const depth: usize = 8;
  export const recordsAt: usize = 12;
  export const low: usize = 16;
  export const high: usize = 32;
  export const centroidLow: usize = 48;
  export const centroidHigh: usize = 64;
  export const shapesAt: usize = 80;
  export const nodeCount: usize = 84;
  export const leafCount: usize = 88;
  export const nodeDepth: usize = 92;
  export const root: usize = 96;
  export const nodesFrom: usize = 100;
  export const leavesFrom: usize = 104;
  export const SIZE: usize = 112;
}

export namespace GrowJob {
  export const subtreesAt: usize = 0;
  export const orderAt: usize = 4;
  export const listsAt: usize = 8;
  export const scratchAt: usize = 12;
  export const scratchStride: usize = 16;
  export const capacity: usize = 20;
  export const SIZE: usize = 32;
}

export namespace FillJob {
  export const meshAt: usize = 0;
  export const subtreesAt: usize = 4;
  export const orderAt: usize = 8;
  export const listsAt: usize = 12;
  export const rangesAt: usize = 16;
  export const SIZE: usize = 32;
}

export namespace RefitRange {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const area: usize = 8;
  export const spare: usize = 12;
  export const SIZE: usize = 16;
}

export namespace RefitJob {
  export const meshAt: usize = 0;
  export const rangesAt: usize = 4;
  export const orderAt: usize = 8;
  export const listsAt: usize = 12;
  export const SIZE: usize = 16;
}

export const NOTHING: u32 = 4294967295;
export const LEAF_BIT: u32 = 2147483648;
export const WIDTH: u32 = 4;
export const LEAF_CHUNK: u32 = 32;
export const LEAF_RING: u32 = 48;
export const BLOCK_BYTES: u32 = 336;
export const B_IN_BLOCK: u32 = 160;
export const ERROR_AT: u32 = 320;
export const CANDIDATE_STRIDE: u32 = 3104;
export const EXACT_SCRATCH_BYTES: u32 = 5632;
export const APART: u32 = 0;
export const MEET: u32 = 1;
export const TOO_WIDE: u32 = 2;
export const SAH_DEPTH: u32 = 48;
export const STACK_DEPTH: u32 = 80;
export const GROW_SCRATCH_BYTES: u32 = 16384;
export const BINS_BYTES: u32 = 3264;
