// Places the parts in the 3D view. All parts together are scaled and moved so that they fit into a sphere of
// radius 1 about the origin. This is computed in doubles.
import { Box3, Matrix4, Sphere, Vector3 } from 'three';
import type { SceneContent } from '../content.js';

export interface Placement {
  /** Matrix from the coordinates of the files to those of the 3D view. */
  fileToStage: Matrix4;
  /** Box of each mesh in its own coordinates. */
  meshBoxes: Box3[];
  /** Box of each part in the coordinates of the files. */
  fileBoxes: Box3[];
  /**
   * Box of all parts in the coordinates of the files. If parts move, it also contains them at the times that
   * `growByMotions` samples.
   */
  sceneBox: Box3;
  /** The largest absolute coordinate of that box. */
  modelSize: number;
  /** Matrix of each part from the coordinates of its mesh to those of the 3D view. */
  toStage: Matrix4[];
  /**
   * For each mesh, the point that is subtracted from its coordinates before they are drawn in float32: the
   * center of the mesh, or 0 if the mesh is near its origin. Far from the origin, float32 would be too
   * coarse.
   */
  centers: Vector3[];
  /** Box of each part in the 3D view. */
  boxes: Box3[];
  /** Points in the 3D view that must be visible in the view of the whole scene. */
  corners: Vector3[];
}

/**
 * Computes the placement of all parts.
 *
 * @param grow - If parts move: enlarges the box of the scene by their motion.
 */
export function placeParts(
  { header, meshes }: SceneContent,
  grow?: (sceneBox: Box3, meshBoxes: Box3[]) => void,
): Placement {
  const meshBoxes = meshes.map(({ positions }) => new Box3().setFromArray(positions));
  const toFile = header.parts.map(({ transform }) => new Matrix4().fromArray(transform));
  const fileBoxes = header.parts.map(({ mesh }, part) => meshBoxes[mesh].clone().applyMatrix4(toFile[part]));
  const sceneBox = fileBoxes.reduce((sum, box) => sum.union(box), new Box3());
  grow?.(sceneBox, meshBoxes);
  const sphere = sceneBox.isEmpty() ? new Sphere(new Vector3(), 1) : sceneBox.getBoundingSphere(new Sphere());
  const scale = 1 / (sphere.radius || 1);
  const { x, y, z } = sphere.center;
  const fileToStage = new Matrix4()
    .makeScale(scale, scale, scale)
    .multiply(new Matrix4().makeTranslation(-x, -y, -z));
  const boxes = fileBoxes.map(box => box.clone().applyMatrix4(fileToStage));
  return {
    fileToStage,
    meshBoxes,
    fileBoxes,
    sceneBox,
    modelSize: sceneBox.isEmpty() ? 0 : Math.max(...[...sceneBox.min, ...sceneBox.max].map(Math.abs)),
    toStage: toFile.map(matrix => fileToStage.clone().multiply(matrix)),
    centers: meshBoxes.map(offsetOf),
    boxes,
    // If no part moves, the corners of all parts' boxes are used, because they leave less empty space around
    // the parts than the corners of the scene's box.
    corners: grow ? cornersOfBox(sceneBox.clone().applyMatrix4(fileToStage)) : boxes.flatMap(cornersOfBox),
  };
}

/** Moves a part. `toFile` is the matrix from the coordinates of its mesh to those of the files. */
export function movePart(placement: Placement, part: number, mesh: number, toFile: Matrix4): void {
  const { fileToStage, meshBoxes, fileBoxes, toStage, boxes } = placement;
  fileBoxes[part].copy(meshBoxes[mesh]).applyMatrix4(toFile);
  toStage[part].multiplyMatrices(fileToStage, toFile);
  boxes[part].copy(fileBoxes[part]).applyMatrix4(fileToStage);
}

/** Returns the eight corners of a box. */
export function cornersOfBox({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap(x =>
    [min.y, max.y].flatMap(y => [min.z, max.z].map(z => new Vector3(x, y, z))),
  );
}

// Returns the center of the mesh's box if the mesh is far from its origin, otherwise 0.
function offsetOf(box: Box3): Vector3 {
  const { center, radius } = box.getBoundingSphere(new Sphere());
  return center.length() > 4 * radius ? center : new Vector3();
}
