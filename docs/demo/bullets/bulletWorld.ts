// One of the two worlds of the bullets page: walls and bullets. In each step, finds the bullets that hit a
// wall. Discrete detection tests the bullets only at the end of the step; continuous detection tests their
// motion during the step.
import type { Engine, Scene } from 'pfront';
import { type MeshData, sphere } from 'pfront/samples';
import { LENGTH, placementOf, RADIUS, type Shot } from './shots.js';
import type { Walls } from './walls.js';

export interface Hit {
  bullet: number;
  wall: number;
  /** Time of impact, as a fraction of the step. Always 1 for discrete detection. */
  toi: number;
}

const WALLS_GROUP = 1;
const BULLETS_GROUP = 2;

export const bulletMesh = (): MeshData => {
  const mesh = sphere(48);
  for (let at = 0; at < mesh.positions.length; at++)
    mesh.positions[at]! *= at % 3 === 0 ? LENGTH / 2 : RADIUS;
  return mesh;
};

/**
 * One world. The first bodies of its scene are the slats of the walls; the bullets follow. Bullets do not
 * collide with each other.
 */
export class BulletWorld {
  private readonly scene: Scene;
  private readonly walls: Walls;
  /** Transforms at the end and at the start of the step, 16 numbers per slot. */
  private readonly to: Float64Array;
  private readonly from: Float64Array;
  milliseconds = 0;

  constructor(engine: Engine, walls: Walls, count: number) {
    const slat = engine.createMesh(walls.slat);
    const bullet = engine.createMesh(bulletMesh());
    this.scene = engine.createScene();
    this.walls = walls;
    const slats = walls.placements.length;
    this.to = new Float64Array(16 * (slats + count));
    for (const transform of walls.placements)
      this.scene.add(slat, { transform, group: WALLS_GROUP, mask: BULLETS_GROUP });
    for (let i = 0; i < count; i++) this.scene.add(bullet, { group: BULLETS_GROUP, mask: WALLS_GROUP });
    walls.placements.forEach((placement, i) => this.to.set(placement, 16 * i));
    this.from = this.to.slice();
  }

  /**
   * Moves all bullets to their positions after the step, and detects contacts. `world`: 0 for discrete
   * detection, 1 for continuous. Returns the first hit of each flying bullet that hits a wall; the keys are
   * the indices of the bullets.
   */
  findHits(shots: readonly Shot[], world: 0 | 1): Map<number, Hit> {
    const {
      scene,
      to,
      from,
      walls: { placements, wallOf },
    } = this;
    const slats = placements.length;
    shots.forEach((shot, i) => {
      const { at, before } = shot.flights[world];
      to.set(placementOf(shot, at), 16 * (slats + i));
      from.set(placementOf(shot, before), 16 * (slats + i));
    });
    const startedAt = performance.now();
    scene.setTransforms(to, { from });
    const { a, b, toi } =
      world === 0
        ? { ...scene.detect({ narrow: 'any' }), toi: undefined }
        : scene.detect({ continuous: true });
    this.milliseconds = performance.now() - startedAt;
    const hits = new Map<number, Hit>();
    for (let i = 0; i < a.length; i++) {
      const bullet = scene.slotOf(b[i]!) - slats;
      const hit = { bullet, wall: wallOf[scene.slotOf(a[i]!)]!, toi: toi?.[i] ?? 1 };
      const known = hits.get(bullet);
      if (shots[bullet]!.flights[world].state === 'flying' && (!known || hit.toi < known.toi))
        hits.set(bullet, hit);
    }
    return hits;
  }
}
