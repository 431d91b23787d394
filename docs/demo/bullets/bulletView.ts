// Draws the two worlds of the bullets page: discrete collision detection at the top, continuous at the
// bottom. Each bullet has a line along the path of its last step. Bullets that hit a wall are highlighted.
// Bullets that passed through a wall undetected have the error color.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
} from 'three';
import { geometryOf, place } from '../shell/geometry.js';
import { type Stage, themed } from '../shell/stage.js';
import { color, onTheme } from '../shell/theme.js';
import { bulletMesh } from './bulletWorld.js';
import { END, placementOf, placeOf, type Shot, START } from './shots.js';
import { HALF_WIDTH, HEIGHT, type Walls } from './walls.js';

/** Height at which each world is drawn: first the discrete world, then the continuous world. */
const UP = [3.5, 0];
const POINTS = [-HALF_WIDTH, HALF_WIDTH].flatMap(y =>
  [0, UP[0]! + HEIGHT].flatMap(z => [START + 0.6, END - 0.4].flatMap(x => [x, y, z])),
);

/** The drawn bullets of one world. */
class Bullets {
  readonly object = new Group();
  private readonly bullets: InstancedMesh;
  private readonly streaks: BufferAttribute;
  private readonly colors: BufferAttribute;
  private readonly lines: LineSegments;

  constructor(count: number, up: number, material: MeshLambertMaterial, line: LineBasicMaterial) {
    this.bullets = new InstancedMesh(geometryOf(bulletMesh()), material, count);
    this.bullets.instanceMatrix.setUsage(DynamicDrawUsage);
    this.bullets.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * count), 3).setUsage(
      DynamicDrawUsage,
    );
    this.streaks = new BufferAttribute(new Float32Array(6 * count), 3).setUsage(DynamicDrawUsage);
    this.colors = new BufferAttribute(new Float32Array(6 * count), 3).setUsage(DynamicDrawUsage);
    this.lines = new LineSegments(
      new BufferGeometry().setAttribute('position', this.streaks).setAttribute('color', this.colors),
      line,
    );
    for (const mesh of [this.bullets, this.lines]) mesh.frustumCulled = false;
    this.object.add(this.bullets, this.lines);
    this.object.position.z = up;
  }

  show(shots: readonly Shot[], world: 0 | 1, colorOf: (shot: Shot) => Color): void {
    shots.forEach((shot, i) => {
      const { at, before, state } = shot.flights[world];
      this.bullets.instanceMatrix.array.set(placementOf(shot, at), 16 * i);
      // Bullets that have not started yet or have flown past the end are not drawn.
      if (at < 0 || state === 'gone') this.bullets.instanceMatrix.array.fill(0, 16 * i, 16 * i + 15);
      const seen = colorOf(shot);
      seen.toArray(this.bullets.instanceColor!.array as Float32Array, 3 * i);
      for (const end of [0, 1]) seen.toArray(this.colors.array as Float32Array, 6 * i + 3 * end);
      this.streaks.array.set(
        [...placeOf(shot, state === 'flying' && before > 0 ? before : at), ...placeOf(shot, at)],
        6 * i,
      );
    });
    this.bullets.instanceMatrix.needsUpdate =
      this.bullets.instanceColor!.needsUpdate =
      this.streaks.needsUpdate =
      this.colors.needsUpdate =
        true;
  }

  dispose(): void {
    this.bullets.geometry.dispose();
    this.bullets.dispose();
    this.lines.geometry.dispose();
  }
}

export class BulletView {
  private readonly material = new MeshLambertMaterial({ flatShading: true });
  private readonly line = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.7 });
  private readonly colors = { flying: new Color(), hit: new Color(), missed: new Color() };
  private worlds: Bullets[] = [];

  constructor(
    private readonly stage: Stage,
    walls: Walls,
  ) {
    const slat = geometryOf(walls.slat);
    const material = themed(
      new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: 0.8 }),
      'part-b',
    );
    for (const up of UP) {
      const group = new Group();
      for (const placement of walls.placements) {
        const mesh = new Mesh(slat, material);
        place(mesh, placement);
        group.add(mesh);
      }
      group.position.z = up;
      stage.scene.add(group);
    }
    onTheme(() => {
      this.colors.flying.set(color('part-a'));
      this.colors.hit.set(color('lit'));
      this.colors.missed.set(color('wrong'));
    });
    stage.fit(POINTS, [-0.55, -1, 0.3]);
  }

  /** Sets the number of bullets in each world. */
  change(count: number): void {
    for (const bullets of this.worlds) {
      this.stage.scene.remove(bullets.object);
      bullets.dispose();
    }
    this.worlds = UP.map(up => new Bullets(count, up, this.material, this.line));
    this.stage.scene.add(...this.worlds.map(({ object }) => object));
  }

  show(shots: readonly Shot[], isMissed: (shot: Shot) => boolean): void {
    const { flying, hit, missed } = this.colors;
    this.worlds.forEach((bullets, world) =>
      bullets.show(shots, world as 0 | 1, shot => {
        if (shot.flights[world]!.state === 'hit') return hit;
        return world === 0 && isMissed(shot) ? missed : flying;
      }),
    );
  }
}
