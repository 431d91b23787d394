// Casts rays in chunks on all threads, and decides the deferred cases exactly.

import { describe, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import type { Scene } from '../scene/scene.js';
import { writeBodyTargets, writeMeshTargets } from './castTargets.js';
import { RayChunk } from './rayChunk.js';
import type { AllRayHits, RayHits } from './rayHits.js';
import { type RayCast, type RayOptions, readCast } from './rayOptions.js';
import { RayResults } from './rayResults.js';

/** Number of rays that are cast at a time, so that engine memory does not grow with the number of rays. */
const CHUNK_RAYS = 2 ** 16;

/** Checks the arguments and casts the rays. @throws Unsupported, Disposed, Capacity */
export function castRays(
  host: EngineHost,
  at: Mesh | Scene,
  origins: unknown,
  directions: unknown,
  options: RayOptions,
): RayHits | AllRayHits | Uint8Array | Uint32Array {
  const cast = readCast(origins, directions, options);
  // Reading the options may run the caller's code, which may dispose of the engine.
  host.beginCall();
  const scene = sceneOf(host, at, cast);
  const results = new RayResults(cast, scene !== undefined);
  const blocks = new BlockGroup(host.context.arena);
  try {
    const bodies = scene?.beginCast();
    host.context.pool.chooseThreads(`rays ${cast.want}`, cast.count);
    let chunk: RayChunk | undefined;
    for (let first = 0; first < cast.count; first += CHUNK_RAYS) {
      const count = Math.min(CHUNK_RAYS, cast.count - first);
      retry(
        () => {
          if (!chunk) {
            const { arena } = host.context;
            const targets = bodies
              ? writeBodyTargets(arena, blocks, bodies, cast.group, cast.mask)
              : writeMeshTargets(arena, blocks, at as Mesh);
            chunk = new RayChunk(host, blocks, targets, cast, count);
          }
          chunk.run(first, count);
        },
        () => {
          chunk = undefined;
          blocks.releaseAll();
        },
      );
      results.add(chunk!, first, count);
    }
    host.context.pool.endCall();
    return results.finish();
  } finally {
    blocks.releaseAll();
  }
}

// Returns the scene, or undefined if `at` is a mesh.
function sceneOf(host: EngineHost, at: Mesh | Scene, { isFiltered }: RayCast): Scene | undefined {
  if (host.owns(at as Mesh)) {
    if (isFiltered)
      throw new Unsupported(
        'group and mask were given, but castRays was given a mesh',
        'omit them, or pass a scene',
      );
    return undefined;
  }
  const scene = at as Scene | null | undefined;
  if (typeof scene?.belongsTo === 'function' && scene.belongsTo(host.context)) return scene;
  throw new Unsupported(
    `castRays was given ${describe(at)}, not a mesh or a scene of this engine`,
    'pass a mesh that createMesh, or a scene that createScene of this engine returned',
  );
}
