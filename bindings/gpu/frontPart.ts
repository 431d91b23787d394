// A part of a starting front: nodes by their numbers, spread evenly, since those beside each other cost
// alike.

/** A starting front that is parted has up to 4^6 nodes. */
export const FRONT_NODES = 4 ** 6;

/** name: of the same nodes for all fronts of one size. */
export interface FrontPart {
  name: string;
  has(node: number): boolean;
}

/** About so many of `steps` nodes: those of one step more are these, and others. */
export function frontPart(share: number, steps: number): FrontPart {
  return { name: `${share}/${steps}`, has: node => (Math.imul(node, 0x9e3779b1) >>> 16) % steps < share };
}
