// Parts -> where they stand on the stage: the whole scene about the origin in a ball of radius 1, computed in
// doubles.
import { Box3, Matrix4, Sphere, Vector3 } from 'three';
import type { ReportContent } from '../content.js';

export interface Placement {
  /** Of each part, from its mesh's own coordinates to the file's, and to the stage. */
  toFile: Matrix4[];
  toStage: Matrix4[];
  /**
   * Of each mesh: what to take off its coordinates, so that floats stay sharp; 0 where they lie near their
   * origin.
   */
  centers: Vector3[];
  /** Of each part, on the stage. */
  boxes: Box3[];
}

export function placeParts({ header, meshes }: ReportContent): Placement {
  const meshBoxes = meshes.map(({ positions }) => new Box3().setFromArray(positions));
  const toFile = header.parts.map(({ transform }) => new Matrix4().fromArray(transform));
  const fileBoxes = header.parts.map(({ mesh }, part) => meshBoxes[mesh].clone().applyMatrix4(toFile[part]));
  const whole = fileBoxes.reduce((sum, box) => sum.union(box), new Box3());
  const ball = whole.isEmpty() ? new Sphere(new Vector3(), 1) : whole.getBoundingSphere(new Sphere());
  const scale = 1 / (ball.radius || 1);
  const { x, y, z } = ball.center;
  const shrink = new Matrix4()
    .makeScale(scale, scale, scale)
    .multiply(new Matrix4().makeTranslation(-x, -y, -z));
  return {
    toFile,
    toStage: toFile.map(matrix => shrink.clone().multiply(matrix)),
    centers: meshBoxes.map(farCenter),
    boxes: fileBoxes.map(box => box.clone().applyMatrix4(shrink)),
  };
}

export function cornersOfBox({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap(x =>
    [min.y, max.y].flatMap(y => [min.z, max.z].map(z => new Vector3(x, y, z))),
  );
}

function farCenter(box: Box3): Vector3 {
  const { center, radius } = box.getBoundingSphere(new Sphere());
  return center.length() > 4 * radius ? center : new Vector3();
}
