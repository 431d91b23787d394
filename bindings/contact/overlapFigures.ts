// Types for the figures, such as lengths and volumes, of the overlap and of the contact of two placed meshes.

import type { ProvenBounds } from './volume/faceSums.js';

/**
 * The size of the contact of two placed meshes. The surface of a mesh is the union of its triangles; the
 * contact is the set of the points that both surfaces share. Where a surface crosses, overlaps or repeats
 * itself, each point counts once. The meshes need not be closed.
 */
export interface ContactFigures {
  /**
   * The length of the curves in which the surfaces cross or touch, outside of the areas that they share, in
   * units of the common frame. The border of a shared area does not count. Only with the option `contactSize`.
   */
  contactLength?: ProvenBounds;
  /**
   * The area that the surfaces share, in square units of the common frame. Only with the option `contactSize`.
   */
  contactArea?: ProvenBounds;
}

/**
 * Figures of the overlap and of the contact of two placed meshes. They hold for the whole pair, even if the
 * pair has several contact regions. For the figures of one region, see RegionFigures.
 */
export interface OverlapFigures extends ContactFigures {
  /**
   * How deeply the solids overlap: the diameter of the largest ball that lies in both solids and crosses no
   * triangle. In units of the common frame. Only with the option `overlapDepth`, and only if both meshes are
   * closed.
   */
  overlapDepth?: OverlapDepth;
  /**
   * The length of the shortest translation of A after which the solids do not overlap, in units of the common
   * frame. Only with the option `overlapDepth`, and only if both meshes are closed. `lower` is
   * `overlapDepth.lower`: a ball in both solids keeps them from separating until A has moved by the ball's
   * diameter. `upper` is the length of a translation that is proven to separate the solids. If there is at most
   * one contact region, `upper` is the `depth` that `classify` returns, plus a bound on its rounding error.
   */
  separation?: ProvenBounds;
  /**
   * The volume of the common solid, in cubic units of the common frame. Only with the option `volume`, and only
   * if both meshes are closed. If all shells of a mesh face outward, or all face inward, a region in which
   * shells of this mesh overlap counts once for each of these shells. In this case, the bounds assume that no
   * shell turns itself inside out by intersecting itself. If shells face in different directions, for example
   * because the solid has a cavity, the mesh must be proven to wind once: its winding number must be 0 or 1
   * everywhere, or 0 or -1 everywhere. Without this proof, the volume is missing if the solids overlap. It is
   * also missing if its upper bound is less than the volume of a ball with the diameter `overlapDepth.lower`.
   */
  volume?: ProvenBounds;
}

/**
 * Figures of one contact region. The common solid may have several components, which share no points. The
 * overlap depth and the volume are those of the component that the region bounds; where the solids only touch,
 * both are 0, up to rounding errors. If this component cannot be told apart from other ones,
 * `overlapDepth.lower` is proven for the region's own component, `overlapDepth.upper` holds for all of these
 * components, and the volume is missing.
 */
export interface RegionFigures extends Pick<OverlapFigures, 'overlapDepth' | 'volume'>, ContactFigures {
  /**
   * The number of the component: regions with the same number bound the same component, or components that
   * cannot be told apart. A region in which the solids only touch counts as a component. Only if the figures of
   * the pair include `overlapDepth` or `volume`.
   */
  component?: number;
}

/**
 * Bounds of the depth to which two solids overlap, in units of the common frame. Both bounds hold for the
 * placed vertices, whose positions are computed in doubles.
 */
export interface OverlapDepth {
  /**
   * The diameter of a ball that lies in both solids, proven in exact arithmetic; 0 if no such ball was found.
   */
  lower: number;
  /**
   * No ball in both solids has a larger diameter. This bound includes the rounding errors of the search: 2^-42
   * of the largest coordinate. It is at most 1 % above `lower`, unless the search ends early or leaves out
   * triangles: see `depthBudget`, and the guide "Contacts".
   */
  upper: number;
  /** The center of the ball with the diameter `lower`, in the common frame. Omitted if `lower` is 0. */
  center?: [number, number, number];
}
