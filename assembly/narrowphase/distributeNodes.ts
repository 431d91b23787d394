// Distributes the nodes of a front to lists of nearly equal weight (Zhang and Kim 2014, section 3.3). Takes the
// nodes in the order of their weights, beginning with the heaviest, and gives each node to the list whose nodes
// have the smallest total weight so far.

import { DistributeJob, FrontNode, ListRecord, WEIGHT_BUCKETS } from '../records';

/**
 * Number of low bits of a weight that do not affect its bucket. Nodes are sorted only into buckets of similar
 * weights, because a full sort does not improve the balance. The exponent and the three leading bits of the
 * mantissa remain, so the weights in a bucket differ by less than 12.5 %.
 */
const BUCKET_SHIFT: u32 = 20;

/** Runs on one thread; `begin` and `end` are ignored. Sets the order of each list. */
export function distributeNodes(jobAt: usize, begin: u32, end: u32): void {
  const front: usize = load<u32>(jobAt, DistributeJob.frontAt);
  const records: usize = load<u32>(jobAt, DistributeJob.listsAt);
  // Nodes and lists are numbered 0, 4, 8 and so on, so that a number is also the byte offset of a word in an
  // array.
  const nodes = (<usize>load<u32>(jobAt, DistributeJob.frontCount)) << 2;
  const lists = (<usize>load<u32>(jobAt, DistributeJob.listCount)) << 2;
  const order: usize = load<u32>(jobAt, DistributeJob.orderAt);
  const inOrder: usize = load<u32>(jobAt, DistributeJob.scratchAt);
  const byWeight = inOrder + nodes;
  const keys = byWeight + nodes;
  const buckets = keys + nodes;
  const byLoad = buckets + (WEIGHT_BUCKETS << 2);
  const loads = byLoad + lists;
  const ends = loads + lists;
  for (let node: usize = 0; node < nodes; node += 4) {
    // Heavier nodes have lower keys. The sign bit is ignored, so every weight has a bucket.
    const bits = load<u32>(front + node * (FrontNode.SIZE / 4), FrontNode.cost) & 0x7fffffff;
    store<u32>(keys + node, (WEIGHT_BUCKETS - 1 - (bits >> BUCKET_SHIFT)) << 2);
    store<u32>(inOrder + node, <u32>node);
  }
  sortNodes(inOrder, nodes, keys, buckets, WEIGHT_BUCKETS << 2, byWeight);
  for (let list: usize = 0; list < lists; list += 4) {
    store<u32>(byLoad + list, <u32>list);
    store<f32>(loads + list, 0);
  }
  for (let k: usize = 0; k < nodes; k += 4) {
    const node = <usize>load<u32>(byWeight + k);
    const list = <usize>load<u32>(byLoad);
    const sum = load<f32>(loads + list) + load<f32>(front + node * (FrontNode.SIZE / 4), FrontNode.cost);
    store<f32>(loads + list, sum);
    store<u32>(keys + node, <u32>list);
    // Move the list behind all lists whose loads are not larger.
    let at = byLoad + 4;
    for (; at < loads && load<f32>(loads + load<u32>(at)) <= sum; at += 4) store<u32>(at - 4, load<u32>(at));
    store<u32>(at - 4, <u32>list);
  }
  sortNodes(load<u32>(jobAt, DistributeJob.isInOrder) ? inOrder : byWeight, nodes, keys, ends, lists, order);
  for (let at = order; at < order + nodes; at += 4) store<u32>(at, load<u32>(at) >> 2);
  let start = order;
  for (let i: usize = 0; i < lists; i += 4) {
    const record = records + i * (ListRecord.SIZE / 4);
    const end: usize = load<u32>(ends + i);
    store<u32>(record, <u32>start, ListRecord.orderAt);
    store<u32>(record, <u32>((end - start) >> 2), ListRecord.orderCount);
    start = end;
  }
}

// Sorts the nodes at `from` by their keys with a counting sort, and writes them to `to`. A key is a multiple
// of 4 below `size`. Nodes with the same key keep their order. Afterwards, the word at ends + key is the
// address after the last node with this key.
function sortNodes(from: usize, nodes: usize, keys: usize, ends: usize, size: usize, to: usize): void {
  memory.fill(ends, 0, size);
  for (let k: usize = 0; k < nodes; k += 4) {
    const at = ends + load<u32>(keys + k);
    store<u32>(at, load<u32>(at) + 4);
  }
  for (let at = ends; at < ends + size; at += 4) {
    const bytes = load<u32>(at);
    store<u32>(at, <u32>to);
    to += bytes;
  }
  for (let k: usize = 0; k < nodes; k += 4) {
    const node = load<u32>(from + k);
    const at = ends + load<u32>(keys + node);
    const place = load<u32>(at);
    store<u32>(place, node);
    store<u32>(at, place + 4);
  }
}
