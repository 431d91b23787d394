// Draws the bodies of the bodies page, which all have the same mesh, and highlights the bodies in contact.

import type { MeshData } from 'pfront/samples';
import {
  type Box3,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshLambertMaterial,
} from 'three';
import { boxCorners, geometryOf } from '../shell/geometry.js';
import type { Stage } from '../shell/stage.js';
import { color, onTheme } from '../shell/theme.js';

export class CrowdView {
  private readonly material = new MeshLambertMaterial({ flatShading: true });
  private readonly still = new Color();
  private readonly lit = new Color();
  private bodies: InstancedMesh | undefined;

  constructor(private readonly stage: Stage) {
    onTheme(() => {
      this.still.set(color('part-a'));
      this.lit.set(color('lit'));
    });
  }

  /**
   * Replaces the drawn bodies with `count` bodies of a mesh, and moves the camera to show all of `bounds`.
   */
  change(mesh: MeshData, count: number, bounds: Box3): void {
    if (this.bodies) {
      this.stage.scene.remove(this.bodies);
      this.bodies.geometry.dispose();
      this.bodies.dispose();
    }
    this.bodies = new InstancedMesh(geometryOf(mesh), this.material, count);
    this.bodies.instanceMatrix.setUsage(DynamicDrawUsage);
    this.bodies.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * count), 3).setUsage(
      DynamicDrawUsage,
    );
    this.bodies.frustumCulled = false;
    this.stage.scene.add(this.bodies);
    this.stage.fit(boxCorners(bounds), [0.6, -1, 0.55]);
  }

  /**
   * Places and colors the bodies for a frame. `touching`: the indices of the bodies in contact; an index may
   * occur several times.
   */
  show(matrices: Float32Array, touching: Iterable<number>): void {
    const { bodies, still, lit } = this;
    if (!bodies) return;
    (bodies.instanceMatrix.array as Float32Array).set(matrices);
    bodies.instanceMatrix.needsUpdate = true;
    const colors = bodies.instanceColor!.array as Float32Array;
    for (let body = 0; body < bodies.count; body++) still.toArray(colors, 3 * body);
    for (const body of touching) lit.toArray(colors, 3 * body);
    bodies.instanceColor!.needsUpdate = true;
  }
}
