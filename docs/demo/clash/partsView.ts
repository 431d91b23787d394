// Draws the parts of the model on the clash page. When the user selects a clash, moves the camera to the
// clash, highlights the intersecting triangles and fades all other parts.

import type { MeshData } from 'pfront/samples';
import { Box3, type BufferGeometry, DoubleSide, Matrix4, Mesh, MeshLambertMaterial, Vector3 } from 'three';
import { boxCorners, cornersOf, geometryOf, place } from '../shell/geometry.js';
import { HighlightedTriangles, TriangleMarks } from '../shell/highlightedTriangles.js';
import { Lines } from '../shell/lines.js';
import { type Stage, themed } from '../shell/stage.js';
import type { Clash } from './clashFinder.js';
import { Flight } from './flight.js';
import type { Part } from './parts.js';

/**
 * The view of the whole model is fitted to at most about this many triangle corners, taken from all parts
 * together.
 */
const MAX_CORNERS = 60_000;
const DIRECTION = [0.6, 0.5, 0.9] as const;
const materialFor = (name: string): MeshLambertMaterial =>
  themed(new MeshLambertMaterial({ flatShading: true, side: DoubleSide }), name);

export class PartsView {
  private readonly usual = [materialFor('part-a'), materialFor('part-c'), materialFor('part-b')];
  private readonly chosen = ['part-a', 'part-b'].map(name =>
    Object.assign(materialFor(name), { transparent: true, opacity: 0.7 }),
  );
  private readonly faded = Object.assign(materialFor('faint'), {
    transparent: true,
    opacity: 0.1,
    depthWrite: false,
  });
  private readonly clear = Object.assign(materialFor('part-a'), {
    transparent: true,
    opacity: 0.16,
    depthWrite: false,
  });
  private readonly open = Object.assign(materialFor('clash'), {
    transparent: true,
    opacity: 0.3,
    depthWrite: false,
  });
  private readonly curves = new Lines('lit', 3);
  private hasCurves = false;
  private isOneShown = false;
  private readonly lit = new HighlightedTriangles(60_000);
  private readonly flight: Flight;
  private whole: number[] = [];
  private parts: readonly Part[] = [];
  private meshes: Mesh<BufferGeometry>[] = [];
  private clashing: ReadonlySet<number> = new Set();

  constructor(private readonly stage: Stage) {
    this.flight = new Flight(stage);
    stage.scene.add(this.lit.object, this.curves.object);
  }

  /** Replaces the drawn parts, and fits the view to the new parts. */
  change(parts: readonly Part[]): void {
    const geometries = new Map<MeshData, BufferGeometry>();
    for (const mesh of this.meshes) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    this.parts = parts;
    this.clashing = new Set();
    this.showCurves([]);
    this.whole = parts.flatMap(({ mesh, transform }) =>
      cornersOf(mesh, transform, 0, Math.ceil(MAX_CORNERS / parts.length)),
    );
    this.meshes = parts.map(({ mesh, transform }) => {
      let geometry = geometries.get(mesh);
      if (!geometry) geometries.set(mesh, (geometry = geometryOf(mesh)));
      const object = new Mesh(geometry);
      place(object, transform);
      return object;
    });
    for (const mesh of this.meshes) this.stage.scene.add(mesh);
    this.showAll();
    this.flight.stop();
    if (parts.length > 0) this.stage.fit(this.whole, DIRECTION);
  }

  /**
   * Sets the parts that clash. If some parts clash and others do not, draws all parts transparent; parts that
   * clash have their own color and are less transparent than the others. If all parts or no parts clash,
   * draws all parts as usual.
   */
  markClashes(clashes: readonly Clash[]): void {
    this.clashing = new Set(clashes.flatMap(({ a, b }) => [a, b]));
    this.paint();
  }

  /** Shows all parts and moves the camera to the whole model. */
  showAll(): void {
    this.paint();
    this.lit.clear();
    this.lit.update();
    if (this.parts.length > 0) this.flight.to(this.whole, new Vector3(...DIRECTION));
  }

  /** Draws the contact curves of all clashes. `ends`: x, y, z of both ends of each segment. */
  showCurves(ends: readonly number[]): void {
    this.curves.show(ends);
    this.curves.object.visible &&= !this.isOneShown;
    this.hasCurves = ends.length > 0;
  }

  private paint(): void {
    const areAllAlike = this.clashing.size === 0 || this.clashing.size === this.parts.length;
    this.meshes.forEach((mesh, i) => {
      const { clear, open, usual } = this;
      mesh.material = areAllAlike ? usual[i % usual.length]! : this.clashing.has(i) ? open : clear;
    });
    this.isOneShown = false;
    this.curves.object.visible = this.hasCurves;
  }

  /** Shows a clash; `triangles` are the intersecting triangles of both parts. */
  showClash({ a, b }: Clash, triangles: { a: Uint32Array; b: Uint32Array }): void {
    this.isOneShown = true;
    this.curves.object.visible = false;
    this.meshes.forEach((mesh, i) => {
      mesh.material = i === a ? this.chosen[0]! : i === b ? this.chosen[1]! : this.faded;
    });
    this.lit.clear();
    const box = new Box3();
    const corner = new Vector3();
    for (const [part, list] of [
      [this.parts[a]!, triangles.a],
      [this.parts[b]!, triangles.b],
    ] as const) {
      const { mesh, transform } = part;
      const marks = new TriangleMarks(mesh.indices.length / 3);
      const matrix = new Matrix4().fromArray(transform);
      marks.begin();
      for (const triangle of list) {
        if (!marks.isNew(triangle)) continue;
        this.lit.add(mesh, triangle, transform);
        for (let k = 3 * triangle; k < 3 * triangle + 3; k++)
          box.expandByPoint(corner.fromArray(mesh.positions, 3 * mesh.indices[k]!).applyMatrix4(matrix));
      }
    }
    this.lit.update();
    this.flight.to(boxCorners(box.expandByScalar(0.35 * box.getSize(corner).length())));
  }

  /** Advances the motion of the camera by `seconds`. Returns whether the camera still moves. */
  step(seconds: number): boolean {
    return this.flight.step(seconds);
  }
}
