// Draws the building of the landing page: the structure transparent, pipes and ducts opaque, and contact
// curves as lines. Structural parts that clash are less transparent. Pipes and ducts that clash have another
// color.

import type { Scene } from 'pfront/samples';
import { type Material, Mesh, MeshLambertMaterial } from 'three';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { Lines } from '../shell/lines.js';
import { type Stage, themed } from '../shell/stage.js';
import { rotateBuilding } from './rotateBuilding.js';

const ENCLOSURE = /slab|wall/;
const FRAME = /column|beam|stairs/;
/** The number of angles, evenly spaced over a full rotation, at which the building must fit into the view. */
const FITTED_TURNS = 12;

const solid = (name: string): MeshLambertMaterial =>
  themed(new MeshLambertMaterial({ flatShading: true }), name);
const clear = (name: string, opacity: number): MeshLambertMaterial =>
  Object.assign(solid(name), { transparent: true, opacity, depthWrite: false });

export class BuildingView {
  private readonly usual = {
    enclosure: clear('part-a', 0.13),
    frame: clear('part-a', 0.4),
    service: solid('part-c'),
  };
  private readonly clashing = {
    enclosure: clear('part-a', 0.3),
    frame: solid('part-a'),
    service: solid('clash'),
  };
  private readonly curves = new Lines('lit', 4);
  private readonly objects: Mesh[];

  constructor(
    stage: Stage,
    private readonly building: Scene,
  ) {
    const geometries = building.meshes.map(geometryOf);
    this.objects = building.parts.map(({ mesh }) => new Mesh(geometries[mesh]));
    stage.scene.add(...this.objects, this.curves.object);
    this.highlight(new Set());
    const points: number[] = [];
    for (let turn = 0; turn < FITTED_TURNS; turn++) {
      const placed = rotateBuilding(building, (2 * Math.PI * turn) / FITTED_TURNS);
      for (const [part, { mesh }] of building.parts.entries())
        if (/slab/.test(building.parts[part]!.name))
          for (const value of cornersOf(building.meshes[mesh]!, placed, 16 * part, 200)) points.push(value);
    }
    stage.fit(points, [0, -1, 0.42]);
  }

  move(matrices: Float64Array): void {
    this.objects.forEach((object, part) => place(object, matrices, 16 * part));
  }

  /** Draws these parts as clashing, and all other parts as usual. */
  highlight(clashing: ReadonlySet<number>): void {
    this.objects.forEach((object, part) => {
      object.material = this.materialOf(this.building.parts[part]!.name, clashing.has(part));
    });
  }

  /** Draws contact curves. `ends` holds x, y, z of both ends of each segment. */
  showCurves(ends: ArrayLike<number>): void {
    this.curves.show(ends);
  }

  private materialOf(name: string, isClashing: boolean): Material {
    const materials = isClashing ? this.clashing : this.usual;
    return ENCLOSURE.test(name)
      ? materials.enclosure
      : FRAME.test(name)
        ? materials.frame
        : materials.service;
  }
}
