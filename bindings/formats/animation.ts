// Defines what a reader returns about the nodes of a scene and the animations that move them.

/** A node of a scene. Its placement is relative to its parent. */
export interface SceneNode {
  /** Undefined if the file gives no name. */
  name: string | undefined;
  /** Index of the parent; undefined for a root. */
  parent: number | undefined;
  /** The placement as 16 doubles, column-major, if the file stores a matrix. */
  matrix: Float64Array | undefined;
  translation: number[];
  /** A unit quaternion x, y, z, w. */
  rotation: number[];
  scale: number[];
  /** The joints of the node's skin: the nodes that place the vertices of its mesh. Empty without a skin. */
  joints: number[];
}

export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

/** The values of one property of a node over time. */
export interface AnimationChannel {
  /** The place in the file, for error messages. */
  where: string;
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
  interpolation: Interpolation;
  /** Ascending times of the keys, in seconds. */
  times: Float64Array;
  /**
   * The value of each key: three numbers, or four for a rotation. With CUBICSPLINE, each key has three
   * vectors of this length: the incoming tangent, the value and the outgoing tangent. Empty for weights.
   */
  values: Float64Array;
}

export interface SceneAnimation {
  /** Undefined if the file gives no name. */
  name: string | undefined;
  channels: AnimationChannel[];
}

/** The nodes and animations of a file. */
export interface AnimatedScene {
  nodes: SceneNode[];
  animations: SceneAnimation[];
}
