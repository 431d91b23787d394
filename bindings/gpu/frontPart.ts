// Selects a part of the nodes of a starting front, spread evenly, because neighboring nodes have similar
// costs.

/** Max number of nodes of a starting front that is split. */
export const FRONT_NODES = 4 ** 6;

/** The name identifies the selection: fronts of equal size have equal selections of the same name. */
export interface FrontPart {
  name: string;
  has(node: number): boolean;
}

/** Selects about share / steps of the nodes. A larger share selects the same nodes and more. */
export function frontPart(share: number, steps: number): FrontPart {
  return { name: `${share}/${steps}`, has: node => (Math.imul(node, 0x9e3779b1) >>> 16) % steps < share };
}
