// The three.js objects of the parts in the 3D view of the report, and how each part is drawn.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type Vector3,
} from 'three';
import type { MeshArrays, SceneContent } from '../content.js';
import type { Placement } from './placement.js';

/**
 * How a part is drawn. 'plain': opaque, no clash is selected. 'picked': opaque, the part that the user has
 * clicked. 'a', 'b': opaque, the first or second part of the selected clash. 'glassA', 'glassB': the first or
 * second part of the selected clash, transparent because it contains the other part. 'ghost': faint, not part
 * of the selected clash. 'hidden': not drawn.
 */
export type PartRole = 'plain' | 'picked' | 'a' | 'b' | 'glassA' | 'glassB' | 'ghost' | 'hidden';

/** CSS colors. Those of `plain` are assigned in turn to the meshes of parts without a color in their file. */
export interface Palette {
  plain: string[];
  picked: string;
  a: string;
  b: string;
  ghost: string;
  lit: string;
  /** The color of the markers of each class. */
  kinds: string[];
  /** The section box and the measured distance. */
  tool: string;
  background: string;
}

// Values of renderOrder, in the order of drawing: opaque parts (0), transparent outer parts, depth of ghost
// parts, color of ghost parts.
const GLASS = 0.5;
const GHOST_DEPTH = 1;
const GHOST_COLOR = 2;

const solid = (): MeshLambertMaterial => new MeshLambertMaterial({ side: DoubleSide, flatShading: true });

const glass = (): MeshLambertMaterial =>
  new MeshLambertMaterial({
    side: DoubleSide,
    flatShading: true,
    transparent: true,
    opacity: 0.4,
    depthWrite: false,
  });

export class Model {
  readonly root = new Group();
  private readonly parts: Mesh[];
  private readonly depths: Mesh[];
  private readonly roles: PartRole[];
  private readonly plain = [solid(), solid(), solid(), solid()];
  /** The materials of parts that have a color in their file, by this color. */
  private readonly colored = new Map<string, MeshLambertMaterial>();
  private readonly picked = solid();
  private readonly a = solid();
  private readonly b = solid();
  // If a part contains the other part of the clash, it is transparent, so that the inner part is visible.
  private readonly glassA = glass();
  private readonly glassB = glass();
  // A ghost part is drawn twice, first only its depth, then its color, so that only its nearest surface is
  // visible.
  private readonly ghost = new MeshLambertMaterial({
    side: DoubleSide,
    flatShading: true,
    transparent: true,
    opacity: 0.16,
  });
  private readonly ghostDepth = new MeshLambertMaterial({
    side: DoubleSide,
    flatShading: true,
    transparent: true,
    colorWrite: false,
  });

  constructor(
    private readonly content: SceneContent,
    private readonly placement: Placement,
  ) {
    const geometries = content.meshes.map((mesh, i) => geometryOf(mesh, placement.centers[i]));
    this.parts = content.header.parts.map(({ mesh }, part) => {
      const shown = new Mesh(geometries[mesh], this.plainOf(part));
      shown.matrixAutoUpdate = false;
      shown.userData.part = part;
      return shown;
    });
    this.depths = this.parts.map(({ geometry }) => {
      const depth = new Mesh(geometry, this.ghostDepth);
      depth.matrixAutoUpdate = false;
      depth.renderOrder = GHOST_DEPTH;
      return depth;
    });
    this.roles = this.parts.map(() => 'plain');
    for (const part of this.parts.keys()) this.place(part);
    for (const shown of [...this.parts, ...this.depths]) this.root.add(shown);
  }

  /**
   * Draws each part as `roleOf` says.
   *
   * @param roleOf - Returns how a part is drawn.
   */
  show(roleOf: (part: number) => PartRole): void {
    this.parts.forEach((_, part) => this.setRole(part, roleOf(part)));
  }

  /** Moves the meshes of a part to its current placement. */
  place(part: number): void {
    const { centers, toStage } = this.placement;
    const { x, y, z } = centers[this.content.header.parts[part].mesh];
    for (const shown of [this.parts[part], this.depths[part]]) {
      shown.matrix.makeTranslation(x, y, z).premultiply(toStage[part]);
      shown.matrixWorldNeedsUpdate = true;
    }
  }

  /** Returns how a part is drawn. */
  roleOf(part: number): PartRole {
    return this.roles[part];
  }

  /** Returns the meshes that a click can hit: the meshes of parts that are neither hidden nor ghosts. */
  solidMeshes(): Mesh[] {
    return this.parts.filter((_, part) => this.roles[part] !== 'hidden' && this.roles[part] !== 'ghost');
  }

  /** Sets the colors of all materials. */
  paint({ plain, picked, a, b, ghost }: Palette): void {
    this.plain.forEach((material, i) => material.color.set(plain[i % plain.length]));
    this.picked.color.set(picked);
    for (const material of [this.a, this.glassA]) material.color.set(a);
    for (const material of [this.b, this.glassB]) material.color.set(b);
    this.ghost.color.set(ghost);
  }

  // Returns the material of a part if no clash is selected.
  private plainOf(part: number): Material {
    const { mesh, color } = this.content.header.parts[part];
    if (color === undefined) return this.plain[mesh % this.plain.length];
    const material = this.colored.get(color) ?? solid();
    material.color.set(color);
    this.colored.set(color, material);
    return material;
  }

  private setRole(part: number, role: PartRole): void {
    const materials: Record<Exclude<PartRole, 'hidden'>, Material> = {
      plain: this.plainOf(part),
      picked: this.picked,
      a: this.a,
      b: this.b,
      glassA: this.glassA,
      glassB: this.glassB,
      ghost: this.ghost,
    };
    this.roles[part] = role;
    const shown = this.parts[part];
    shown.visible = role !== 'hidden';
    if (role !== 'hidden') shown.material = materials[role];
    shown.renderOrder = role === 'ghost' ? GHOST_COLOR : role === 'glassA' || role === 'glassB' ? GLASS : 0;
    this.depths[part].visible = role === 'ghost';
  }
}

function geometryOf({ positions, indices }: MeshArrays, { x, y, z }: Vector3): BufferGeometry {
  const isCentered = x === 0 && y === 0 && z === 0;
  const local = isCentered ? positions : positions.map((value, i) => value - [x, y, z][i % 3]);
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(local, 3))
    .setIndex(new BufferAttribute(indices, 1));
}
