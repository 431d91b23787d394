// Selects a fraction of the nodes of a starting front (the pairs of boxes from which a query starts). The
// selected nodes are spread evenly, because neighboring nodes have similar costs.

/** Max number of nodes of a starting front that is split between the GPU and the CPU. */
export const MAX_FRONT_NODES = 4 ** 6;

/**
 * A selection of nodes, given by their numbers in the front. Selections with the same name contain the same
 * node numbers.
 */
export interface FrontSelection {
  name: string;
  has(node: number): boolean;
}

/**
 * Selects about numerator / denominator of the nodes. If the numerator is increased, the nodes that were
 * selected before stay selected.
 */
export function selectFront(numerator: number, denominator: number): FrontSelection {
  return {
    name: `${numerator}/${denominator}`,
    has: node => (Math.imul(node, 0x9e3779b1) >>> 16) % denominator < numerator,
  };
}
