// The engine module 'casts': moves a sphere or a capsule until it touches a mesh or a scene, and finds the
// triangles that a resting sphere, capsule or box overlaps.

import {
  copyOptions,
  integer,
  type OptionTable,
  oneOf,
  rejectExtraArgument,
  trueOrFalse,
} from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
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
}

/** Options of castSphere and castCapsule. All are optional. */
export interface ShapeCastOptions extends BodyFilterOptions {
  /**
   * Whether to ignore triangles that the shape touches at the start, if the motion takes it away from them.
   * Then a shape that overlaps a wall can leave it. Default false.
   */
  ignoreSeparating?: boolean;
}

/** Options of overlapSphere, overlapCapsule and overlapBox. All are optional. */
export interface ShapeOverlapOptions extends BodyFilterOptions {
  /** 'all' (default): the triangles that overlap. 'any': whether there are any. */
  want?: 'all' | 'any';
}

const BITS = integer(-(2 ** 31), 2 ** 32 - 1);
const CAST: OptionTable<ShapeCastOptions> = { group: BITS, mask: BITS, ignoreSeparating: trueOrFalse };
const OVERLAP: OptionTable<ShapeOverlapOptions> = { group: BITS, mask: BITS, want: oneOf('all', 'any') };

/** The methods that the module adds to an engine. */
export class CastMethods {
  readonly #host: EngineHost;
  readonly #caster: ShapeCaster;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.#caster = new ShapeCaster(host);
    host.onDispose(() => this.#caster.dispose());
  }

  /**
   * Moves a sphere in a straight line, and returns its first contact with a mesh or with the bodies of a
   * scene; undefined if there is none. Coordinates and lengths are in the user's units, in the frame of the
   * mesh's vertices or, for a scene, in the frame in which the bodies are placed. Contacts are conservative:
   * no contact is missed, and there is none before the time `t`. The result is the same for any number of
   * threads. Synchronous.
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

  /** Moves a capsule in a straight line; otherwise like `castSphere`. @throws as castSphere */
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

  /** Returns whether a solid sphere overlaps any triangle. @throws as castSphere */
  overlapSphere(at: Mesh | Scene, sphere: Sphere, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /**
   * Returns all triangles of a mesh, or of the bodies of a scene, that share a point with a solid sphere.
   * Decided exactly for these numbers and for the vertices (of a scene: the placed vertices in doubles), so
   * triangles that the sphere only touches are included. Units and frame as in `castSphere`. Synchronous.
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

  /** Returns whether a solid capsule overlaps any triangle. @throws as castSphere */
  overlapCapsule(at: Mesh | Scene, capsule: Capsule, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /** Returns all triangles that share a point with a solid capsule; otherwise like `overlapSphere`. */
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

  /** Returns whether a solid box overlaps any triangle. @throws as castSphere */
  overlapBox(at: Mesh | Scene, box: Box, options: ShapeOverlapOptions & { want: 'any' }): boolean;
  /** Returns all triangles that share a point with a solid box; otherwise like `overlapSphere`. */
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
    const hit = this.#caster.first(at, shape, path, filter, ignoreSeparating);
    return hit && new ShapeHit(hit);
  }

  #overlap(
    at: Mesh | Scene,
    shape: ShapeNumbers,
    options: ShapeOverlapOptions,
  ): OverlappingTriangles | boolean {
    const { want = 'all', ...filter } = copyOptions(OVERLAP, options);
    this.#host.beginCall();
    if (want === 'any') return this.#caster.any(at, shape, filter as BodyFilter);
    return overlappingTriangles(this.#caster.all(at, shape, filter), !this.#host.owns(at as Mesh));
  }
}

export const casts: EngineModule<CastMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new CastMethods(host),
};
