// Draws the level and the characters, which are capsules. The character that the camera follows is highlighted,
// and an arrow above it is visible through walls.
import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
} from 'three';
import { type Stage, themed } from '../shell/stage.js';
import type { Character } from './crowd.js';
import type { Level } from './level.js';
import { defaultSettings } from './settings.js';

const { radius, height } = defaultSettings;

const solid = (name: string): MeshLambertMaterial =>
  themed(new MeshLambertMaterial({ flatShading: true }), name);

function meshOf(positions: Float32Array, material: MeshLambertMaterial): Mesh {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
  geometry.computeBoundingSphere();
  return new Mesh(geometry, material);
}

export class CharacterView {
  private readonly body = new CapsuleGeometry(radius, height - 2 * radius, 6, 16).translate(0, height / 2, 0);
  /** Shows where a character looks. */
  private readonly nose = new ConeGeometry(0.12, 0.3, 8)
    .rotateZ(-Math.PI / 2)
    .translate(radius + 0.1, 0.8 * height, 0);
  private readonly followed = solid('lit');
  private readonly others = solid('part-c');
  private readonly arrow: Mesh;
  private objects: Object3D[] = [];

  constructor(
    private readonly stage: Stage,
    { ground, buildings }: Level,
  ) {
    const through = themed(new MeshBasicMaterial({ depthTest: false, transparent: true }), 'lit');
    this.arrow = new Mesh(new ConeGeometry(0.35, 0.5, 16).rotateX(Math.PI), through);
    this.arrow.renderOrder = 1;
    const material = solid('faint');
    stage.scene.add(...ground.map(piece => meshOf(piece, material)), meshOf(buildings, solid('part-a')));
    stage.scene.add(this.arrow);
  }

  /** Sets the number of characters. */
  change(count: number): void {
    this.stage.scene.remove(...this.objects);
    this.objects = Array.from({ length: count }, (_, i) => {
      const material = i === 0 ? this.followed : this.others;
      return new Group().add(new Mesh(this.body, material), new Mesh(this.nose, material));
    });
    this.stage.scene.add(...this.objects);
  }

  show(characters: readonly Character[]): void {
    characters.forEach(({ controller, heading }, i) => {
      this.objects[i]!.position.set(...controller.position);
      this.objects[i]!.rotation.y = -heading;
    });
    this.arrow.position.set(...characters[0]!.controller.position);
    this.arrow.position.y += height + 0.6;
  }
}
