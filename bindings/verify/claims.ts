// Defines the types of `verify` and `verifyModel`: the claims that they check, and the verdict that they
// return.

/** A mesh as it was passed to `createMesh`. */
export interface VerifiableMesh {
  /** x, y, z of each vertex, in any unit, in the mesh's own frame. */
  positions: Float32Array | Float64Array;
  /** Three vertex numbers per triangle. Default: 0, 1, 2, ... */
  indices?: ArrayLike<number>;
}

/** A mesh and its placement. */
export interface VerifiablePart extends VerifiableMesh {
  /** Placement of the part in the common frame: 16 numbers, column-major. Default: the identity. */
  transform?: ArrayLike<number>;
}

/** Triangle pairs: triangle a[i] of mesh A and triangle b[i] of mesh B share a point. */
export interface VerifiablePairs {
  /** Triangles of A. */
  a: ArrayLike<number>;
  /** Triangles of B. */
  b: ArrayLike<number>;
}

/** Two parts a < b that share a point, and all pairs of their triangles that share a point. */
export interface VerifiableClash {
  /** The number of the first part. */
  a: number;
  /** The number of the second part. */
  b: number;
  /** The pairs of triangles that share a point; each pair has one triangle of part a and one of part b. */
  pairs: VerifiablePairs;
}

/** A certificate of a model, as `pfront clash --certify` writes it. */
export interface VerifiableModelCertificate {
  /** The version of the format. */
  version: number;
  /**
   * The numbers of all parts, in an order in which the parts below each node of the tree of parts are
   * consecutive.
   */
  partOrder: Uint32Array;
  /**
   * For each part: the numbers of its triangles, in an order in which the triangles below each node of its tree
   * are consecutive.
   */
  orders: Uint32Array[];
  /** One byte per step: see the guide Certificates. */
  steps: Uint8Array;
}

/** A certificate, as `query` returns it. */
export interface VerifiableCertificate {
  /** The version of the format. */
  version: number;
  /**
   * The numbers of all triangles of mesh A, in an order in which the triangles below each node of its tree are
   * consecutive.
   */
  orderA: Uint32Array;
  /**
   * The numbers of all triangles of mesh B, in an order in which the triangles below each node of its tree are
   * consecutive.
   */
  orderB: Uint32Array;
  /** One byte per step: see the guide Certificates. */
  steps: Uint8Array;
}

/** A query, its result and its certificate. */
export interface Claim {
  /** Mesh A. */
  a: VerifiableMesh;
  /** Mesh B. */
  b: VerifiableMesh;
  /** Placement of A in the common frame: 16 numbers, column-major. Default: the identity. */
  transformA?: ArrayLike<number>;
  /** Placement of B in the common frame, in the same format. Default: the identity. */
  transformB?: ArrayLike<number>;
  /** The result. The order of the pairs does not matter. */
  pairs: VerifiablePairs;
  /** The certificate. */
  certificate: VerifiableCertificate;
}

/** The parts of a model, the pairs of parts that share a point, and a certificate. */
export interface ModelClaim {
  /** The parts. Each has at least one triangle. */
  parts: VerifiablePart[];
  /** The pairs of parts that share a point, each with its triangle pairs. */
  clashes: VerifiableClash[];
  /** The certificate. */
  certificate: VerifiableModelCertificate;
}

/** The result of `verify` or `verifyModel`. */
export interface Verdict {
  /** Whether the certificate proves that the claimed pairs, and no others, share a point. */
  isValid: boolean;
  /** The first problem that was found; empty if the certificate is valid. */
  problem: string;
  /** Number of steps that were read. */
  steps: number;
  /** Number of pairs of nodes whose boxes are apart. */
  boxes: number;
  /** Number of pairs of triangles that are apart. */
  triangles: number;
  /** Number of pairs of triangles that share a point. */
  common: number;
}
