// Makes ray casts of three.js fast: `castRays` finds the triangles that a ray hits, and three.js then
// intersects the ray with only these triangles, so that each intersection has all the properties of three.js.
import {
  BufferGeometry,
  type Intersection,
  Matrix4,
  Mesh as MeshObject,
  type Raycaster,
  Sphere,
  Vector3,
} from 'three';
import type { Mesh } from '../mesh/mesh.js';
import type { AllRayHits, RayHits } from '../rays/rayHits.js';
import type { Scene } from '../scene/scene.js';
import { startOf } from './geometry.js';
import {
  dropTiny,
  forEachInstance,
  isBatched,
  isInstanced,
  type Placeable,
  writeWorldMatrix,
} from './instances.js';
import { vertexOf, withInstanceMorphs } from './pose.js';

/** An engine with the module 'rays'. */
export interface RayEngine {
  /**
   * Returns all triangles that each ray hits; see the method of the engine.
   * @throws as the engine's castRays
   */
  castRays(
    at: Mesh | Scene,
    origins: Float64Array,
    directions: Float64Array,
    options: { want: 'all'; max: number },
  ): AllRayHits;
  /**
   * Returns the first triangle that each ray hits; see the method of the engine.
   * @throws as the engine's castRays
   */
  castRays(
    at: Mesh | Scene,
    origins: Float64Array,
    directions: Float64Array,
    options: { want: 'closest'; max: number },
  ): RayHits;
}

/** A raycaster of three.js, with an optional property that requests only the nearest intersection. */
export type FirstHitRaycaster = Raycaster & {
  /** Whether only the nearest intersection is wanted. Default false. */
  firstHitOnly?: boolean;
};

/**
 * Rays in the form that castRays takes. For the point origin + t * direction of a ray, t is the distance from
 * the start of the ray in world coordinates. max: the maximum of t.
 */
export interface Rays {
  origins: Float64Array;
  directions: Float64Array;
  max: number;
}

/**
 * castRays and three.js round distances differently. So castRays searches up to `far` times this factor, and
 * three.js then compares its own distance with `far`.
 */
const BEYOND_FAR = 1.000001;

// Takes the place of an object while three.js intersects the ray with one of its triangles. The bounding sphere
// contains everything, because castRays has already decided that the ray may hit the triangle.
const probe = new MeshObject(new BufferGeometry());
probe.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
const toLocal = new Matrix4();
const origin = new Vector3();
const direction = new Vector3();

/**
 * Lets three.js intersect the ray with one triangle of an object. start: the element of the geometry at which
 * the triangle begins. world: the world matrix of the object or instance. Appends what three.js finds to
 * `intersects`. three.js finds nothing on a side that the material does not show, before `near` or beyond
 * `far`. @returns whether it finds anything
 */
export function intersectTriangle(
  object: Placeable,
  instanceId: number | undefined,
  start: number,
  world: Float64Array,
  raycaster: Raycaster,
  intersects: Intersection[],
): boolean {
  const { index, attributes, groups } = object.geometry;
  const before = intersects.length;
  Object.assign(probe.geometry, { index, attributes, groups });
  probe.geometry.setDrawRange(start, 3);
  probe.material = object.material;
  probe.matrixWorld.fromArray(world as never);
  probe.getVertexPosition = (vertex, target) => vertexOf(object, vertex, target);
  try {
    withInstanceMorphs(object, instanceId, () => probe.raycast(raycaster, intersects));
  } finally {
    // The probe must not keep the data of the object alive.
    Object.assign(probe.geometry, { index: null, attributes: {}, groups: [] });
    probe.material = [];
    probe.getVertexPosition = MeshObject.prototype.getVertexPosition;
  }
  for (const intersection of intersects.slice(before)) {
    intersection.object = object;
    if (isInstanced(object)) intersection.instanceId = instanceId;
    if (isBatched(object)) intersection.batchId = instanceId;
  }
  return intersects.length > before;
}

/**
 * Appends the ray of a raycaster to `rays`: in the local coordinates that the matrix `world` maps to world
 * coordinates, or in world coordinates if there is no matrix. @returns false if the direction is 0 or the
 * matrix has no inverse; then nothing is appended
 */
function addRay({ ray }: Raycaster, world: Float64Array | undefined, rays: number[][]): boolean {
  origin.copy(ray.origin);
  direction.copy(ray.direction).normalize();
  if (world) {
    toLocal.fromArray(world as never);
    if (toLocal.determinant() === 0) return false;
    toLocal.invert();
    origin.applyMatrix4(toLocal);
    // The method transformDirection of three.js would normalize the direction. The parameter t of a point would
    // then no longer be the distance of the point in world coordinates.
    const { elements: m } = toLocal;
    const { x, y, z } = direction;
    direction.set(
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
    );
  }
  const numbers = direction.toArray().map(dropTiny);
  if (numbers.every(value => value === 0)) return false;
  rays.push([...origin.toArray().map(dropTiny), ...numbers]);
  return true;
}

/**
 * Returns the ray of a raycaster in the local coordinates of each world matrix, and for each returned ray the
 * index of its matrix. Leaves out the matrices for which `addRay` returns false.
 */
function localRays(raycaster: Raycaster, worlds: readonly (Float64Array | undefined)[]) {
  const list: number[][] = [];
  const indices = worlds.flatMap((world, i) => (addRay(raycaster, world, list) ? [i] : []));
  const rays: Rays = {
    origins: Float64Array.from(list.flatMap(ray => ray.slice(0, 3))),
    directions: Float64Array.from(list.flatMap(ray => ray.slice(3))),
    max: Math.max(0, raycaster.far * BEYOND_FAR),
  };
  return { rays, indices };
}

/** Returns the ray of a raycaster in world coordinates; undefined if its direction is 0. */
export function worldRay(raycaster: Raycaster): Rays | undefined {
  const { rays, indices } = localRays(raycaster, [undefined]);
  return indices.length > 0 ? rays : undefined;
}

/**
 * Returns a function for the property `raycast` of a three.js object: `object.raycast =
 * acceleratedRaycast(engine, mesh)`. The raycaster then returns the same intersections with the object as
 * before, but finds them with the tree of `mesh`. The object must be a Mesh or an InstancedMesh without bones
 * and morph targets, and `meshFromGeometry` must have made `mesh` from the object's geometry. If the raycaster
 * has the property `firstHitOnly` with the value true, it returns only the nearest intersection with each
 * object or instance. The names `acceleratedRaycast` and `firstHitOnly` are those of three-mesh-bvh.
 * @throws as castRays, when the returned function is called
 */
export function acceleratedRaycast(
  engine: RayEngine,
  mesh: Mesh,
): (this: MeshObject, raycaster: FirstHitRaycaster, intersects: Intersection[]) => void {
  return function raycast(raycaster, intersects) {
    const object = this as Placeable;
    if (object.material === undefined) return;
    const instances: (number | undefined)[] = [];
    forEachInstance(object, instanceId => instances.push(instanceId));
    const worlds = instances.map(instanceId => {
      const world = new Float64Array(16);
      writeWorldMatrix(object, instanceId, world);
      return world;
    });
    const { rays, indices } = localRays(raycaster, worlds);
    if (indices.length === 0) return;
    const test = (ray: number, triangle: number): boolean => {
      const i = indices[ray];
      const start = startOf(mesh, triangle);
      return intersectTriangle(object, instances[i], start, worlds[i], raycaster, intersects);
    };
    castAtEach(engine, mesh, rays, raycaster.firstHitOnly === true, (ray, hit) => test(ray, hit.triangle));
  };
}

/** A triangle that a ray hits. body: its body if rays are cast at a scene. */
export interface TriangleHit {
  triangle: number;
  body: number | undefined;
}

/**
 * Casts rays and calls `test` with the hits of each ray, nearest first. If firstHitOnly is true, stops testing
 * the hits of a ray when `test` returns true.
 */
export function castAtEach(
  engine: RayEngine,
  at: Mesh | Scene,
  { origins, directions, max }: Rays,
  firstHitOnly: boolean,
  test: (ray: number, hit: TriangleHit) => boolean,
): void {
  const isDone = new Uint8Array(origins.length / 3);
  if (firstHitOnly) {
    // Usually, three.js accepts the nearest hit, so that no other hits are needed.
    const { triangle, body } = engine.castRays(at, origins, directions, { want: 'closest', max });
    triangle.forEach((hit, ray) => {
      isDone[ray] = Number(hit < 0 || test(ray, { triangle: hit, body: body?.[ray] }));
    });
    if (isDone.every(done => done === 1)) return;
  }
  const { offsets, triangle, body } = engine.castRays(at, origins, directions, { want: 'all', max });
  for (let ray = 0; ray < isDone.length; ray++) {
    for (let k = offsets[ray]; k < offsets[ray + 1] && isDone[ray] === 0; k++)
      if (test(ray, { triangle: triangle[k], body: body?.[k] }) && firstHitOnly) isDone[ray] = 1;
  }
}
