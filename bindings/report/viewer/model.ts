// The three.js objects in the 3D view of the report: the parts, and the highlighted triangles of one clash or
// of several clashes.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Vector3,
} from 'three';
import type { MeshArrays, ReportContent } from '../content.js';
import { cornersOf, cornersOfAll } from './highlight.js';
import type { Placement } from './placement.js';

/**
 * How a part is drawn. 'plain': opaque, no clash is selected. 'a', 'b': opaque, the first or second part of
 * the selected clash. 'glassA', 'glassB': the first or second part of the selected clash, transparent because
 * it contains the other part. 'ghost': faint, not part of the selected clash.
 */
export type PartRole = 'plain' | 'a' | 'b' | 'glassA' | 'glassB' | 'ghost';

/** CSS colors. The colors of `plain` are assigned to the meshes in turn. */
export interface Palette {
  plain: string[];
  a: string;
  b: string;
  ghost: string;
  lit: string;
  highlightEdge: string;
  background: string;
}

// Values of renderOrder, in the order of drawing: opaque parts and visible highlighted triangles (0),
// transparent outer parts, depth of ghost parts, color of ghost parts. Hidden highlighted triangles and
// outlines follow.
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
  /** Number of highlighted triangles. */
  highlightedCount = 0;
  private readonly parts: Mesh[];
  private readonly depths: Mesh[];
  private readonly roles: PartRole[];
  private readonly plain = [solid(), solid(), solid(), solid()];
  private readonly a = solid();
  private readonly b = solid();
  // If a part contains the other part of the clash, it is transparent, so that the inner part is visible.
  private readonly glassA = glass();
  private readonly glassB = glass();
  // A ghost part is drawn twice: first only its depth, then its color. So only its nearest surface is
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
  // Highlighted triangles lie in the surfaces of their parts, so they are drawn slightly in front of these
  // surfaces. They are drawn again, faintly and without a depth test, so that hidden triangles are visible
  // too.
  private readonly visibleHighlight = new MeshBasicMaterial({
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -16,
  });
  private readonly hiddenHighlight = new MeshBasicMaterial({
    side: DoubleSide,
    transparent: true,
    opacity: 0.35,
    depthTest: false,
    depthWrite: false,
  });
  private readonly edges = new MeshBasicMaterial({
    wireframe: true,
    transparent: true,
    opacity: 0.25,
    depthTest: false,
    depthWrite: false,
  });
  private readonly highlightMeshes: Mesh[];

  constructor(
    private readonly content: ReportContent,
    private readonly placement: Placement,
  ) {
    const geometries = content.meshes.map((mesh, i) => geometryOf(mesh, placement.centers[i]));
    this.parts = content.header.parts.map(({ mesh }, part) => {
      const shown = new Mesh(geometries[mesh], this.plain[mesh % this.plain.length]);
      shown.matrixAutoUpdate = false;
      const { x, y, z } = placement.centers[mesh];
      shown.matrix.makeTranslation(x, y, z).premultiply(placement.toStage[part]);
      return shown;
    });
    this.depths = this.parts.map(({ geometry, matrix }) => {
      const depth = new Mesh(geometry, this.ghostDepth);
      depth.matrixAutoUpdate = false;
      depth.matrix.copy(matrix);
      depth.renderOrder = GHOST_DEPTH;
      return depth;
    });
    this.roles = this.parts.map(() => 'plain');
    this.highlightMeshes = [this.visibleHighlight, this.hiddenHighlight, this.edges].map((material, i) => {
      const lit = new Mesh(new BufferGeometry(), material);
      lit.renderOrder = i === 0 ? 0 : GHOST_COLOR + i;
      lit.frustumCulled = false;
      return lit;
    });
    for (const shown of [...this.parts, ...this.depths, ...this.highlightMeshes]) this.root.add(shown);
    this.showAll([]);
  }

  /** Shows all parts opaque, and highlights the triangles of the given clashes. */
  showAll(clashes: number[]): void {
    this.parts.forEach((_, part) => this.setRole(part, 'plain'));
    this.highlight(cornersOfAll(this.content, this.placement, clashes), false);
  }

  /**
   * Shows the two parts of a clash opaque and all other parts as ghosts, and highlights the triangles of the
   * clash. If one of the two parts contains the other, the outer part is transparent.
   */
  showClash(clash: number): void {
    const { a, b, inner } = this.content.header.clashes[clash];
    const roleA = inner === 'b' ? 'glassA' : 'a';
    const roleB = inner === 'a' ? 'glassB' : 'b';
    this.parts.forEach((_, part) => this.setRole(part, part === a ? roleA : part === b ? roleB : 'ghost'));
    this.highlight(cornersOf(this.content, this.placement, clash), true);
  }

  /** Returns how a part is drawn. */
  roleOf(part: number): PartRole {
    return this.roles[part];
  }

  /** Sets the colors of all materials. */
  paint({ plain, a, b, ghost, lit, highlightEdge: litEdge }: Palette): void {
    this.plain.forEach((material, i) => material.color.set(plain[i % plain.length]));
    for (const material of [this.a, this.glassA]) material.color.set(a);
    for (const material of [this.b, this.glassB]) material.color.set(b);
    this.ghost.color.set(ghost);
    this.visibleHighlight.color.set(lit);
    this.hiddenHighlight.color.set(lit);
    this.edges.color.set(litEdge);
  }

  private setRole(part: number, role: PartRole): void {
    const { mesh } = this.content.header.parts[part];
    const materials: Record<PartRole, Material> = {
      plain: this.plain[mesh % this.plain.length],
      a: this.a,
      b: this.b,
      glassA: this.glassA,
      glassB: this.glassB,
      ghost: this.ghost,
    };
    this.roles[part] = role;
    this.parts[part].material = materials[role];
    this.parts[part].renderOrder =
      role === 'ghost' ? GHOST_COLOR : role === 'glassA' || role === 'glassB' ? GLASS : 0;
    this.depths[part].visible = role === 'ghost';
  }

  // Highlights the triangles with these corners. Draws their outlines if they belong to a single clash.
  private highlight(corners: Float32Array, isSingle: boolean): void {
    this.highlightMeshes[0].geometry.dispose();
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3));
    for (const lit of this.highlightMeshes) lit.geometry = geometry;
    this.highlightMeshes[2].visible = isSingle;
    this.hiddenHighlight.opacity = isSingle ? 0.35 : 0.12;
    this.highlightedCount = corners.length / 9;
  }
}

function geometryOf({ positions, indices }: MeshArrays, { x, y, z }: Vector3): BufferGeometry {
  const isCentered = x === 0 && y === 0 && z === 0;
  const local = isCentered ? positions : positions.map((value, i) => value - [x, y, z][i % 3]);
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(local, 3))
    .setIndex(new BufferAttribute(indices, 1));
}
