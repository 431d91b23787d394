// The package, in Node or in a page -> hashes of what it answers to seeded questions of every kind. Imports nothing that runs.

import type * as Pfront from '../../dist/index.js';
import type * as Scenes from '../../dist/scenes/index.js';

export interface Answers { hashes: Record<string, string>; info: Pfront.EngineInfo }

/** FNV-1a of the bytes, in two halves: pages have no synchronous sha256. */
function hashOf(...arrays: ArrayBufferView[]): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (const array of arrays) {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ low, 0x85ebca6b) ^ (low >>> 15);
    }
  }
  return [low, high].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

export async function answers(pfront: typeof Pfront, scenes: typeof Scenes, options: Pfront.EngineOptions = {}): Promise<Answers> {
  const engine = await pfront.createEngine(options);
  try {
    const hashes: Record<string, string> = {};
    const note = (name: string, ...arrays: ArrayBufferView[]): void => { hashes[name] = hashOf(...arrays); };
    const torus = scenes.torus(700);
    const meshes = { sphere: engine.createMesh(scenes.sphere(2000)), torus: engine.createMesh(torus), morton: engine.createMesh(torus, { builder: 'morton' }) };
    for (const [i, transformB] of [scenes.translation([0.3, 0.2, 0.1]), scenes.translation([0.9, 0, 0])].entries()) {
      const pairs = engine.query(meshes.sphere, meshes.torus, { transformB });
      note(`sphere and torus ${i}`, pairs.a, pairs.b);
      const others = engine.query(meshes.sphere, meshes.morton, { transformB });
      note(`sphere and torus, morton ${i}`, others.a, others.b);
    }
    for (const kind of ['uniform', 'clustered', 'mixed', 'scaleFree'] as const) {
      const boxes = scenes.boxCrowd(kind, 6000, 7);
      for (const method of ['auto', 'sap', 'octree', 'tree'] as const) {
        const pairs = engine.boxPairs(boxes, { method });
        note(`${kind} boxes, ${method}`, pairs.a, pairs.b);
      }
    }
    using scene = engine.createScene();
    for (let body = 0; body < 150; body++) scene.add(meshes.torus);
    const matricesOf = scenes.tumbling(150, 0.3, 3);
    for (let frame = 0; frame < 3; frame++) {
      scene.setTransforms(matricesOf(frame));
      const contacts = scene.detect();
      note(`150 bodies, frame ${frame}`, contacts.a, contacts.b, contacts.pairsAt, contacts.triangles.a, contacts.triangles.b, contacts.began.a, contacts.ended.a);
    }
    return { hashes, info: structuredClone(engine.info) };
  } finally {
    engine.dispose();
  }
}
