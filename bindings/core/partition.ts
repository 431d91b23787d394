// Distributes a few weighted items to parts of nearly equal weight: subtrees to threads, and boxes to GPUs.
// The kernel `distributeNodes` distributes the nodes of a front in the same way.

/**
 * Returns the items of each part, heaviest first. Item i has the weight weights[i]. The heaviest items are
 * assigned first, each to the part with the least weight so far (Zhang and Kim 2014, section 3.3).
 */
export function partition(weights: number[] | Float32Array, parts: number): number[][] {
  const lists = Array.from({ length: parts }, (): number[] => []);
  const loads = new Float64Array(parts);
  for (const item of weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a])) {
    const lightest = loads.indexOf(Math.min(...loads));
    lists[lightest].push(item);
    loads[lightest] += weights[item];
  }
  return lists;
}
