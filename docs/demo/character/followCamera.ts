// Moves the camera with the character. The user can rotate and zoom the view as on the other pages. If walls or
// hills would hide the character, the camera moves closer. In narrow places, it looks down more steeply.
import type { Engine, Mesh } from 'pfront';
import { Spherical, Vector3 } from 'three';
import type { Stage } from '../shell/stage.js';
import type { Vector } from './vectors.js';

/** Radius of the sphere around the camera that must be free, in meters. */
const RADIUS = 0.4;
/** The distance from the character, in meters, below which the camera tries to look down more steeply. */
const NARROW = 4;
/** Angles in radians by which the camera looks down more steeply. The first one with enough room is used. */
const STEEPER = [0, 0.3, 0.6, 0.9];
/** Height of the point that the camera looks at, above the lowest point of the character. */
const EYE = 1.4;
/** Time constant with which the camera follows changes of the character's height, in seconds. */
const SMOOTHING = 0.12;

export class FollowCamera {
  /** Where the camera should be, relative to the character. */
  private readonly wanted = new Spherical(15, 1.17, 0.86);
  /** Where it was placed last. */
  private readonly placed = new Spherical();
  private isFirst = true;

  constructor(private readonly stage: Stage) {
    stage.camera.near = 0.1;
    // Software rendering is too slow to show the whole level.
    stage.camera.far = stage.isSlow ? 90 : 400;
    stage.camera.updateProjectionMatrix();
    stage.controls.enablePan = false;
  }

  /** Moves the camera to the character. */
  follow(engine: Engine, level: Mesh, [x, y, z]: Vector, seconds: number): void {
    const { camera, controls } = this.stage;
    const { target } = controls;
    const { wanted, placed } = this;
    if (this.isFirst) target.set(x, y + EYE, z);
    else {
      // The user may have rotated or zoomed the view since the last frame.
      const seen = new Spherical().setFromVector3(camera.position.clone().sub(target));
      const { radius, phi, theta } = wanted;
      wanted.set(
        Math.min(80, Math.max(2, (radius * seen.radius) / placed.radius)),
        phi + seen.phi - placed.phi,
        theta + seen.theta - placed.theta,
      );
      target.set(x, target.y + (y + EYE - target.y) * (1 - Math.exp(-seconds / SMOOTHING)), z);
    }
    this.isFirst = false;
    for (const steeper of STEEPER) {
      placed.set(wanted.radius, Math.min(wanted.phi, Math.max(0.1, wanted.phi - steeper)), wanted.theta);
      const motion = new Vector3().setFromSpherical(placed);
      const hit = engine.castSphere(level, { center: target, radius: RADIUS }, motion, {
        ignoreSeparating: true,
      });
      placed.radius *= Math.max(0.01, hit?.t ?? 1);
      if (placed.radius >= Math.min(NARROW, wanted.radius)) break;
    }
    camera.position.copy(target).add(new Vector3().setFromSpherical(placed));
  }

  /** Returns a direction on the screen as a horizontal unit vector x, z; 0 if the direction is 0. */
  directionOf([right, forward]: readonly [number, number]): [number, number] {
    const [x, z] = [Math.sin(this.wanted.theta), Math.cos(this.wanted.theta)];
    const direction = [z * right - x * forward, -x * right - z * forward] as const;
    const length = Math.hypot(...direction);
    return length < 1e-9 ? [0, 0] : [direction[0] / length, direction[1] / length];
  }
}
