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
  export const meshA: usize = 184;
  export const meshB: usize = 188;
  export const nodesA: usize = 192;
  export const leavesA: usize = 196;
  export const nodesB: usize = 200;
  export const leavesB: usize = 204;
  export const placementA: usize = 208;
  export const placementB: usize = 212;
  export const toAExact: usize = 216;
  export const matrixA: usize = 312;
  export const matrixB: usize = 408;
  export const SIZE: usize = 512;
}

export namespace FrontNode {
  export const pair: usize = 0;
  export const slotA: usize = 4;
  export const slotB: usize = 8;
  export const start: usize = 12;
  export const cost: usize = 16;
  export const boxTests: usize = 20;
  export const triangleTests: usize = 24;
  export const spare: usize = 28;
  export const SIZE: usize = 32;
}

export namespace ListRecord {
  export const orderAt: usize = 0;
  export const orderCount: usize = 4;
  export const nodesStackAt: usize = 8;
  export const nodesStackCapacity: usize = 12;
  export const mixedAStackAt: usize = 16;
  export const mixedBStackAt: usize = 20;
  export const mixedStackCapacity: usize = 24;
  export const leavesRingAt: usize = 28;
  export const scratchAt: usize = 32;
  export const pairsAAt: usize = 36;
  export const pairsBAt: usize = 40;
  export const pairsCapacity: usize = 44;
  export const pairsCount: usize = 48;
  export const runsAt: usize = 52;
  export const runsCount: usize = 56;
  export const wideAt: usize = 60;
  export const wideCapacity: usize = 64;
  export const wideCount: usize = 68;
  export const hit: usize = 72;
  export const rest: usize = 76;
  export const boxTests: usize = 80;
  export const leafPairs: usize = 88;
  export const triangleTests: usize = 96;
  export const unsure: usize = 104;
  export const exact: usize = 112;
  export const SIZE: usize = 128;
}

export namespace TraverseJob {
  export const pairsAt: usize = 0;
  export const frontAt: usize = 4;
  export const listsAt: usize = 8;
  export const tablesAt: usize = 12;
  export const stopAt: usize = 16;
  export const budget: usize = 20;
  export const SIZE: usize = 32;
}

export namespace WeighJob {
  export const pairsAt: usize = 0;
  export const startAt: usize = 4;
  export const outAt: usize = 8;
  export const outCapacity: usize = 12;
  export const countsAt: usize = 16;
  export const sliceCount: usize = 20;
  export const startCount: usize = 24;
  export const stackAt: usize = 28;
  export const bound: usize = 32;
  export const coherent: usize = 36;
  export const weight: usize = 40;
  export const spare: usize = 44;
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

export const NOTHING: u32 = 4294967295;
export const LEAF_BIT: u32 = 2147483648;
export const WIDTH: u32 = 4;
export const LEAF_CHUNK: u32 = 32;
export const EXACT_SCRATCH_BYTES: u32 = 5632;
export const APART: u32 = 0;
export const MEET: u32 = 1;
export const TOO_WIDE: u32 = 2;
