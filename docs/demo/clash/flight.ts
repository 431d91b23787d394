// Moves the camera to a new view within a second, or at once if the user prefers reduced motion.
import type { Vector3 } from 'three';
import { type Stage, sphereOf } from '../shell/stage.js';

const SECONDS = 0.9;

interface Leg {
  fromTarget: Vector3;
  fromPosition: Vector3;
  toTarget: Vector3;
  toPosition: Vector3;
  done: number;
}

export class Flight {
  private leg: Leg | undefined;

  constructor(private readonly stage: Stage) {
    stage.controls.addEventListener('start', () => this.stop());
  }

  /**
   * Starts to move the camera to a position from which the points (x, y, z of each) fill the view.
   * `direction` points from the points to the camera; by default, the current direction of view is kept.
   */
  to(points: ArrayLike<number>, direction?: Vector3): void {
    const { center, radius } = sphereOf(points);
    const { camera, controls } = this.stage;
    this.stage.stopFitting();
    const back = (direction ?? camera.position.clone().sub(controls.target)).clone().normalize();
    const toPosition = center.clone().addScaledVector(back, this.stage.distanceFor(points, center, back));
    this.leg = {
      fromTarget: controls.target.clone(),
      fromPosition: camera.position.clone(),
      toTarget: center,
      toPosition,
      done: 0,
    };
    camera.near = Math.min(camera.near, radius / 100);
    camera.updateProjectionMatrix();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.step(SECONDS);
  }

  /** Ends the motion. */
  stop(): void {
    this.leg = undefined;
  }

  /** Advances the motion by `seconds`. Returns whether the motion continues. */
  step(seconds: number): boolean {
    const {
      leg,
      stage: { camera, controls },
    } = this;
    if (!leg) return false;
    leg.done = Math.min(1, leg.done + seconds / SECONDS);
    const eased = leg.done * leg.done * (3 - 2 * leg.done);
    controls.target.lerpVectors(leg.fromTarget, leg.toTarget, eased);
    camera.position.lerpVectors(leg.fromPosition, leg.toPosition, eased);
    if (leg.done === 1) this.stop();
    return leg.done < 1;
  }
}
