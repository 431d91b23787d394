// Tests the sample scenes and meshes: their triangle counts are exact, surfaces are closed, bytes are the
// same each time, the teeth of gears intersect, and nothing moves far in one frame.

import * as assert from 'uvu/assert';
import type { MeshData, Scene } from '../../dist/samples/index.js';
import * as scenes from '../../dist/samples/index.js';
import { boxPairs, triangleBoxes, trianglePairs } from '../oracle/bruteForce.js';
import { place, placeTriangles } from '../oracle/place.js';
import { dataTest } from '../support/data.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { readDragon } from '../support/truth.js';

// Returns whether each edge is used once in each direction.
function isClosed({ indices }: MeshData): boolean {
  const edges = new Set<number>();
  const key = (corner: number) => {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    return indices[corner] * 2 ** 26 + indices[next];
  };
  for (let corner = 0; corner < indices.length; corner++) edges.add(key(corner));
  const reversed = (edge: number) => (edge % 2 ** 26) * 2 ** 26 + Math.floor(edge / 2 ** 26);
  return edges.size === indices.length && [...edges].every(edge => edges.has(reversed(edge)));
}

// Returns the signed volume of a closed mesh. It is positive if the triangles face outward.
function volume(mesh: MeshData): number {
  const corners = placeTriangles(mesh);
  let sum = 0;
  for (let at = 0; at < corners.length; at += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(at, at + 9) as unknown as number[];
    sum +=
      (ax! * (by! * cz! - bz! * cy!) + ay! * (bz! * cx! - bx! * cz!) + az! * (bx! * cy! - by! * cx!)) / 6;
  }
  return sum;
}

const transformOf = (scene: Scene, t: number, part: number) =>
  scene.frame(t).subarray(part * 16, part * 16 + 16);
const meshOf = (scene: Scene, part: number) => scene.meshes[scene.parts[part].mesh];
const pairsOf = (scene: Scene, t: number, a: number, b: number) =>
  trianglePairs(meshOf(scene, a), transformOf(scene, t, a), meshOf(scene, b), transformOf(scene, t, b));
const hashScene = (scene: Scene) =>
  hashBytes(
    ...scene.meshes.flatMap(mesh => [mesh.positions, mesh.indices]),
    scene.frame(0),
    scene.frame(17.5),
  );

// Returns the max distance that any vertex moves from frame t to frame t + 1, relative to the max extent of
// the vertex's part.
function maxMotion(scene: Scene, t: number): number {
  const ratios = scene.parts.map((_, part) => {
    const { positions } = meshOf(scene, part);
    const before = place(positions, transformOf(scene, t, part));
    const after = place(positions, transformOf(scene, t + 1, part));
    const extents = [0, 1, 2].map(axis => {
      const values = positions.filter((_, at) => at % 3 === axis);
      return (
        values.reduce((max, value) => Math.max(max, value), -Infinity) -
        values.reduce((min, value) => Math.min(min, value), Infinity)
      );
    });
    let maximum = 0;
    for (let at = 0; at < before.length; at += 3) {
      maximum = Math.max(
        maximum,
        Math.hypot(after[at] - before[at], after[at + 1] - before[at + 1], after[at + 2] - before[at + 2]),
      );
    }
    return maximum / Math.max(...extents);
  });
  return Math.max(...ratios);
}

test('the scenes of papers have the documented sizes, closed parts and faces that point outward', () => {
  const [worm, train] = [scenes.wormGear({ triangles: 64_000 }), scenes.epicyclicTrain()];
  assert.is(scenes.placedTriangleCount(worm), 64_000);
  assert.is(scenes.placedTriangleCount(train), 149_000);
  assert.is(train.parts.length, 17);
  for (const triangles of [4000, 10_004, 256_000]) {
    assert.is(scenes.placedTriangleCount(scenes.wormGear({ triangles })), triangles);
  }
  assert.throws(() => scenes.wormGear({ triangles: 4002 }), /4002 triangles/);
  for (const mesh of [...worm.meshes, ...train.meshes]) {
    assert.ok(isClosed(mesh));
    assert.ok(volume(mesh) > 0);
  }
});

test('solids have exactly the given number of triangles, closed and facing outward', () => {
  for (const count of [8, 100, 2002, 40_000]) {
    const sphere = scenes.sphere(count);
    assert.is(scenes.triangleCount(sphere), count);
    assert.ok(isClosed(sphere) && volume(sphere) > 0, `sphere ${count}`);
  }
  for (const count of [18, 1002, 20_000]) {
    const torus = scenes.torus(count);
    assert.is(scenes.triangleCount(torus), count);
    assert.ok(isClosed(torus) && volume(torus) > 0, `torus ${count}`);
  }
  assert.is(volume(scenes.box(1, 2, 3)), 48);
  assert.ok(isClosed(scenes.box()));
  assert.throws(() => scenes.sphere(9), /9 triangles/);
});

// The expected clashes, as 'A | B'. A is a part of the structure or a duct, and B is a pipe or duct that runs
// through A.
const buildingClashes = [
  'floor slab | soil stack',
  'roof slab | soil stack',
  'ground column C2 | drain ground',
  'ground beam B2-C2 | sprinkler main ground',
  'ground wall B2-C2 | supply branch ground 2',
  'upper beam C2-D2 | sprinkler main upper',
  'upper beam B2-B3 | supply duct upper',
  'upper beam C2-C3 | supply duct upper',
  'upper wall B2-B3 | supply duct upper',
  'upper wall C2-C3 | supply duct upper',
  'supply duct upper | sprinkler main upper',
  'return duct upper | heating upper',
];

test('the building has closed parts with different names, and exactly the listed clashes', () => {
  const scene = scenes.building();
  const { parts, meshes } = scene;
  assert.equal([parts.length, scenes.placedTriangleCount(scene)], [94, 5140]);
  assert.is(new Set(parts.map(({ name }) => name)).size, parts.length);
  for (const { name, mesh } of parts)
    assert.ok(isClosed(meshes[mesh]) && volume(meshes[mesh]) > 0, `${name} is not closed, or faces inward`);
  assert.equal(scene.frame(0), scene.frame(17.5));
  const placed = parts.map((_, part) => place(meshOf(scene, part).positions, transformOf(scene, 0, part)));
  const bounds = placed.map(points =>
    [0, 1, 2].map(axis => {
      const values = points.filter((_, at) => at % 3 === axis);
      return [Math.min(...values), Math.max(...values)];
    }),
  );
  const areNear = (a: number, b: number): boolean =>
    bounds[a].every(([min, max], axis) => min <= bounds[b][axis][1] && bounds[b][axis][0] <= max);
  const clashes: string[] = [];
  for (let a = 0; a < parts.length; a++)
    for (let b = a + 1; b < parts.length; b++)
      if (areNear(a, b) && pairsOf(scene, 0, a, b).length > 0)
        clashes.push(`${parts[a].name} | ${parts[b].name}`);
  assert.equal(clashes, buildingClashes);
});

test('stress meshes have the given number of triangles and finite coordinates', () => {
  for (const make of [scenes.soup, scenes.slivers, scenes.skewed, scenes.lattice]) {
    for (const count of [0, 1, 2, 5000])
      assert.is(scenes.triangleCount(make(count, 3)), count, `${make.name} ${count}`);
    assert.ok(make(500, 3).positions.every(Number.isFinite));
  }
});

test('the same parameters give the same bytes, and another seed gives different ones', () => {
  const makers: [string, () => string][] = [
    ['worm', () => hashScene(scenes.wormGear({ triangles: 8000 }))],
    ['train', () => hashScene(scenes.epicyclicTrain())],
    ['building', () => hashScene(scenes.building())],
    ['boxes', () => hashScene(scenes.latticeBoxes(50, 4))],
    ['plates', () => hashScene(scenes.touchingPlates(500))],
    ['path', () => hashScene(scenes.penetrationPath(scenes.sphere(100), scenes.torus(100), 40))],
    ['placements', () => hashBytes(...scenes.randomPlacements(scenes.torus(100), 10, 5))],
  ];
  for (const [name, make] of makers) assert.is(make(), make(), name);
  for (const make of [scenes.soup, scenes.slivers, scenes.skewed, scenes.lattice]) {
    assert.is(hashBytes(make(300, 1).positions), hashBytes(make(300, 1).positions), make.name);
    assert.is.not(hashBytes(make(300, 1).positions), hashBytes(make(300, 2).positions), make.name);
  }
});

test('random integers are spread evenly over their range, and random directions have length 1', () => {
  const random = scenes.createRandom(0);
  const counts = new Uint32Array(8);
  for (let draw = 0; draw < 80_000; draw++) counts[random.below(8)]++;
  assert.ok(
    counts.every(count => Math.abs(count - 10_000) < 500),
    String(counts),
  );
  for (let draw = 0; draw < 1000; draw++) assert.ok(Math.abs(Math.hypot(...random.direction()) - 1) < 1e-12);
});

test('worm and wheel intersect in 100 to 1,000 triangle pairs in two frames', () => {
  const scene = scenes.wormGear({ triangles: 16_000 });
  for (const t of [0, 64.5]) {
    const count = pairsOf(scene, t, 0, 1).length;
    assert.ok(count > 100 && count < 1000, `${count} pairs at ${t}`);
  }
});

test.slow('within a stage of the gear train, planets intersect only the sun and the ring', () => {
  const scene = scenes.epicyclicTrain();
  const stageOf = (part: number) => scene.parts[part].name.slice(0, 7);
  for (const t of [133.7]) {
    const intersecting: string[] = [];
    for (let a = 0; a < 17; a++) {
      for (let b = a + 1; b < 17; b++) {
        if (stageOf(a) !== stageOf(b)) continue;
        const count = pairsOf(scene, t, a, b).length;
        if (count > 0) intersecting.push(`${scene.parts[a].name} - ${scene.parts[b].name}`);
        assert.ok(count < 1000, `${count} pairs`);
      }
    }
    assert.is(intersecting.length, 22);
    assert.ok(intersecting.every(names => names.includes('planet') && /sun|ring/.test(names)));
  }
});

test('nothing moves more than 1 % of its size in a frame', () => {
  const path = scenes.penetrationPath(scenes.sphere(200), scenes.torus(200), 200);
  const moving = [
    scenes.wormGear({ triangles: 8000 }),
    scenes.epicyclicTrain(),
    path,
    scenes.touchingPlates(200),
  ];
  for (const scene of moving) {
    for (const t of [50.5, 120]) {
      const motion = maxMotion(scene, t);
      assert.ok(motion > 0.001 && motion <= 0.01, `${scene.parts[0].name} moves ${motion}`);
    }
  }
});

test('the meshes of a penetration path are disjoint before and after it, and intersect in between', () => {
  const path = scenes.penetrationPath(scenes.sphere(300), scenes.sphere(300), 10);
  assert.is(pairsOf(path, -0.01, 0, 1).length, 0);
  assert.is(pairsOf(path, 10.01, 0, 1).length, 0);
  for (let t = 1; t < 10; t++) assert.ok(pairsOf(path, t, 0, 1).length > 0, `step ${t}`);
});

test('at least 15 of 20 random placements of a mesh intersect the mesh', () => {
  const torus = scenes.torus(400);
  const placements = scenes.randomPlacements(torus, 20, 7);
  const counts = placements.map(placement => trianglePairs(torus, undefined, torus, placement).length);
  assert.ok(counts.filter(count => count > 0).length >= 15, String(counts));
});

test('plates touch in a plane and share no volume', () => {
  const scene = scenes.touchingPlates(1000);
  assert.is(scenes.placedTriangleCount(scene), 2000);
  const corners = scene.parts.map((_, part) =>
    placeTriangles(meshOf(scene, part), transformOf(scene, 3, part)),
  );
  const boxes = corners.map(triangleBoxes);
  for (const [a, b] of boxPairs(boxes[0], boxes[1])) {
    assert.is(
      Math.min(boxes[0][a * 6 + 5], boxes[1][b * 6 + 5]) - Math.max(boxes[0][a * 6 + 2], boxes[1][b * 6 + 2]),
      0,
    );
  }
  assert.ok(pairsOf(scene, 3, 0, 1).length > 500);
});

test('lattice meshes have integer coordinates and intersect in more than 1,000 triangle pairs', () => {
  const mesh = scenes.lattice(200, 1);
  assert.ok(mesh.positions.every(Number.isInteger));
  const pairs = trianglePairs(mesh, undefined, scenes.lattice(200, 2), undefined);
  assert.ok(pairs.length > 1000, `${pairs.length}`);
});

test('in a skewed mesh, half of the triangles are nearer to the center than a millionth of the mesh size', () => {
  const { positions } = scenes.skewed(4000);
  let near = 0;
  for (let at = 0; at < positions.length; at += 9) if (Math.abs(positions[at]) < 2e-6) near++;
  assert.ok(near > 1900, `${near}`);
});

test('Loop subdivision splits each triangle into four, keeps closed meshes closed, and keeps spheres round', () => {
  const sphere = scenes.sphere(2000);
  const fine = scenes.loopSubdivide(sphere);
  assert.is(scenes.triangleCount(fine), 8000);
  assert.ok(isClosed(fine));
  assert.ok(Math.abs(volume(fine) - volume(sphere)) < 0.01 * volume(sphere));
  // A single triangle has only border edges. The new vertices are the midpoints of the edges. Each corner
  // moves to 3/4 of its own position plus 1/8 of each of the other two corners.
  const open = scenes.loopSubdivide({
    positions: Float32Array.of(0, 0, 0, 8, 0, 0, 0, 8, 0),
    indices: Uint32Array.of(0, 1, 2),
  });
  assert.equal(Array.from(open.positions), [1, 1, 0, 6, 1, 0, 1, 6, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0]);
  assert.equal(Array.from(open.indices), [0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5]);
});

dataTest('Loop subdivision of a scan has the expected counts', () => {
  const fine = scenes.loopSubdivide(readDragon());
  assert.is(fine.indices.length / 3, 810_080);
  assert.is(fine.positions.length / 3, 401_457);
});

test.run();
