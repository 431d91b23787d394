// Generated from the tables of records in bindings by `npm run build`: byte offsets of every record. Do not edit.

export namespace BoundPositionsJob {
  export const positionsAt: usize = 0;
  export const groupCount: usize = 4;
  export const indicesAt: usize = 8;
  export const indexGroupCount: usize = 12;
  export const boundsAt: usize = 16;
  export const sliceCount: usize = 20;
  export const SIZE: usize = 32;
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

export namespace Chunk {
  export const range: usize = 0;
  export const begin: usize = 4;
  export const end: usize = 8;
  export const leftTo: usize = 12;
  export const rightTo: usize = 16;
  export const SIZE: usize = 32;
}

export namespace CopyJob {
  export const copiesAt: usize = 0;
  export const firstsAt: usize = 4;
  export const aAt: usize = 8;
  export const bAt: usize = 12;
  export const SIZE: usize = 16;
}

export namespace CostEntry {
  export const slotA: usize = 0;
  export const slotB: usize = 4;
  export const cost: usize = 8;
  export const parent: usize = 12;
  export const firstChild: usize = 16;
  export const childCount: usize = 20;
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

export namespace DigitJob {
  export const keysAt: usize = 0;
  export const valuesAt: usize = 4;
  export const keysToAt: usize = 8;
  export const valuesToAt: usize = 12;
  export const count: usize = 16;
  export const shift: usize = 20;
  export const histogramsAt: usize = 24;
  export const placesAt: usize = 28;
  export const sliceCount: usize = 32;
  export const digitBits: usize = 36;
  export const SIZE: usize = 48;
}

export namespace DistributeJob {
  export const frontAt: usize = 0;
  export const frontCount: usize = 4;
  export const listsAt: usize = 8;
  export const listCount: usize = 12;
  export const orderAt: usize = 16;
  export const isInOrder: usize = 20;
  export const scratchAt: usize = 24;
  export const SIZE: usize = 32;
}

export namespace FrontJob {
  export const pairsAt: usize = 0;
  export const startAt: usize = 4;
  export const startCount: usize = 8;
  export const outAt: usize = 12;
  export const outCapacity: usize = 16;
  export const outCount: usize = 20;
  export const treeAt: usize = 24;
  export const treeFirst: usize = 28;
  export const treeCapacity: usize = 32;
  export const treeCount: usize = 36;
  export const lastTreeAt: usize = 40;
  export const isSame: usize = 44;
  export const stackAt: usize = 48;
  export const bound: usize = 52;
  export const estimateBound: usize = 56;
  export const coherent: usize = 60;
  export const weight: usize = 64;
  export const byCount: usize = 68;
  export const maxNodeCost: usize = 72;
  export const total: usize = 80;
  export const estimated: usize = 88;
  export const lastTotal: usize = 96;
  export const SIZE: usize = 112;
}

export namespace FrontNode {
  export const pair: usize = 0;
  export const slotA: usize = 4;
  export const slotB: usize = 8;
  export const entry: usize = 12;
  export const cost: usize = 16;
  export const boxTests: usize = 20;
  export const leafPairs: usize = 24;
  export const last: usize = 28;
  export const SIZE: usize = 32;
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
  export const originX: usize = 160;
  export const originY: usize = 164;
  export const originZ: usize = 168;
  export const size: usize = 172;
  export const SIZE: usize = 176;
}

export namespace LeafBox {
  export const x: usize = 0;
  export const y: usize = 16;
  export const z: usize = 32;
  export const half: usize = 48;
  export const SIZE: usize = 64;
}

export namespace ListRecord {
  export const orderAt: usize = 0;
  export const orderCount: usize = 4;
  export const cursor: usize = 8;
  export const nodesAt: usize = 12;
  export const nodesStride: usize = 16;
  export const mixedAAt: usize = 20;
  export const mixedBAt: usize = 24;
  export const mixedStride: usize = 28;
  export const leavesAt: usize = 32;
  export const leavesStride: usize = 36;
  export const batchAt: usize = 40;
  export const scratchAt: usize = 44;
  export const candidatesAt: usize = 48;
  export const uncertainAt: usize = 52;
  export const exactAt: usize = 56;
  export const pairsAAt: usize = 60;
  export const pairsBAt: usize = 64;
  export const pairsCapacity: usize = 68;
  export const runsAt: usize = 72;
  export const wideAt: usize = 76;
  export const wideCapacity: usize = 80;
  export const pair: usize = 84;
  export const leavesCount: usize = 88;
  export const pairsCount: usize = 92;
  export const runsCount: usize = 96;
  export const wideCount: usize = 100;
  export const isUnfinished: usize = 104;
  export const boxTests: usize = 112;
  export const leafPairs: usize = 120;
  export const triangleTests: usize = 128;
  export const uncertain: usize = 136;
  export const sphereCountsAt: usize = 144;
  export const spare: usize = 148;
  export const SIZE: usize = 192;
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
  export const leafBoxesAt: usize = 80;
  export const doublesAt: usize = 84;
  export const rounding: usize = 88;
  export const SIZE: usize = 96;
}

export namespace MortonJob {
  export const meshAt: usize = 0;
  export const codesAt: usize = 4;
  export const idsAt: usize = 8;
  export const boxesAt: usize = 12;
  export const offset: usize = 16;
  export const factor: usize = 32;
  export const sliceCount: usize = 36;
  export const SIZE: usize = 48;
}

export namespace Node {
  export const centerX: usize = 0;
  export const centerY: usize = 16;
  export const centerZ: usize = 32;
  export const halfX: usize = 48;
  export const halfY: usize = 64;
  export const halfZ: usize = 80;
  export const child: usize = 96;
  export const parent: usize = 112;
  export const sphereBoxes: usize = 116;
  export const sphereRows: usize = 120;
  export const sphereColumns: usize = 124;
  export const SIZE: usize = 128;
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

export namespace PairRecord {
  export const toA: usize = 0;
  export const absToA: usize = 48;
  export const toB: usize = 84;
  export const absToB: usize = 132;
  export const slackA: usize = 168;
  export const slackB: usize = 172;
  export const pointError: usize = 176;
  export const localError: usize = 180;
  export const boxSlack: usize = 184;
  export const leavesALength: usize = 188;
  export const nodesA: usize = 192;
  export const leavesA: usize = 196;
  export const nodesB: usize = 200;
  export const leavesB: usize = 204;
  export const meshA: usize = 208;
  export const meshB: usize = 212;
  export const placedA: usize = 216;
  export const placedB: usize = 220;
  export const isFrameAccurate: usize = 224;
  export const leafBoxesA: usize = 228;
  export const leafBoxesB: usize = 232;
  export const axisSlackA: usize = 236;
  export const axisSlackB: usize = 240;
  export const axisSquare: usize = 244;
  export const pairingAt: usize = 248;
  export const ownError: usize = 256;
  export const toAExact: usize = 264;
  export const placementA: usize = 360;
  export const placementB: usize = 456;
  export const SIZE: usize = 560;
}

export namespace PlaceJob {
  export const pairsAt: usize = 0;
  export const scratch: usize = 8;
  export const SIZE: usize = 464;
}

export namespace PlacedMesh {
  export const inverse: usize = 0;
  export const condition: usize = 96;
  export const reach: usize = 104;
  export const extent: usize = 128;
  export const sizes: usize = 136;
  export const size: usize = 160;
  export const leafSize: usize = 168;
  export const SIZE: usize = 176;
}

export namespace RefitRange {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const firstLeaf: usize = 8;
  export const lastLeaf: usize = 12;
  export const area: usize = 16;
  export const SIZE: usize = 32;
}

export namespace RunCopy {
  export const fromA: usize = 0;
  export const fromB: usize = 4;
  export const to: usize = 8;
  export const count: usize = 12;
  export const SIZE: usize = 16;
}

export namespace SliceBounds {
  export const low: usize = 0;
  export const high: usize = 48;
  export const minMagnitude: usize = 96;
  export const nonFinite: usize = 112;
  export const maxIndex: usize = 128;
  export const SIZE: usize = 144;
}

export namespace SliceBox {
  export const low: usize = 0;
  export const high: usize = 16;
  export const SIZE: usize = 32;
}

export namespace SortJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const offsetsAt: usize = 8;
  export const swappedAt: usize = 12;
  export const pairsAt: usize = 16;
  export const pairCount: usize = 20;
  export const sliceCount: usize = 24;
  export const spareAt: usize = 28;
  export const spareBytes: usize = 32;
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
  export const idsAt: usize = 84;
  export const nodeCount: usize = 88;
  export const leafCount: usize = 92;
  export const nodeDepth: usize = 96;
  export const root: usize = 100;
  export const nodesFrom: usize = 104;
  export const leavesFrom: usize = 108;
  export const SIZE: usize = 112;
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

export namespace TopRange {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const depth: usize = 8;
  export const spare: usize = 12;
  export const low: usize = 16;
  export const high: usize = 32;
  export const centroidLow: usize = 48;
  export const centroidHigh: usize = 64;
  export const scale: usize = 80;
  export const firstChunk: usize = 96;
  export const chunkCount: usize = 100;
  export const left: usize = 104;
  export const axis: usize = 108;
  export const bin: usize = 112;
  export const SIZE: usize = 128;
}

export namespace TraverseJob {
  export const pairsAt: usize = 0;
  export const frontAt: usize = 4;
  export const listsAt: usize = 8;
  export const packTableAt: usize = 12;
  export const hitsAt: usize = 16;
  export const budget: usize = 20;
  export const stealCount: usize = 24;
  export const listCount: usize = 28;
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

export namespace BoundTrianglesJob {
  export const meshAt: usize = 0;
  export const recordsAt: usize = 4;
  export const boxesAt: usize = 8;
  export const sliceCount: usize = 12;
  export const SIZE: usize = 16;
}

export namespace FillJob {
  export const meshAt: usize = 0;
  export const subtreesAt: usize = 4;
  export const orderAt: usize = 8;
  export const listsAt: usize = 12;
  export const rangesAt: usize = 16;
  export const cornersAt: usize = 20;
  export const SIZE: usize = 32;
}

export namespace RefitJob {
  export const meshAt: usize = 0;
  export const rangesAt: usize = 4;
  export const orderAt: usize = 8;
  export const listsAt: usize = 12;
  export const cornersAt: usize = 16;
  export const SIZE: usize = 32;
}

export namespace BoxList {
  export const sortedAt: usize = 0;
  export const columnBoxesAt: usize = 4;
  export const tileAt: usize = 8;
  export const bucketsAt: usize = 12;
  export const columnsAt: usize = 16;
  export const outputAt: usize = 20;
  export const next: usize = 24;
  export const end: usize = 28;
  export const isFull: usize = 32;
  export const found: usize = 40;
  export const tests: usize = 48;
  export const entries: usize = 56;
  export const SIZE: usize = 64;
}

export namespace BoxNode {
  export const minX: usize = 0;
  export const minY: usize = 16;
  export const minZ: usize = 32;
  export const maxX: usize = 48;
  export const maxY: usize = 64;
  export const maxZ: usize = 80;
  export const id: usize = 96;
  export const flags: usize = 112;
  export const SIZE: usize = 128;
}

export namespace BoxTreeJob {
  export const boxesAt: usize = 0;
  export const first: usize = 4;
  export const last: usize = 8;
  export const sliceCount: usize = 12;
  export const secondFrom: usize = 16;
  export const passiveFrom: usize = 20;
  export const origin: usize = 24;
  export const scale: usize = 48;
  export const shift: usize = 56;
  export const keysAt: usize = 60;
  export const idsAt: usize = 64;
  export const codesAt: usize = 68;
  export const nodesAt: usize = 72;
  export const leafCount: usize = 76;
  export const placesAt: usize = 80;
  export const movedIdsAt: usize = 84;
  export const movedCount: usize = 88;
  export const movedFlags: usize = 92;
  export const touchedAt: usize = 96;
  export const levelFirst: usize = 100;
  export const levelCount: usize = 104;
  export const belowFirst: usize = 108;
  export const belowCount: usize = 112;
  export const taskFirst: usize = 116;
  export const taskCount: usize = 120;
  export const taskHullsFirst: usize = 124;
  export const stacksAt: usize = 128;
  export const stackCapacity: usize = 132;
  export const listsAt: usize = 136;
  export const packTableAt: usize = 140;
  export const cursor: usize = 144;
  export const growthsAt: usize = 148;
  export const SIZE: usize = 160;
}

export namespace Cell {
  export const low: usize = 0;
  export const origin: usize = 16;
  export const scale: usize = 32;
  export const SIZE: usize = 48;
}

export namespace CellJob {
  export const boxesAt: usize = 0;
  export const first: usize = 4;
  export const last: usize = 8;
  export const sliceCount: usize = 12;
  export const secondFrom: usize = 16;
  export const passiveFrom: usize = 20;
  export const depth: usize = 24;
  export const low: usize = 28;
  export const high: usize = 44;
  export const permutation: usize = 60;
  export const minBoxSize: usize = 76;
  export const sampleAt: usize = 80;
  export const sampleSize: usize = 84;
  export const splitsAt: usize = 88;
  export const cellsAt: usize = 92;
  export const sharesAt: usize = 96;
  export const countsAt: usize = 100;
  export const countsStride: usize = 104;
  export const sapBoxesAt: usize = 108;
  export const SIZE: usize = 112;
}

export namespace CellShare {
  export const entriesAt: usize = 0;
  export const capacity: usize = 4;
  export const count: usize = 8;
  export const missed: usize = 12;
  export const spareAt: usize = 16;
  export const spareBytes: usize = 20;
  export const spare: usize = 24;
  export const SIZE: usize = 128;
}

export namespace CellSplit {
  export const axis: usize = 0;
  export const start: usize = 4;
  export const SIZE: usize = 16;
}

export namespace PairBlocks {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const blockPairs: usize = 8;
  export const capacity: usize = 12;
  export const taken: usize = 16;
  export const writtenAt: usize = 20;
  export const SIZE: usize = 32;
}

export namespace PairSortJob {
  export const slicesAt: usize = 0;
  export const shift: usize = 4;
  export const bucketCount: usize = 8;
  export const countsAt: usize = 12;
  export const bucketsAt: usize = 16;
  export const aAt: usize = 20;
  export const bAt: usize = 24;
  export const toAAt: usize = 28;
  export const toBAt: usize = 32;
  export const bitsB: usize = 36;
  export const scratchAt: usize = 40;
  export const keyBytes: usize = 44;
  export const sortSliceCount: usize = 48;
  export const SIZE: usize = 64;
}

export namespace SampledCenter {
  export const center: usize = 0;
  export const size: usize = 16;
  export const SIZE: usize = 32;
}

export namespace SapBox {
  export const cells: usize = 0;
  export const tag: usize = 12;
  export const SIZE: usize = 16;
}

export namespace SlabJob {
  export const boxesAt: usize = 0;
  export const first: usize = 4;
  export const last: usize = 8;
  export const sliceCount: usize = 12;
  export const planAt: usize = 16;
  export const threads: usize = 20;
  export const permutation: usize = 24;
  export const origin: usize = 40;
  export const scale: usize = 56;
  export const slabCount: usize = 72;
  export const secondFrom: usize = 76;
  export const passiveFrom: usize = 80;
  export const countsAt: usize = 84;
  export const countsStride: usize = 88;
  export const sapBoxesAt: usize = 92;
  export const slabsAt: usize = 96;
  export const orderAt: usize = 100;
  export const cursor: usize = 104;
  export const maxCopies: usize = 108;
  export const isPlanned: usize = 112;
  export const placeCount: usize = 116;
  export const maxCount: usize = 120;
  export const usedCount: usize = 124;
  export const listsAt: usize = 128;
  export const packTableAt: usize = 132;
  export const SIZE: usize = 144;
}

export namespace Merge {
  export const firstA: usize = 0;
  export const endA: usize = 4;
  export const firstB: usize = 8;
  export const endB: usize = 12;
  export const to: usize = 16;
  export const SIZE: usize = 32;
}

export namespace OctantBlock {
  export const key: usize = 0;
  export const id: usize = 16;
  export const flags: usize = 32;
  export const minX: usize = 48;
  export const minY: usize = 64;
  export const minZ: usize = 80;
  export const startX: usize = 96;
  export const startY: usize = 112;
  export const startZ: usize = 128;
  export const stopX: usize = 144;
  export const stopY: usize = 160;
  export const stopZ: usize = 176;
  export const SIZE: usize = 192;
}

export namespace OctantCounts {
  export const now: usize = 0;
  export const before: usize = 4;
  export const all: usize = 8;
  export const kept: usize = 12;
  export const firstMoved: usize = 16;
  export const movedEnd: usize = 20;
  export const selected: usize = 24;
  export const SIZE: usize = 32;
}

export namespace OctreeJob {
  export const boxesAt: usize = 0;
  export const first: usize = 4;
  export const last: usize = 8;
  export const sliceCount: usize = 12;
  export const secondFrom: usize = 16;
  export const passiveFrom: usize = 20;
  export const startsAt: usize = 24;
  export const origin: usize = 28;
  export const scale: usize = 40;
  export const octantsAt: usize = 52;
  export const movedAt: usize = 56;
  export const changedAt: usize = 60;
  export const countsAt: usize = 64;
  export const octantCount: usize = 68;
  export const keysAt: usize = 72;
  export const idsAt: usize = 76;
  export const toKeysAt: usize = 80;
  export const toIdsAt: usize = 84;
  export const blocksAt: usize = 88;
  export const cursor: usize = 92;
  export const listsAt: usize = 96;
  export const packTableAt: usize = 100;
  export const SIZE: usize = 112;
}

export namespace RunJob {
  export const keysAt: usize = 0;
  export const valuesAt: usize = 4;
  export const toKeysAt: usize = 8;
  export const toValuesAt: usize = 12;
  export const bordersAt: usize = 16;
  export const histogramsAt: usize = 20;
  export const mergesAt: usize = 24;
  export const mergeCount: usize = 28;
  export const count: usize = 32;
  export const sliceCount: usize = 36;
  export const SIZE: usize = 48;
}

export namespace EndpointJob {
  export const boxesAt: usize = 0;
  export const formerAt: usize = 4;
  export const movedAt: usize = 8;
  export const boxCount: usize = 12;
  export const listsAt: usize = 16;
  export const maxSwaps: usize = 24;
  export const SIZE: usize = 32;
}

export namespace EndpointList {
  export const at: usize = 0;
  export const spareAt: usize = 4;
  export const valuesAt: usize = 8;
  export const eventsAAt: usize = 12;
  export const eventsBAt: usize = 16;
  export const eventCapacity: usize = 20;
  export const eventCount: usize = 24;
  export const passedAt: usize = 28;
  export const passedFrom: usize = 32;
  export const passedEnd: usize = 36;
  export const next: usize = 40;
  export const hole: usize = 44;
  export const state: usize = 48;
  export const swaps: usize = 56;
  export const tests: usize = 64;
  export const spare: usize = 72;
  export const SIZE: usize = 128;
}

export namespace GatherBoxesJob {
  export const boxesAt: usize = 0;
  export const idsAt: usize = 4;
  export const count: usize = 8;
  export const toBoxesAt: usize = 12;
  export const SIZE: usize = 16;
}

export namespace MapPairIdsJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const count: usize = 8;
  export const idsAt: usize = 12;
  export const toAAt: usize = 16;
  export const toBAt: usize = 20;
  export const SIZE: usize = 32;
}

export namespace MergeEventsJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const count: usize = 8;
  export const eventsAAt: usize = 12;
  export const eventsBAt: usize = 16;
  export const eventCount: usize = 20;
  export const toAAt: usize = 24;
  export const toBAt: usize = 28;
  export const toCount: usize = 32;
  export const SIZE: usize = 48;
}

export namespace MoveBoxesJob {
  export const boxesAt: usize = 0;
  export const boxCount: usize = 4;
  export const idsAt: usize = 8;
  export const placesAt: usize = 12;
  export const count: usize = 16;
  export const movedAt: usize = 20;
  export const statisticsAt: usize = 24;
  export const firstInvalid: usize = 28;
  export const minCount: usize = 32;
  export const SIZE: usize = 48;
}

export namespace MovedHashJob {
  export const boxesAt: usize = 0;
  export const boxCount: usize = 4;
  export const movedAt: usize = 8;
  export const sliceCount: usize = 12;
  export const cellsAt: usize = 16;
  export const spare: usize = 20;
  export const origin: usize = 32;
  export const scale: usize = 48;
  export const low: usize = 64;
  export const reach: usize = 80;
  export const toBoxesAt: usize = 96;
  export const toIdsAt: usize = 100;
  export const movedCount: usize = 104;
  export const entryCount: usize = 108;
  export const entriesAt: usize = 112;
  export const bucketsAt: usize = 116;
  export const hashShift: usize = 120;
  export const marksAt: usize = 124;
  export const maxEntries: usize = 128;
  export const tests: usize = 136;
  export const largeAt: usize = 144;
  export const nearAt: usize = 148;
  export const listsAt: usize = 152;
  export const SIZE: usize = 160;
}

export namespace MovedHashList {
  export const pairsAAt: usize = 0;
  export const pairsBAt: usize = 4;
  export const pairsCapacity: usize = 8;
  export const largeCount: usize = 12;
  export const scratchAt: usize = 16;
  export const found: usize = 24;
  export const tests: usize = 32;
  export const spare: usize = 40;
  export const SIZE: usize = 64;
}

export namespace MovedPairsJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const count: usize = 8;
  export const movedAt: usize = 12;
  export const sliceCount: usize = 16;
  export const placesAt: usize = 20;
  export const countsAt: usize = 24;
  export const SIZE: usize = 32;
}

export namespace NearMovedJob {
  export const boxesAt: usize = 0;
  export const boxCount: usize = 4;
  export const movedAt: usize = 8;
  export const gridAt: usize = 12;
  export const origin: usize = 16;
  export const scale: usize = 32;
  export const low: usize = 48;
  export const reach: usize = 64;
  export const toBoxesAt: usize = 80;
  export const toIdsAt: usize = 84;
  export const movedCount: usize = 88;
  export const count: usize = 92;
  export const SIZE: usize = 96;
}

export namespace PairEventsJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const placesAt: usize = 8;
  export const placeCount: usize = 12;
  export const addedAAt: usize = 16;
  export const addedBAt: usize = 20;
  export const addedCount: usize = 24;
  export const eventsAAt: usize = 28;
  export const eventsBAt: usize = 32;
  export const eventCount: usize = 36;
  export const SIZE: usize = 48;
}

export namespace ReplacePairsJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const count: usize = 8;
  export const placesAt: usize = 12;
  export const placeCount: usize = 16;
  export const addedAAt: usize = 20;
  export const addedBAt: usize = 24;
  export const addedCount: usize = 28;
  export const SIZE: usize = 32;
}

export namespace BoxPlan {
  export const low: usize = 0;
  export const high: usize = 24;
  export const minSize: usize = 48;
  export const meanSize: usize = 72;
  export const meanSquare: usize = 96;
  export const expected: usize = 120;
  export const sweepAxis: usize = 128;
  export const slabAxis: usize = 132;
  export const columnAxis: usize = 136;
  export const count: usize = 140;
  export const firstNonFinite: usize = 144;
  export const hasSimilarSizes: usize = 148;
  export const SIZE: usize = 160;
}

export namespace BoxStatistics {
  export const low: usize = 0;
  export const high: usize = 16;
  export const minSize: usize = 32;
  export const sumX: usize = 48;
  export const sumY: usize = 56;
  export const sumZ: usize = 64;
  export const squareX: usize = 72;
  export const squareY: usize = 80;
  export const squareZ: usize = 88;
  export const count: usize = 96;
  export const firstNonFinite: usize = 100;
  export const SIZE: usize = 112;
}

export namespace BoxStatisticsJob {
  export const boxesAt: usize = 0;
  export const boxCount: usize = 4;
  export const statisticsAt: usize = 8;
  export const ready: usize = 12;
  export const cursor: usize = 16;
  export const sliceCount: usize = 20;
  export const planAt: usize = 24;
  export const SIZE: usize = 32;
}

export namespace SampleBoxesJob {
  export const boxesAt: usize = 0;
  export const boxCount: usize = 4;
  export const size: usize = 8;
  export const planAt: usize = 12;
  export const threads: usize = 16;
  export const slabCount: usize = 20;
  export const columnCount: usize = 24;
  export const tests: usize = 28;
  export const pairs: usize = 32;
  export const undecidedTests: usize = 36;
  export const sampledCount: usize = 40;
  export const slabLow: usize = 48;
  export const slabScale: usize = 56;
  export const columnLow: usize = 64;
  export const columnScale: usize = 72;
  export const sweepRange: usize = 80;
  export const boxesEach: usize = 88;
  export const mixture: usize = 96;
  export const SIZE: usize = 112;
}

export namespace SampledBox {
  export const minX: usize = 0;
  export const maxX: usize = 4;
  export const minY: usize = 8;
  export const maxY: usize = 12;
  export const minZ: usize = 16;
  export const maxZ: usize = 20;
  export const slab: usize = 24;
  export const lastSlab: usize = 28;
  export const column: usize = 32;
  export const lastColumn: usize = 36;
  export const pairs: usize = 40;
  export const SIZE: usize = 48;
}

export namespace BodyPairsJob {
  export const bodiesAt: usize = 0;
  export const aAt: usize = 4;
  export const bAt: usize = 8;
  export const pairCount: usize = 12;
  export const sliceCount: usize = 16;
  export const pairsAt: usize = 20;
  export const swappedAt: usize = 24;
  export const scratchAt: usize = 28;
  export const SIZE: usize = 32;
}

export namespace BodyRecord {
  export const rows: usize = 0;
  export const center: usize = 96;
  export const edges: usize = 120;
  export const normals: usize = 192;
  export const reach: usize = 288;
  export const size: usize = 320;
  export const placed: usize = 328;
  export const low: usize = 504;
  export const high: usize = 516;
  export const meshAt: usize = 528;
  export const presence: usize = 532;
  export const moved: usize = 536;
  export const group: usize = 540;
  export const mask: usize = 544;
  export const supportsAt: usize = 548;
  export const SIZE: usize = 560;
}

export namespace PlaceBodiesJob {
  export const bodiesAt: usize = 0;
  export const bodyCount: usize = 4;
  export const sliceCount: usize = 8;
  export const matricesAt: usize = 12;
  export const isDouble: usize = 16;
  export const boxesAt: usize = 20;
  export const firstInvalidAt: usize = 24;
  export const isCheck: usize = 28;
  export const SIZE: usize = 32;
}

export namespace PruneJob {
  export const bodiesAt: usize = 0;
  export const aAt: usize = 4;
  export const bAt: usize = 8;
  export const toAAt: usize = 12;
  export const toBAt: usize = 16;
  export const pairCount: usize = 20;
  export const sliceCount: usize = 24;
  export const keptAt: usize = 28;
  export const oriented: usize = 32;
  export const SIZE: usize = 48;
}

export namespace SupportsJob {
  export const positionsAt: usize = 0;
  export const vertexCount: usize = 4;
  export const tableAt: usize = 8;
  export const spare: usize = 12;
  export const directions: usize = 16;
  export const SIZE: usize = 64;
}

export namespace Moment {
  export const points: usize = 0;
  export const normal: usize = 96;
  export const time: usize = 120;
  export const low: usize = 128;
  export const high: usize = 136;
  export const reach: usize = 144;
  export const rate: usize = 152;
  export const SIZE: usize = 160;
}

export namespace Motion {
  export const start: usize = 0;
  export const end: usize = 96;
  export const velocity: usize = 192;
  export const extent: usize = 288;
  export const area: usize = 296;
  export const volume: usize = 304;
  export const separation: usize = 312;
  export const tolerance: usize = 320;
  export const isFace: usize = 328;
  export const SIZE: usize = 336;
}

export namespace SweepFeaturesJob {
  export const queriesAt: usize = 0;
  export const queryCount: usize = 4;
  export const sliceCount: usize = 8;
  export const isFace: usize = 12;
  export const resultsAt: usize = 16;
  export const scratchAt: usize = 20;
  export const separation: usize = 24;
  export const tolerance: usize = 32;
  export const resolution: usize = 40;
  export const SIZE: usize = 48;
}

export namespace SweptFeatures {
  export const toi: usize = 0;
  export const bound: usize = 8;
  export const verdict: usize = 16;
  export const moments: usize = 20;
  export const SIZE: usize = 32;
}

export namespace BoundMovingJob {
  export const bodiesAt: usize = 0;
  export const movingAt: usize = 4;
  export const bodyCount: usize = 8;
  export const sliceCount: usize = 12;
  export const boxesAt: usize = 16;
  export const rotatingAt: usize = 20;
  export const margin: usize = 24;
  export const SIZE: usize = 32;
}

export namespace BoundSweptJob {
  export const sweptAt: usize = 0;
  export const corners: usize = 4;
  export const boxesAt: usize = 8;
  export const sliceCount: usize = 12;
  export const atStart: usize = 16;
  export const margin: usize = 24;
  export const scale: usize = 32;
  export const origin: usize = 40;
  export const SIZE: usize = 64;
}

export namespace Contact {
  export const toi: usize = 0;
  export const bound: usize = 8;
  export const verdict: usize = 16;
  export const points: usize = 20;
  export const kind: usize = 36;
  export const a: usize = 40;
  export const b: usize = 44;
  export const faceA: usize = 48;
  export const faceB: usize = 52;
  export const pair: usize = 56;
  export const SIZE: usize = 64;
}

export namespace ContactList {
  export const contactsAt: usize = 0;
  export const capacity: usize = 4;
  export const candidatesAt: usize = 8;
  export const candidateCount: usize = 12;
  export const queryAt: usize = 16;
  export const pair: usize = 20;
  export const rotatingAt: usize = 24;
  export const bodiesAt: usize = 28;
  export const pointsBytes: usize = 32;
  export const boxesBytes: usize = 36;
  export const facesBytes: usize = 40;
  export const found: usize = 48;
  export const facePairs: usize = 56;
  export const featureTests: usize = 64;
  export const searches: usize = 72;
  export const moments: usize = 80;
  export const earliest: usize = 88;
  export const spare: usize = 96;
  export const SIZE: usize = 128;
}

export namespace FeaturePair {
  export const points: usize = 0;
  export const kind: usize = 16;
  export const a: usize = 20;
  export const b: usize = 24;
  export const faceA: usize = 28;
  export const faceB: usize = 32;
  export const SIZE: usize = 48;
}

export namespace MovingBody {
  export const from: usize = 0;
  export const center: usize = 96;
  export const radius: usize = 120;
  export const facesAt: usize = 128;
  export const edgesAt: usize = 132;
  export const SIZE: usize = 144;
}

export namespace PlaceSweptJob {
  export const sweptAt: usize = 0;
  export const positionsAt: usize = 4;
  export const isPlaced: usize = 8;
  export const sliceCount: usize = 12;
  export const from: usize = 16;
  export const to: usize = 112;
  export const SIZE: usize = 208;
}

export namespace PlanRotationJob {
  export const sweepQueryAt: usize = 0;
  export const bodyA: usize = 4;
  export const bodyB: usize = 8;
  export const substep: usize = 12;
  export const rotatingAt: usize = 16;
  export const SIZE: usize = 32;
}

export namespace RotatingBody {
  export const from: usize = 0;
  export const to: usize = 96;
  export const change: usize = 192;
  export const axis: usize = 264;
  export const angle: usize = 288;
  export const bend: usize = 296;
  export const rounding: usize = 304;
  export const extent: usize = 312;
  export const reach: usize = 320;
  export const edgeLength: usize = 328;
  export const positionsAt: usize = 336;
  export const SIZE: usize = 352;
}

export namespace RotationPlan {
  export const sweepQuery: usize = 0;
  export const options: usize = 128;
  export const rows: usize = 176;
  export const bodyA: usize = 560;
  export const bodyB: usize = 564;
  export const coarse: usize = 568;
  export const fine: usize = 572;
  export const substep: usize = 576;
  export const bend: usize = 584;
  export const rounding: usize = 592;
  export const separation: usize = 600;
  export const tolerance: usize = 608;
  export const resolution: usize = 616;
  export const earliest: usize = 624;
  export const isFirst: usize = 632;
  export const SIZE: usize = 640;
}

export namespace StartFace {
  export const x: usize = 0;
  export const y: usize = 16;
  export const z: usize = 32;
  export const axes: usize = 48;
  export const low: usize = 96;
  export const high: usize = 112;
  export const SIZE: usize = 128;
}

export namespace SweepBodiesJob {
  export const sweepQueryAt: usize = 0;
  export const bodiesAt: usize = 4;
  export const movingAt: usize = 8;
  export const rotatingAt: usize = 12;
  export const largeAt: usize = 16;
  export const boxesAt: usize = 20;
  export const pairsAAt: usize = 24;
  export const pairsBAt: usize = 28;
  export const pairCount: usize = 32;
  export const cursor: usize = 36;
  export const listsAt: usize = 40;
  export const SIZE: usize = 48;
}

export namespace SweepPairsJob {
  export const bodyA: usize = 0;
  export const bodyB: usize = 4;
  export const substep: usize = 8;
  export const sweepQueryAt: usize = 12;
  export const kind: usize = 16;
  export const sweptA: usize = 20;
  export const sweptB: usize = 24;
  export const pairsAAt: usize = 28;
  export const pairsBAt: usize = 32;
  export const pairCount: usize = 36;
  export const cursor: usize = 40;
  export const listsAt: usize = 44;
  export const SIZE: usize = 48;
}

export namespace SweepQuery {
  export const isSelf: usize = 0;
  export const isFirst: usize = 4;
  export const isExact: usize = 8;
  export const atStart: usize = 12;
  export const margin: usize = 16;
  export const faceOptions: usize = 24;
  export const edgeOptions: usize = 72;
  export const SIZE: usize = 128;
}

export namespace SweptMesh {
  export const pointsAt: usize = 0;
  export const vertexCount: usize = 4;
  export const facesAt: usize = 8;
  export const faceCount: usize = 12;
  export const edgesAt: usize = 16;
  export const edgeCount: usize = 20;
  export const boxesAt: usize = 24;
  export const vertexFacesAt: usize = 28;
  export const edgeFacesAt: usize = 32;
  export const startsAt: usize = 36;
  export const SIZE: usize = 48;
}

export namespace TreeDescent {
  export const placements: usize = 0;
  export const treeA: usize = 384;
  export const treeB: usize = 576;
  export const boxesA: usize = 768;
  export const boxesB: usize = 960;
  export const times: usize = 1152;
  export const region: usize = 1216;
  export const meshA: usize = 1248;
  export const meshB: usize = 1252;
  export const startA: usize = 1256;
  export const startB: usize = 1260;
  export const firstA: usize = 1264;
  export const isExact: usize = 1268;
  export const reach: usize = 1272;
  export const spare: usize = 1276;
  export const SIZE: usize = 1280;
}

export namespace LeafLinks {
  export const steps: usize = 0;
  export const unrelated: usize = 16;
  export const SIZE: usize = 32;
}

export namespace LeafVertices {
  export const first: usize = 0;
  export const second: usize = 16;
  export const third: usize = 32;
  export const id: usize = 48;
  export const SIZE: usize = 64;
}

export namespace SelfBoxes {
  export const lowX: usize = 0;
  export const lowY: usize = 16;
  export const lowZ: usize = 32;
  export const highX: usize = 48;
  export const highY: usize = 64;
  export const highZ: usize = 80;
  export const child: usize = 96;
  export const ownPairs: usize = 112;
  export const spare: usize = 116;
  export const SIZE: usize = 128;
}

export namespace SelfTree {
  export const meshAt: usize = 0;
  export const boxesAt: usize = 4;
  export const verticesAt: usize = 8;
  export const slotsAt: usize = 12;
  export const numbersAt: usize = 16;
  export const tableAt: usize = 20;
  export const tableBits: usize = 24;
  export const startsAt: usize = 28;
  export const entriesAt: usize = 32;
  export const sliceCount: usize = 36;
  export const SIZE: usize = 48;
}

export namespace Clearance {
  export const distance: usize = 0;
  export const reach: usize = 8;
  export const surelyNear: usize = 12;
  export const slackA: usize = 16;
  export const slackB: usize = 20;
  export const squareA: usize = 24;
  export const squareB: usize = 28;
  export const SIZE: usize = 32;
}

export namespace DistanceJob {
  export const pairAt: usize = 0;
  export const searchesAt: usize = 4;
  export const frontAt: usize = 8;
  export const frontCapacity: usize = 12;
  export const frontCount: usize = 16;
  export const budget: usize = 20;
  export const swapped: usize = 24;
  export const hintA: usize = 28;
  export const hintB: usize = 32;
  export const weightsA: usize = 36;
  export const weightsB: usize = 48;
  export const unused: usize = 60;
  export const unit: usize = 64;
  export const margin: usize = 72;
  export const spare: usize = 80;
  export const best: usize = 128;
  export const intersects: usize = 136;
  export const cursor: usize = 140;
  export const spare2: usize = 144;
  export const toCommon: usize = 192;
  export const last: usize = 264;
  export const SIZE: usize = 272;
}

export namespace DistanceSearch {
  export const stackAt: usize = 0;
  export const scratchAt: usize = 4;
  export const wideAt: usize = 8;
  export const wideCapacity: usize = 12;
  export const wideCount: usize = 16;
  export const triangleA: usize = 20;
  export const triangleB: usize = 24;
  export const unused: usize = 28;
  export const distance: usize = 32;
  export const points: usize = 40;
  export const boxTests: usize = 88;
  export const leafPairs: usize = 96;
  export const triangleTests: usize = 104;
  export const alongA: usize = 112;
  export const alongB: usize = 148;
  export const offsets: usize = 184;
  export const error: usize = 196;
  export const size: usize = 200;
  export const sizeB: usize = 204;
  export const spare: usize = 208;
  export const SIZE: usize = 256;
}

export namespace MeasureJob {
  export const pairAt: usize = 0;
  export const firstAt: usize = 4;
  export const secondAt: usize = 8;
  export const swapped: usize = 12;
  export const pointsAt: usize = 16;
  export const count: usize = 20;
  export const distancesAt: usize = 24;
  export const nearestAt: usize = 28;
  export const verdictsAt: usize = 32;
  export const scratchAt: usize = 36;
  export const sliceCount: usize = 40;
  export const areIntersecting: usize = 44;
  export const SIZE: usize = 48;
}

export namespace NodePairEntry {
  export const slotA: usize = 0;
  export const slotB: usize = 4;
  export const squaredBound: usize = 8;
  export const unused: usize = 12;
  export const SIZE: usize = 16;
}

export namespace SegmentJob {
  export const aAt: usize = 0;
  export const bAt: usize = 4;
  export const pairCount: usize = 8;
  export const sliceCount: usize = 12;
  export const cornersAt: usize = 16;
  export const meshA: usize = 20;
  export const meshB: usize = 24;
  export const placementA: usize = 28;
  export const placementB: usize = 32;
  export const kindsAt: usize = 36;
  export const startsAt: usize = 40;
  export const pointsAt: usize = 44;
  export const slicesAt: usize = 48;
  export const scratchAt: usize = 52;
  export const SIZE: usize = 64;
}

export namespace SegmentSlice {
  export const first: usize = 0;
  export const capacity: usize = 4;
  export const count: usize = 8;
  export const undecided: usize = 12;
  export const SIZE: usize = 16;
}

export namespace ContactCandidate {
  export const point: usize = 0;
  export const depth: usize = 24;
  export const name: usize = 32;
  export const contact: usize = 36;
  export const SIZE: usize = 48;
}

export namespace Manifold {
  export const normal: usize = 0;
  export const points: usize = 24;
  export const depths: usize = 120;
  export const features: usize = 152;
  export const pair: usize = 168;
  export const count: usize = 172;
  export const SIZE: usize = 176;
}

export namespace ManifoldJob {
  export const pairsAt: usize = 0;
  export const swappedAt: usize = 4;
  export const startsAt: usize = 8;
  export const aAt: usize = 12;
  export const bAt: usize = 16;
  export const slicesAt: usize = 20;
  export const SIZE: usize = 32;
}

export namespace ManifoldSlice {
  export const begin: usize = 0;
  export const end: usize = 4;
  export const manifoldsAt: usize = 8;
  export const capacity: usize = 12;
  export const count: usize = 16;
  export const contactsAt: usize = 20;
  export const candidatesAt: usize = 24;
  export const lastOfBAt: usize = 28;
  export const clipAt: usize = 32;
  export const aAt: usize = 36;
  export const bAt: usize = 40;
  export const meshA: usize = 44;
  export const meshB: usize = 48;
  export const placementA: usize = 52;
  export const placementB: usize = 56;
  export const signA: usize = 64;
  export const signB: usize = 72;
  export const SIZE: usize = 80;
}

export namespace TriangleContact {
  export const normal: usize = 0;
  export const axis: usize = 24;
  export const depth: usize = 48;
  export const tolerance: usize = 56;
  export const manifoldDepth: usize = 64;
  export const manifoldSize: usize = 72;
  export const keptCount: usize = 76;
  export const resolver: usize = 80;
  export const firstCandidate: usize = 84;
  export const candidateCount: usize = 88;
  export const isAligned: usize = 92;
  export const root: usize = 96;
  export const next: usize = 100;
  export const first: usize = 104;
  export const last: usize = 108;
  export const assigned: usize = 112;
  export const lastOfA: usize = 116;
  export const previousOfA: usize = 120;
  export const previousOfB: usize = 124;
  export const SIZE: usize = 128;
}

export namespace NearTriangle {
  export const triangle: usize = 0;
  export const unused: usize = 4;
  export const distance: usize = 8;
  export const point: usize = 16;
  export const SIZE: usize = 48;
}

export namespace PointsJob {
  export const meshAt: usize = 0;
  export const pointsAt: usize = 4;
  export const pointCount: usize = 8;
  export const trianglesAt: usize = 12;
  export const distancesAt: usize = 16;
  export const nearestAt: usize = 20;
  export const sidesAt: usize = 24;
  export const slicesAt: usize = 28;
  export const limit: usize = 32;
  export const listAt: usize = 40;
  export const listCapacity: usize = 44;
  export const listCount: usize = 48;
  export const unused: usize = 52;
  export const bounds: usize = 64;
  export const spare: usize = 88;
  export const cursor: usize = 128;
  export const last: usize = 132;
  export const SIZE: usize = 192;
}

export namespace PointsSlice {
  export const stackAt: usize = 0;
  export const scratchAt: usize = 4;
  export const undecidedCount: usize = 8;
  export const spare: usize = 12;
  export const SIZE: usize = 64;
}

export namespace ChainBody {
  export const joint: usize = 0;
  export const unused: usize = 4;
  export const rows: usize = 16;
  export const SIZE: usize = 112;
}

export namespace ChainJoint {
  export const parent: usize = 0;
  export const kind: usize = 4;
  export const valueIndex: usize = 8;
  export const unused: usize = 12;
  export const axis: usize = 16;
  export const rows: usize = 40;
  export const SIZE: usize = 144;
}

export namespace ChainRecord {
  export const jointCount: usize = 0;
  export const jointsAt: usize = 4;
  export const bodyCount: usize = 8;
  export const bodiesAt: usize = 12;
  export const valueCount: usize = 16;
  export const SIZE: usize = 32;
}

export namespace EdgesRecord {
  export const fromAt: usize = 0;
  export const toAt: usize = 4;
  export const edgeCount: usize = 8;
  export const wantsAny: usize = 12;
  export const leversAt: usize = 16;
  export const travelsAt: usize = 20;
  export const sizesAt: usize = 24;
  export const timesAt: usize = 28;
  export const firstAt: usize = 32;
  export const treeReachesAt: usize = 36;
  export const tolerance: usize = 40;
  export const growth: usize = 48;
  export const SIZE: usize = 64;
}

export namespace PlaceChainJob {
  export const chainAt: usize = 0;
  export const valuesAt: usize = 4;
  export const framesAt: usize = 8;
  export const matricesAt: usize = 12;
  export const poseCount: usize = 16;
  export const SIZE: usize = 32;
}

export namespace PoseSlice {
  export const listAt: usize = 0;
  export const bodiesAt: usize = 4;
  export const boxesAt: usize = 8;
  export const pairAt: usize = 12;
  export const frontAt: usize = 16;
  export const orderAt: usize = 20;
  export const hit: usize = 24;
  export const invalidPose: usize = 28;
  export const near: usize = 32;
  export const poses: usize = 40;
  export const tolerance: usize = 48;
  export const limits: usize = 56;
  export const framesAt: usize = 88;
  export const matricesAt: usize = 92;
  export const valuesAt: usize = 96;
  export const speedsAt: usize = 100;
  export const listsAt: usize = 104;
  export const distanceAt: usize = 108;
  export const boundsAt: usize = 112;
  export const spare: usize = 116;
  export const SIZE: usize = 128;
}

export namespace PosesJob {
  export const fixedAt: usize = 0;
  export const fixedBoxesAt: usize = 4;
  export const movingCount: usize = 8;
  export const pairsAt: usize = 12;
  export const pairCount: usize = 16;
  export const posesAt: usize = 20;
  export const isDouble: usize = 24;
  export const poseCount: usize = 28;
  export const want: usize = 32;
  export const hitsAt: usize = 36;
  export const undecidedAt: usize = 40;
  export const firstAt: usize = 44;
  export const eachAt: usize = 48;
  export const slicesAt: usize = 52;
  export const packTableAt: usize = 56;
  export const areShared: usize = 60;
  export const clearance: usize = 64;
  export const chainAt: usize = 72;
  export const edgesAt: usize = 76;
  export const distancesAt: usize = 80;
  export const spare2: usize = 84;
  export const max: usize = 88;
  export const spare: usize = 96;
  export const cursor: usize = 128;
  export const unused: usize = 132;
  export const SIZE: usize = 192;
}

export namespace CastTarget {
  export const rows: usize = 0;
  export const frameError: usize = 96;
  export const originError: usize = 104;
  export const size: usize = 112;
  export const meshAt: usize = 120;
  export const placementAt: usize = 124;
  export const nodesAt: usize = 128;
  export const body: usize = 132;
  export const SIZE: usize = 144;
}

export namespace LocalRay {
  export const origin: usize = 0;
  export const direction: usize = 24;
  export const inverseSquare: usize = 48;
  export const shift: usize = 56;
  export const rate: usize = 64;
  export const error: usize = 72;
  export const slack: usize = 80;
  export const floatOrigin: usize = 88;
  export const inverse: usize = 100;
  export const absInverse: usize = 112;
  export const floatSlack: usize = 124;
  export const floatDirection: usize = 128;
  export const near: usize = 140;
  export const SIZE: usize = 144;
}

export namespace RayHit {
  export const time: usize = 0;
  export const triangle: usize = 8;
  export const target: usize = 12;
  export const SIZE: usize = 16;
}

export namespace RayJob {
  export const originsAt: usize = 0;
  export const directionsAt: usize = 4;
  export const maxAt: usize = 8;
  export const rayCount: usize = 12;
  export const want: usize = 16;
  export const side: usize = 20;
  export const targetsAt: usize = 24;
  export const topAt: usize = 28;
  export const triangleAt: usize = 32;
  export const bodyAt: usize = 36;
  export const timesAt: usize = 40;
  export const countAt: usize = 44;
  export const blocksAt: usize = 48;
  export const slicesAt: usize = 52;
  export const unused: usize = 56;
  export const cursor: usize = 64;
  export const spare: usize = 68;
  export const SIZE: usize = 128;
}

export namespace RaySlice {
  export const ray: usize = 0;
  export const max: usize = 48;
  export const zero: usize = 56;
  export const bestTime: usize = 80;
  export const bestError: usize = 88;
  export const bestUpper: usize = 96;
  export const bestCorners: usize = 104;
  export const corners: usize = 184;
  export const bestTriangle: usize = 264;
  export const bestTarget: usize = 268;
  export const count: usize = 272;
  export const isDone: usize = 276;
  export const localsAt: usize = 280;
  export const topStackAt: usize = 284;
  export const stackAt: usize = 288;
  export const workAt: usize = 292;
  export const hitsAt: usize = 296;
  export const hitCapacity: usize = 300;
  export const hitCount: usize = 304;
  export const undecidedAt: usize = 308;
  export const undecidedCapacity: usize = 312;
  export const undecidedCount: usize = 316;
  export const invalidRay: usize = 320;
  export const rayNumber: usize = 324;
  export const spare: usize = 328;
  export const SIZE: usize = 384;
}

export namespace LocalShape {
  export const origin: usize = 0;
  export const shift: usize = 24;
  export const motion: usize = 48;
  export const extent: usize = 72;
  export const slack: usize = 96;
  export const begin: usize = 104;
  export const rate: usize = 112;
  export const half: usize = 120;
  export const floatOrigin: usize = 132;
  export const inverse: usize = 144;
  export const absInverse: usize = 156;
  export const SIZE: usize = 176;
}

export namespace MovingFrame {
  export const rows: usize = 0;
  export const error: usize = 96;
  export const SIZE: usize = 112;
}

export namespace ShapeBodiesJob {
  export const box: usize = 0;
  export const recordsAt: usize = 48;
  export const boxesAt: usize = 52;
  export const slotCount: usize = 56;
  export const group: usize = 60;
  export const mask: usize = 64;
  export const slotsAt: usize = 68;
  export const chosenCount: usize = 72;
  export const SIZE: usize = 80;
}

export namespace ShapeJob {
  export const start: usize = 0;
  export const segment: usize = 24;
  export const radius: usize = 48;
  export const motion: usize = 56;
  export const axes: usize = 80;
  export const bestTime: usize = 152;
  export const bestSeparation: usize = 160;
  export const bestPoint: usize = 168;
  export const bestNormal: usize = 192;
  export const work: usize = 216;
  export const kind: usize = 984;
  export const want: usize = 988;
  export const ignoresSeparating: usize = 992;
  export const targetsAt: usize = 996;
  export const targetCount: usize = 1000;
  export const bestTriangle: usize = 1004;
  export const bestTarget: usize = 1008;
  export const movingAt: usize = 1012;
  export const movingPlacementAt: usize = 1016;
  export const framesAt: usize = 1020;
  export const bestMoving: usize = 1024;
  export const localAt: usize = 1028;
  export const stackAt: usize = 1032;
  export const hitsAt: usize = 1036;
  export const hitCapacity: usize = 1040;
  export const hitCount: usize = 1044;
  export const undecidedAt: usize = 1048;
  export const undecidedCapacity: usize = 1052;
  export const undecidedCount: usize = 1056;
  export const unused: usize = 1060;
  export const SIZE: usize = 1072;
}

export namespace FillSpheresJob {
  export const meshAt: usize = 0;
  export const spheresAt: usize = 4;
  export const thresholdsAt: usize = 8;
  export const thresholdCount: usize = 12;
  export const scratchAt: usize = 16;
  export const scratchBytes: usize = 20;
  export const sliceCount: usize = 24;
  export const SIZE: usize = 32;
}

export namespace RelateSpheresJob {
  export const pairsAt: usize = 0;
  export const SIZE: usize = 16;
}

export namespace RoundJob {
  export const pairsAt: usize = 0;
  export const listsAt: usize = 4;
  export const packTableAt: usize = 8;
  export const hitsAt: usize = 12;
  export const tasksAt: usize = 16;
  export const tasksStride: usize = 20;
  export const taskCount: usize = 24;
  export const nextAt: usize = 28;
  export const nextStride: usize = 32;
  export const nextCountsAt: usize = 36;
  export const capacity: usize = 40;
  export const sliceCount: usize = 44;
  export const SIZE: usize = 48;
}

export namespace SphereCounts {
  export const tests: usize = 0;
  export const passed: usize = 8;
  export const boxBox: usize = 16;
  export const boxSphere: usize = 24;
  export const sphereBox: usize = 32;
  export const SIZE: usize = 48;
}

export namespace SphereNode {
  export const centerX: usize = 0;
  export const centerY: usize = 16;
  export const centerZ: usize = 32;
  export const radius: usize = 48;
  export const SIZE: usize = 64;
}

export namespace SpherePair {
  export const spheresA: usize = 0;
  export const spheresB: usize = 4;
  export const countsAt: usize = 8;
  export const listBytes: usize = 12;
  export const stretch: usize = 16;
  export const slack: usize = 20;
  export const backStretch: usize = 24;
  export const backSlack: usize = 28;
  export const SIZE: usize = 32;
}

export const ESTIMATED: u32 = 4294967294;
export const ERROR_AT: u32 = 160;
export const SAH_DEPTH: u32 = 48;
export const NOTHING: u32 = 4294967295;
export const LEAF_BIT: u32 = 2147483648;
export const WIDTH: u32 = 4;
export const PAIR_ENTRY_BYTES: u32 = 12;
export const WEIGHT_VOLUME: u32 = 0;
export const WEIGHT_ROOT: u32 = 1;
export const WEIGHT_DEPTH: u32 = 2;
export const LEAF_PAIR_COST: u32 = 12;
export const WEIGHT_BUCKETS: u32 = 2048;
export const BATCH: u32 = 32;
export const LEAF_CHUNK: u32 = 32;
export const LEAF_RING: u32 = 48;
export const BLOCK_BYTES: u32 = 176;
export const CANDIDATE_STRIDE: u32 = 3104;
export const EXACT_SCRATCH_BYTES: u32 = 5632;
export const APART: u32 = 0;
export const INTERSECT: u32 = 1;
export const TOO_WIDE: u32 = 2;
export const STACK_DEPTH: u32 = 80;
export const ABSENT: u32 = 0;
export const HAS_TRIANGLES: u32 = 1;
export const NO_TRIANGLES: u32 = 2;
export const GROW_SCRATCH_BYTES: u32 = 16384;
export const BINS_BYTES: u32 = 3456;
export const CORNERS_BYTES: u32 = 52;
export const CORNERS_SLOT: u32 = 48;
export const SORT_TABLE_BYTES: u32 = 1024;
export const DIGIT_BUCKETS: u32 = 2048;
export const DIGIT_BITS: u32 = 11;
export const BOX_BITS: u32 = 27;
export const BEFORE_CELL: u32 = 1;
export const BEFORE_SLAB: u32 = 2;
export const BEFORE_COLUMN: u32 = 4;
export const FIRST_SET: u32 = 8;
export const SECOND_SET: u32 = 16;
export const PASSIVE: u32 = 8;
export const MAX_SLABS: u32 = 1024;
export const SWEEP_BUCKET_BITS: u32 = 11;
export const SLAB_COLUMNS: u32 = 1024;
export const BOXES_PER_COLUMN: u32 = 8;
export const SWEEP_CELLS: u32 = 32752;
export const TILE: u32 = 2048;
export const TILE_STRIDE: u32 = 4160;
export const MAX_BLOCKS: u32 = 1024;
export const MAX_FOUND: u32 = 1024;
export const CELL_BATCH: u32 = 64;
export const OCTREE_LEVELS: u32 = 9;
export const OCTREE_CELLS: u32 = 512;
export const LEVEL_BITS: u32 = 4;
export const OCTANT_CHUNK: u32 = 1024;
export const NEAR_CELLS: u32 = 128;
export const LOOKUP_BLOCK: u32 = 64;
export const MAX_BUCKET_SIZE: u32 = 64;
export const EMPTY_BOX: u32 = 1073741824;
export const LARGE_BOX: u32 = 2147483648;
export const BOX_TASKS: u32 = 512;
export const SORTED: u32 = 0;
export const FULL: u32 = 1;
export const OVER: u32 = 2;
export const SORT_BUCKETS: u32 = 2048;
export const SORT_BITS: u32 = 11;
export const MAX_PASSED: u32 = 256;
export const RUN_DIGITS: u32 = 3;
export const SUPPORT_CELLS: u32 = 16;
export const SUPPORT_EDGE: u32 = 17;
export const SUPPORT_OCTANT: u32 = 289;
export const SUPPORT_ENTRIES: u32 = 2312;
export const SUPPORT_BYTES: u32 = 9264;
export const CLEAR: u32 = 0;
export const NEAR: u32 = 1;
export const REACHED: u32 = 2;
export const MAX_WAITING: u32 = 62;
export const MAX_MOMENTS: u32 = 256;
export const SWEEP_SCRATCH_BYTES: u32 = 10752;
export const QUERIES_PER_BLOCK: u32 = 64;
export const QUERY_BLOCK_BYTES: u32 = 16000;
export const OWN_BIT: u32 = 2147483648;
export const VERTEX_FACE: u32 = 0;
export const FACE_VERTEX: u32 = 1;
export const EDGE_EDGE: u32 = 2;
export const START: u32 = 3;
export const FEATURE_PAIRS: u32 = 512;
export const PAIR_CHUNK: u32 = 4096;
export const MIN_LARGE: u32 = 1048576;
export const LARGE_FACTOR: u32 = 64;
export const LINKED_LEAVES: u32 = 8;
export const LINKS_AT: u32 = 96;
export const UPPER_TRIANGLE: u32 = 63281;
export const STRICT_UPPER_TRIANGLE: u32 = 29456;
export const DIAGONAL: u32 = 33825;
export const MEASURE_BYTES: u32 = 6656;
export const DISTANCE_SEARCH_BYTES: u32 = 8192;
export const DISJOINT: u32 = 0;
export const CROSS: u32 = 1;
export const TOUCH_POINT: u32 = 2;
export const TOUCH_SEGMENT: u32 = 3;
export const COPLANAR_SAME: u32 = 4;
export const COPLANAR_OPPOSITE: u32 = 5;
export const UNDECIDED: u32 = 6;
export const SEGMENT_SCRATCH_BYTES: u32 = 28672;
export const MAX_CANDIDATES: u32 = 6;
export const CLIP_BYTES: u32 = 2048;
export const POINT_ENTRY_BYTES: u32 = 8;
export const POINT_SCRATCH_BYTES: u32 = 8192;
export const POINT_BLOCK: u32 = 64;
export const UNDECIDED_TRIANGLE: u32 = 4294967294;
export const OUTSIDE: u32 = 0;
export const INSIDE: u32 = 1;
export const ON_SURFACE: u32 = 2;
export const WANT_ANY: u32 = 0;
export const WANT_FIRST: u32 = 1;
export const WANT_EACH: u32 = 2;
export const WANT_DISTANCE: u32 = 3;
export const POSE_BOX_BYTES: u32 = 32;
export const JOINT_FIXED: u32 = 0;
export const JOINT_REVOLUTE: u32 = 1;
export const JOINT_PRISMATIC: u32 = 2;
export const FRAME_BYTES: u32 = 96;
export const UNDECIDED_EDGE: u32 = 4294967294;
export const MAX_EDGE_LEVEL: u32 = 28;
export const COARSE_LEVELS: u32 = 4;
export const RAY_CLOSEST: u32 = 0;
export const RAY_ANY: u32 = 1;
export const RAY_COUNT: u32 = 2;
export const RAY_ALL: u32 = 3;
export const RAY_BOTH: u32 = 0;
export const RAY_FRONT: u32 = 1;
export const RAY_BACK: u32 = 2;
export const RAY_BLOCK: u32 = 64;
export const RAY_STACK_BYTES: u32 = 8;
export const RAY_WORK_BYTES: u32 = 65536;
export const SHAPE_CAPSULE: u32 = 0;
export const SHAPE_BOX: u32 = 1;
export const SHAPE_MESH: u32 = 2;
export const SHAPE_FIRST: u32 = 0;
export const SHAPE_ANY: u32 = 1;
export const SHAPE_ALL: u32 = 2;
export const SHAPE_STACK_BYTES: u32 = 8;
