// Selects a part of the nodes of a starting front, spread evenly, because neighboring nodes have similar
// costs.

/** Max number of nodes of a starting front that is split. */
export const MAX_FRONT_NODES = 4 ** 6;

/**
 * A selection of nodes, given by their numbers in the front. Selections with the same name contain the same
 * numbers.
 */
export interface FrontPart {
  name: string;
  has(node: number): boolean;
}

/** Selects about share / steps of the nodes. A larger share selects the same nodes and more. */
export function frontPart(numerator: number, denominator: number): FrontPart {
  return {
    name: `${numerator}/${denominator}`,
    has: node => (Math.imul(node, 0x9e3779b1) >>> 16) % denominator < numerator,
  };
}
