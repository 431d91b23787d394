// Casts rays in chunks on all threads, and decides exactly the cases that the kernel defers.

import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import type { Scene } from '../scene/scene.js';
import { findScene, writeBodyTargets, writeMeshTargets } from './castTargets.js';
import { RayChunk } from './rayChunk.js';
import type { AllRayHits, RayHits } from './rayHits.js';
import { type RayOptions, readCast } from './rayOptions.js';
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
  const scene = findScene(host, at, 'castRays was given');
  if (!scene && cast.isFiltered)
    throw new Unsupported(
      'group or mask was given, but castRays was given a mesh',
      'omit both, or pass a scene',
    );
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
