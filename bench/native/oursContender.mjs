// Runs pfront in a comparison with other collision libraries (see ours.mjs). The workloads are w1: queries of
// two meshes, w2: pairs of boxes, w3: a cloth against itself, w4: building and refitting a tree, w5: moving
// bodies. Each process has one engine. Measured times include the call and the copy of its inputs
// (placements, boxes or vertices) into the engine. They do not include `translate`, which interleaves the
// lists a and b of a result to a0 b0 a1 b1 ...
import { readFileSync } from 'node:fs';

// Converts row-major 3x4 matrices (`rows`, 12 floats each) to column-major 4x4 matrices (`matrices`, 16
// floats each). Does not write the last row of a 4x4 matrix, which must already be 0 0 0 1.
function writePlacements(matrices, rows) {
  for (let to = 0, from = 0; to < matrices.length; to += 16, from += 12) {
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) matrices[to + 4 * column + row] = rows[from + 4 * row + column];
    }
  }
}

// Returns a0 b0 a1 b1 ... as a new array, because the views a and b are valid only until the next query.
function interleave({ a, b, count }) {
  const pairs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = a[i];
    pairs[2 * i + 1] = b[i];
  }
  return pairs;
}

// Queries mesh A against mesh B. Every query has a new placement of B.
function meshAgainstMesh(engine, builder, meshA, meshB) {
  const create = ({ verts, tris }) =>
    engine.createMesh({ positions: verts, indices: tris }, { builder, deformable: false });
  const a = create(meshA);
  const b = create(meshB);
  const transformB = new Float32Array(16);
  transformB[15] = 1;
  const pairsOptions = { transformB, want: 'pairs', order: 'any' };
  const anyOptions = { transformB, want: 'any', order: 'any' };
  return {
    pairs(rows) {
      writePlacements(transformB, rows);
      const result = engine.query(a, b, pairsOptions);
      return { data: result, count: result.count };
    },
    any(rows) {
      writePlacements(transformB, rows);
      return engine.query(a, b, anyOptions);
    },
    translate: ({ data }) => interleave(data),
    dispose() {
      a.dispose();
      b.dispose();
    },
  };
}

// `build` copies vertices and indices into the engine, then builds the tree. `refit` copies deformed vertices
// into the engine, then recomputes the tree's boxes and leaves.
function buildAndRefit(engine, builder, { verts, tris }) {
  let mesh = null;
  return {
    build() {
      mesh = engine.createMesh({ positions: verts, indices: tris }, { builder, deformable: true });
    },
    refit(positions) {
      mesh.update(positions);
    },
    clear() {
      mesh.dispose();
    },
  };
}

// Runs the frames of a cloth: copies the vertices into the engine, refits or rebuilds the tree, and finds the
// pairs of intersecting triangles that share no vertex.
function clothAgainstItself(engine, builder, order, { verts, tris }) {
  const mesh = engine.createMesh({ positions: verts, indices: tris }, { builder, deformable: true });
  return {
    frame(positions) {
      mesh.update(positions);
      const data = engine.selfQuery(mesh, { order });
      return { data, count: data.count };
    },
    translate: ({ data }) => interleave(data),
    dispose: () => mesh.dispose(),
  };
}

// Finds all overlapping pairs of boxes from scratch. Each run copies all boxes into the engine.
function boxesFromScratch(engine, order) {
  return {
    run(boxes) {
      const data = engine.boxPairs(boxes, { order });
      return { data, count: data.count };
    },
    translate: ({ data }) => interleave(data),
    clear() {},
  };
}

// Moves some of the boxes in every step, then finds all overlapping pairs incrementally.
function boxesInMotion(engine, boxes, order) {
  const broad = engine.createBroadPhase({ events: order === 'sorted' ? 'on' : 'off' });
  broad.set(boxes);
  return {
    step(ids, moved, count) {
      broad.move(ids.subarray(0, count), moved.subarray(0, 6 * count));
      const data = broad.pairs({ order });
      return { data, count: data.count };
    },
    translate: ({ data }) => interleave(data),
    dispose: () => broad.dispose(),
  };
}

// In every frame, moves all bodies, which share one mesh, and finds the pairs whose surfaces intersect.
function bodiesInMotion(engine, { verts, tris }, bodyCount) {
  const mesh = engine.createMesh({ positions: verts, indices: tris });
  const scene = engine.createScene();
  const slots = new Map();
  for (let body = 0; body < bodyCount; body++) slots.set(scene.add(mesh), body);
  const matrices = new Float32Array(16 * bodyCount);
  for (let at = 15; at < matrices.length; at += 16) matrices[at] = 1;
  return {
    frame(rows) {
      writePlacements(matrices, rows);
      scene.setTransforms(matrices);
      const data = scene.detect({ narrow: 'any' });
      return { data, count: data.count };
    },
    translate: ({ data: { a, b, count } }) =>
      interleave({ a: a.map(id => slots.get(id)), b: b.map(id => slots.get(id)), count }),
    dispose() {
      scene.dispose();
      mesh.dispose();
    },
  };
}

// variant: 'morton' builds trees with the builder 'morton' instead of 'sah'. 'sorted' returns the pairs of
// boxes and of the cloth in sorted order; for moving boxes, it also reports which pairs began and ended.
// threads: number of threads of the engine, including the calling thread.
export default async function ({ variant, threads }) {
  const { createEngine } = await import(new URL('../../dist/index.js', import.meta.url));
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
  const engine = await createEngine({ threads });
  const builder = variant === 'morton' ? 'morton' : 'sah';
  return {
    name: 'pfront',
    version,
    w1: (meshA, meshB) => meshAgainstMesh(engine, builder, meshA, meshB),
    w2s: () => boxesFromScratch(engine, variant === 'sorted' ? 'sorted' : 'any'),
    w2m: boxes => boxesInMotion(engine, boxes, variant === 'sorted' ? 'sorted' : 'any'),
    w3: mesh => clothAgainstItself(engine, builder, variant === 'sorted' ? 'sorted' : 'any', mesh),
    w5: (mesh, bodyCount) => bodiesInMotion(engine, mesh, bodyCount),
    w4: mesh => buildAndRefit(engine, builder, mesh),
  };
}
