// The engine module 'rays': casts many rays at a mesh or a scene in one call.

import { rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Scene } from '../scene/scene.js';
import { castRays } from './castRays.js';
import type { AllRayHits, RayHits } from './rayHits.js';
import type { RayNumbers, RayOptions } from './rayOptions.js';
import { nameLength, wasmGzipBase64 } from '../wasm/rays.wasm.js';

/** The methods that the module adds to an engine. */
export class RaysMethods {
  readonly #host: EngineHost;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /**
   * Returns, for each ray, whether it hits a triangle: 1 or 0. The search for a ray stops at its first hit.
   * @throws as the last overload
   */
  castRays(
    at: Mesh | Scene,
    origins: RayNumbers,
    directions: RayNumbers,
    options: RayOptions & { want: 'any' },
  ): Uint8Array;
  /** Returns the number of triangles that each ray hits. @throws as the last overload */
  castRays(
    at: Mesh | Scene,
    origins: RayNumbers,
    directions: RayNumbers,
    options: RayOptions & { want: 'count' },
  ): Uint32Array;
  /** Returns all triangles that each ray hits, sorted along the ray. @throws as the last overload */
  castRays(
    at: Mesh | Scene,
    origins: RayNumbers,
    directions: RayNumbers,
    options: RayOptions & { want: 'all' },
  ): AllRayHits;
  /**
   * Returns the first triangle that each ray hits. A ray consists of the points origin + t * direction with t
   * from 0 to `max`, and hits a triangle (with its edges and corners) if they share a point. Origins and
   * directions have three numbers per ray, in the frame and units of the mesh's vertices or, for a scene, of
   * the common frame in which the bodies are placed. Results are exact for these numbers and for the vertices
   * (for a scene, the placed vertices as doubles): no ray slips through an edge or a vertex that two
   * triangles share. The result is the same for any number of threads. Synchronous; uses all threads. Source:
   * Ericson, Real-Time Collision Detection, 5.3.3 and 5.3.6; Shewchuk 1997 (exact signs).
   * @throws Unsupported naming the first invalid ray or option; Disposed, Capacity
   */
  castRays(
    at: Mesh | Scene,
    origins: RayNumbers,
    directions: RayNumbers,
    options?: RayOptions & { want?: 'closest' },
  ): RayHits;
  castRays(
    at: Mesh | Scene,
    origins: RayNumbers,
    directions: RayNumbers,
    options: RayOptions = {},
    surplus?: unknown,
  ): RayHits | AllRayHits | Uint8Array | Uint32Array {
    rejectExtraArgument(surplus, 'castRays(mesh or scene, origins, directions, options)');
    return castRays(this.#host, at, origins, directions, options);
  }
}

export const rays: EngineModule<RaysMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new RaysMethods(host),
};
