// Deforms meshes of glTF files by their skins, in the pose that the nodes of the file have: each vertex is
// moved by the weighted mean of the matrices of its joints.
import type { Accessors } from './gltfAccessors.js';
import { type JsonObject, objectsOf, referenceOf, referencesOf, refuse } from './gltfJson.js';
import type { MemoryBudget } from './memoryBudget.js';
import { multiplyAffine } from './transforms.js';

/** The indices of two accessors: for each vertex, up to four joints that move it, and their weights. */
export interface Influence {
  joints: number;
  weights: number;
}

/** A skin in the pose of the file. */
export interface Skin {
  number: number;
  /**
   * Moves points from the frame of the mesh to the world.
   * @param points x, y, z of each vertex; changed in place.
   * @param where The place of the primitive in the JSON.
   * @throws InvalidFile
   */
  deform(points: Float64Array, influences: readonly Influence[], where: string): void;
}

// Weights in files are rounded, so their sum may differ slightly from 1. Each weight is divided by the sum. A
// difference above MAX_SUM_ERROR is an error.
const MAX_SUM_ERROR = 0.02;

/**
 * Returns the indices of the accessors of a primitive's joints and weights, for the sets 0, 1, 2 and so on, up
 * to the first set that the primitive does not have.
 * @throws InvalidFile if one of these sets has `JOINTS_n` without `WEIGHTS_n`, or the reverse
 */
export function influencesOf(attributes: JsonObject, where: string): Influence[] {
  const influences: Influence[] = [];
  const has = (name: string): boolean => attributes[name] !== undefined;
  for (let set = 0; has(`JOINTS_${set}`) || has(`WEIGHTS_${set}`); set++) {
    if (!has(`JOINTS_${set}`) || !has(`WEIGHTS_${set}`))
      refuse(`${where}.attributes`, `must have both JOINTS_${set} and WEIGHTS_${set}, or neither`);
    influences.push({
      joints: attributes[`JOINTS_${set}`] as number,
      weights: attributes[`WEIGHTS_${set}`] as number,
    });
  }
  return influences;
}

/** The skins of a file. */
export class Skins {
  private readonly items: JsonObject[];
  private readonly skins = new Map<number, Skin>();

  /** @param worldOf Returns the world transform of a node. */
  constructor(
    root: JsonObject,
    private readonly nodeCount: number,
    private readonly accessors: Accessors,
    private readonly worldOf: (node: number) => Float64Array,
    private readonly budget: MemoryBudget,
  ) {
    this.items = objectsOf(root, 'skins');
  }

  get count(): number {
    return this.items.length;
  }

  /** Reads a skin. @throws InvalidFile */
  read(number: number): Skin {
    let skin = this.skins.get(number);
    if (!skin) {
      const matrices = this.jointMatrices(number);
      skin = {
        number,
        deform: (points, influences, where) => this.deform(points, matrices, influences, where),
      };
      this.skins.set(number, skin);
    }
    return skin;
  }

  // Returns, for each joint, the matrix that transforms points from the frame of the mesh to the world.
  private jointMatrices(number: number): Float64Array[] {
    const { accessors, items, budget } = this;
    const where = `skins[${number}]`;
    const joints = referencesOf(items[number], 'joints', where, this.nodeCount, 'nodes');
    if (joints.length === 0) refuse(`${where}.joints`, 'is missing or empty');
    if (new Set(joints).size < joints.length) refuse(`${where}.joints`, 'names a node twice');
    budget.take(256 * joints.length, 'its skins');
    if (items[number].inverseBindMatrices === undefined) return joints.map(this.worldOf);
    const accessor = referenceOf(items[number], 'inverseBindMatrices', where, accessors.count, 'accessors');
    const inverse = accessors.matrices(accessor);
    if (inverse.length < 16 * joints.length)
      refuse(
        `${where}.inverseBindMatrices`,
        `has ${inverse.length / 16} matrices for ${joints.length} joints`,
      );
    const matrices = joints.map((joint, i) => {
      const bind = inverse.slice(16 * i, 16 * i + 16);
      const lastRow = [3, 7, 11, 15].map(at => bind[at] + 0).join(' ');
      if (lastRow !== '0 0 0 1')
        refuse(`${where}.inverseBindMatrices`, `has a matrix whose last row is ${lastRow}, not 0 0 0 1`);
      return multiplyAffine(this.worldOf(joint), bind);
    });
    budget.release(inverse.byteLength);
    return matrices;
  }

  private deform(
    points: Float64Array,
    matrices: Float64Array[],
    influences: readonly Influence[],
    where: string,
  ): void {
    if (influences.length === 0)
      refuse(`${where}.attributes`, 'have no JOINTS_0 and WEIGHTS_0, but a skin deforms the mesh');
    const sets = influences.map(({ joints, weights }) => ({
      joints: this.accessors.influences(joints, 'JOINTS'),
      weights: this.accessors.influences(weights, 'WEIGHTS'),
    }));
    const mean = new Float64Array(16);
    for (let vertex = 0; vertex < points.length / 3; vertex++) {
      let sum = 0;
      mean.fill(0);
      for (const { joints, weights } of sets)
        for (let i = 4 * vertex; i < 4 * vertex + 4; i++) {
          const weight = weights[i];
          if (!(weight >= 0))
            refuse(
              `${where}.attributes`,
              `have the weight ${weight} at vertex ${vertex}, but weights must be 0 or more`,
            );
          if (weight === 0) continue;
          const matrix = matrices[joints[i]];
          if (!matrix)
            refuse(
              `${where}.attributes`,
              `name joint ${joints[i]} at vertex ${vertex}, but the skin has ${matrices.length} joints`,
            );
          for (let at = 0; at < 16; at++) mean[at] += weight * matrix[at];
          sum += weight;
        }
      if (!(Math.abs(sum - 1) <= MAX_SUM_ERROR))
        refuse(`${where}.attributes`, `have weights at vertex ${vertex} whose sum is ${sum}, not 1`);
      const [x, y, z] = points.subarray(3 * vertex, 3 * vertex + 3);
      for (let row = 0; row < 3; row++)
        points[3 * vertex + row] =
          (mean[row] * x + mean[4 + row] * y + mean[8 + row] * z + mean[12 + row]) / sum;
    }
    for (const { joints, weights } of sets) this.budget.release(joints.byteLength + weights.byteLength);
  }
}
