// The engine module 'casts': moves a sphere, a capsule or a mesh until it touches a mesh or a scene. Also finds
// the triangles that a resting sphere, capsule or box overlaps.

import {
  anyValue,
  copyOptions,
  integer,
  type OptionTable,
  oneOf,
  rejectExtraArgument,
  trueOrFalse,
} from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { readTransform, type Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { RetryingScratch } from '../runtime/retry.js';
import type { Scene } from '../scene/scene.js';
import { type OverlappingTriangles, overlappingTriangles, ShapeHit } from './castResults.js';
import { type BodyFilter, ShapeCaster } from './shapeCaster.js';
import {
  type Box,
  type Capsule,
  readBox,
  readCapsule,
  readSphere,
  readVector,
  type ShapeNumbers,
  type Sphere,
  type Vector,
} from './shapes.js';
import { nameLength, wasmGzipBase64 } from '../wasm/casts.wasm.js';

/** Which bodies of a scene a shape can hit. All options are optional. */
export interface BodyFilterOptions {
  /** For scenes: bits of the groups that the shape belongs to. Default 1. */
  group?: number;
  /**
   * For scenes: bits of the groups that the shape hits. A body is tested if its group shares a bit with this
   * mask, and `group` shares a bit with the body's mask. Default: all.
   */
  mask?: number;
  /** For scenes: the id of a body that the shape does not hit, such as the body that the shape represents. */
  exclude?: number;
}

/** Options of castSphere and castCapsule. All are optional. */
export interface ShapeCastOptions extends BodyFilterOptions {
  /**
   * Whether to ignore triangles that the shape touches at the start, if the motion leads away from them or
   * along them. With this option, a shape that overlaps a wall can leave the wall. Default false.
   */
  ignoreSeparating?: boolean;
}

/** Options of castMesh. All are optional. */
export interface MeshCastOptions extends ShapeCastOptions {
  /**
   * The placement of the moving mesh at the start, in the frame of the mesh or scene at which it is cast: 16
   * numbers, column-major. Default: the identity.
   */
  transform?: Transform;
}

/** Options of overlapSphere, overlapCapsule and overlapBox. All are optional. */
export interface ShapeOverlapOptions extends BodyFilterOptions {
  /** 'all' (default): the triangles that overlap. 'any': whether there are any. */
  want?: 'all' | 'any';
}

const BITS = integer(-(2 ** 31), 2 ** 32 - 1);
const FILTER: OptionTable<BodyFilterOptions> = { group: BITS, mask: BITS, exclude: integer(0, 2 ** 32 - 1) };
const CAST: OptionTable<ShapeCastOptions> = { ...FILTER, ignoreSeparating: trueOrFalse };
const MESH_CAST: OptionTable<MeshCastOptions> = { ...CAST, transform: anyValue };
const OVERLAP: OptionTable<ShapeOverlapOptions> = { ...FILTER, want: oneOf('all', 'any') };

/** The methods that the module adds to an engine. */
export class CastMethods {
  readonly #host: EngineHost;
  readonly #scratch: RetryingScratch<{ caster: ShapeCaster }>;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.#scratch = new RetryingScratch(() => ({ caster: new ShapeCaster(host) }));
    host.onDispose(() => this.#scratch.dispose());
  }

  /**
   * Moves a sphere in a straight line, and returns its first contact with a mesh or with the bodies of a scene;
   * undefined if there is none. Coordinates and lengths are in the frame and units of the mesh's vertices. For
   * a scene, they are in the common frame in which the bodies are placed, and in its units. Contacts are
   * conservative: no contact is missed, and there is none before the time `t` of the returned contact. The
   * result is the same for any number of threads. Synchronous. Source: Mirtich 1996 (conservative advancement);
   * Ericson, Real-Time Collision Detection, 5.5.
   * @param motion how far the sphere moves: x, y and z.
   * @throws Unsupported naming the invalid argument or option; Disposed, Capacity
   */
  castSphere(
    at: Mesh | Scene,
    sphere: Sphere,
    motion: Vector,
    options?: ShapeCastOptions,
  ): ShapeHit | undefined;
  castSphere(
    at: Mesh | Scene,
    sphere: Sphere,
    motion: Vector,
    options: ShapeCastOptions = {},
    surplus?: unknown,
  ): ShapeHit | undefined {
    rejectExtraArgument(surplus, 'castSphere(mesh or scene, sphere, motion, options)');
    return this.#cast(at, readSphere(sphere), motion, options);
  }

  /**
   * Moves a capsule in a straight line, and returns its first contact. In all other respects, this method works
   * like `castSphere`. Source: as for `castSphere`.
   * @throws as castSphere
   */
  castCapsule(
    at: Mesh | Scene,
    capsule: Capsule,
    motion: Vector,
    options?: ShapeCastOptions,
  ): ShapeHit | undefined;
  castCapsule(
    at: Mesh | Scene,
    capsule: Capsule,
    motion: Vector,
    options: ShapeCastOptions = {},
    surplus?: unknown,
  ): ShapeHit | undefined {
    rejectExtraArgument(surplus, 'castCapsule(mesh or scene, capsule, motion, options)');
    return this.#cast(at, readCapsule(capsule), motion, options);
  }

  /**
   * Moves a mesh in a straight line, without rotation, and returns its first contact with another mesh or
   * with the bodies of a scene. In all other respects, this method works like `castSphere`. A mesh is a
   * surface: if one mesh lies wholly inside the solid of the other one, there is no contact. Source: as for
   * `castSphere`.
   * @throws InvalidTransform, and as castSphere
   */
  castMesh(at: Mesh | Scene, mesh: Mesh, motion: Vector, options?: MeshCastOptions): ShapeHit | undefined;
  castMesh(
    at: Mesh | Scene,
    mesh: Mesh,
    motion: Vector,
    options: MeshCastOptions = {},
    surplus?: unknown,
  ): ShapeHit | undefined {
    rejectExtraArgument(surplus, 'castMesh(mesh or scene, mesh, motion, options)');
    const path = readVector('motion', motion);
    const { ignoreSeparating = false, transform, ...filter } = copyOptions(MESH_CAST, options);
    const rows = transform === undefined ? undefined : new Float64Array(12);
    if (rows) readTransform('transform', transform!, rows, 0);
    this.#host.beginCall();
    if (!this.#host.owns(mesh))
      throw new Unsupported(
        'the moving mesh is missing, or belongs to another engine',
        'pass a mesh that createMesh of this engine returned',
      );
    const hit = this.#scratch.run(({ caster }) =>
      caster.firstOfMesh(at, mesh, rows, path, filter, ignoreSeparating),
    );
    return hit && new ShapeHit(hit);
  }

  /**
   * Returns whether a solid sphere shares a point with any triangle. The search stops at the first such
   * triangle.
   * @throws as castSphere
   */
  overlapSphere(at: Mesh | Scene, sphere: Sphere, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /**
   * Returns all triangles of a mesh, or of the bodies of a scene, that share a point with a solid sphere. The
   * result is exact for the given sphere and vertices (for a scene: the placed vertices, computed in
   * doubles), so triangles that the sphere only touches are included. Units and frame as in `castSphere`.
   * Synchronous. Source: Ericson, Real-Time Collision Detection, 5.1.5 and 5.2.7.
   * @throws as castSphere
   */
  overlapSphere(
    at: Mesh | Scene,
    sphere: Sphere,
    options?: ShapeOverlapOptions & { want?: 'all' },
  ): OverlappingTriangles;
  overlapSphere(
    at: Mesh | Scene,
    sphere: Sphere,
    options: ShapeOverlapOptions = {},
    surplus?: unknown,
  ): OverlappingTriangles | boolean {
    rejectExtraArgument(surplus, 'overlapSphere(mesh or scene, sphere, options)');
    return this.#overlap(at, readSphere(sphere), options);
  }

  /**
   * Returns whether a solid capsule shares a point with any triangle. The search stops at the first such
   * triangle.
   * @throws as castSphere
   */
  overlapCapsule(at: Mesh | Scene, capsule: Capsule, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /**
   * Returns all triangles that share a point with a solid capsule. In all other respects, this method works
   * like `overlapSphere`. Source: Ericson, Real-Time Collision Detection, 4.5 and 5.1.9.
   * @throws as castSphere
   */
  overlapCapsule(
    at: Mesh | Scene,
    capsule: Capsule,
    options?: ShapeOverlapOptions & { want?: 'all' },
  ): OverlappingTriangles;
  overlapCapsule(
    at: Mesh | Scene,
    capsule: Capsule,
    options: ShapeOverlapOptions = {},
    surplus?: unknown,
  ): OverlappingTriangles | boolean {
    rejectExtraArgument(surplus, 'overlapCapsule(mesh or scene, capsule, options)');
    return this.#overlap(at, readCapsule(capsule), options);
  }

  /**
   * Returns whether a solid box shares a point with any triangle. The search stops at the first such
   * triangle.
   * @throws InvalidTransform, and as castSphere
   */
  overlapBox(at: Mesh | Scene, box: Box, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /**
   * Returns all triangles that share a point with a solid box. In all other respects, this method works like
   * `overlapSphere`. Source: Ericson, Real-Time Collision Detection, 5.2.9 (separating axis test).
   * @throws InvalidTransform, and as castSphere
   */
  overlapBox(
    at: Mesh | Scene,
    box: Box,
    options?: ShapeOverlapOptions & { want?: 'all' },
  ): OverlappingTriangles;
  overlapBox(
    at: Mesh | Scene,
    box: Box,
    options: ShapeOverlapOptions = {},
    surplus?: unknown,
  ): OverlappingTriangles | boolean {
    rejectExtraArgument(surplus, 'overlapBox(mesh or scene, box, options)');
    return this.#overlap(at, readBox(box), options);
  }

  #cast(
    at: Mesh | Scene,
    shape: ShapeNumbers,
    motion: Vector,
    options: ShapeCastOptions,
  ): ShapeHit | undefined {
    const path = readVector('motion', motion);
    const { ignoreSeparating = false, ...filter } = copyOptions(CAST, options);
    // Reading the arguments may run the caller's code, which may dispose of the engine.
    this.#host.beginCall();
    const hit = this.#scratch.run(({ caster }) => caster.first(at, shape, path, filter, ignoreSeparating));
    return hit && new ShapeHit(hit);
  }

  #overlap(
    at: Mesh | Scene,
    shape: ShapeNumbers,
    options: ShapeOverlapOptions,
  ): OverlappingTriangles | boolean {
    const { want = 'all', ...filter } = copyOptions(OVERLAP, options);
    this.#host.beginCall();
    if (want === 'any') return this.#scratch.run(({ caster }) => caster.any(at, shape, filter as BodyFilter));
    const found = this.#scratch.run(({ caster }) => caster.all(at, shape, filter));
    return overlappingTriangles(found, !this.#host.owns(at as Mesh));
  }
}

export const casts: EngineModule<CastMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new CastMethods(host),
};
