// Tests bounding volume trees that a GPU builds or refits. A tree that the GPU builds must contain all
// triangles and give correct query results. If the GPU refits a tree of the CPU, the result must equal the
// CPU's own refit bit for bit.

import * as assert from 'uvu/assert';
import { validateTree } from '../../dist/debug/validateTree.js';
import { frameOf, GpuTrees } from '../../dist/gpu/bvh/gpuTrees.js';
import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuLost, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { createMesh, type Mesh, type MeshData } from '../../dist/mesh/mesh.js';
import { Leaf, limits, Node } from '../../dist/records/layout.js';
import { torus } from '../../dist/samples/index.js';
import { caughtLater, contextOf, hashInOrder, withEngine } from '../support/engines.js';
import { acquire, gpuTest, hasAdapter, withGpu } from '../support/gpu.js';
import { hashBytes } from '../support/hash.js';
import { bend, hardMeshes, makeRandom, makeSoup } from '../support/meshes.js';
import { test } from '../support/test.js';
import { makeTestContext, type TestContext } from '../support/testContext.js';
import {
  adoptTree,
  type BuiltTree,
  buildOnGpu,
  exchangeTree,
  makeTrees,
  readTree,
  refitOnGpu,
  type TreeWords,
  treeOf,
  uploadTriangles,
} from './gpuTrees.js';

let backend: TestContext;
let gpu: Gpu;
let trees: GpuTrees;
test.before(async () => {
  backend = await makeTestContext(1);
  if (!hasAdapter) return;
  gpu = await acquire();
  trees = await makeTrees(gpu);
});
test.after(async () => {
  await backend.close();
  if (hasAdapter) gpu.dispose();
});

const refitted = new Set<string>();

function faultsOf(mesh: Mesh, words: TreeWords): string[] {
  const restore = exchangeTree(backend, mesh, words);
  try {
    return validateTree(backend, mesh, 'by level');
  } finally {
    restore();
  }
}

// Returns a copy of a tree in which three words of each node are cleared: the flags for bounding spheres,
// which are undefined in trees without spheres.
function comparable({ nodes, leaves, depth, box }: TreeWords): TreeWords {
  const own = nodes.slice();
  for (let at = Node.at.sphereBoxes / 4; at < own.length; at += Node.size / 4) own.fill(0, at, at + 3);
  return { nodes: own, leaves, depth, box };
}
const hashTree = (tree: TreeWords): string =>
  hashBytes(...[tree].map(comparable).flatMap(({ nodes, leaves, box }) => [nodes, leaves, box]));

// Returns the sum of the surface areas of all boxes of a tree, divided by 8.
function areaOf({ nodes }: TreeWords): number {
  const floats = new Float32Array(nodes.buffer);
  const half = (at: number, axis: number): number => Math.max(0, floats[at + Node.at.halfX / 4 + 4 * axis]);
  let sum = 0;
  for (let node = 0; node < nodes.length; node += Node.size / 4) {
    for (let at = node; at < node + 4; at++)
      sum += half(at, 0) * half(at, 1) + half(at, 1) * half(at, 2) + half(at, 2) * half(at, 0);
  }
  return sum;
}

const build = (mesh: Mesh, data: MeshData): Promise<BuiltTree> => buildOnGpu(gpu, trees, backend, mesh, data);

gpuTest('trees of easy and difficult meshes contain all triangles', async () => {
  for (const [name, data] of hardMeshes().filter(([name]) => !/^(2|3|6|9|16) |3,000|plane/.test(name))) {
    const mesh = createMesh(backend, data, { builder: 'morton' });
    const { words } = await build(mesh, data);
    assert.equal(faultsOf(mesh, words), [], name);
    assert.ok(words.depth <= limits.STACK_DEPTH);
    mesh.dispose();
  }
});

// Each triangle is a point on one of the three axes, at a distance from the origin that is a power of 1/2.
// Each split therefore divides the triangles by only one bit of their Morton codes, which makes the tree
// deep.
gpuTest.slow('a tree that is deeper than expected is built', async () => {
  const data = {
    positions: Float32Array.from({ length: 9 * 12_000 }, (_, i) =>
      i % 3 === Math.floor(i / 9) % 3 ? 0.5 ** (Math.floor(i / 27) % 12) : 0,
    ),
  };
  const mesh = createMesh(backend, data);
  gpu.counters.submits = 0;
  const { words, shape } = await build(mesh, data);
  assert.equal(faultsOf(mesh, words), []);
  assert.is(shape.depth, 14);
  // Four submits: two checks, the kernels that build the tree, and the read-back.
  assert.is(gpu.counters.submits, 4);
  mesh.dispose();
});

// A GPU may round differently and compute other Morton codes than the CPU, so the test allows a difference of
// one percent.
gpuTest("the sizes and box areas of a tree differ from the CPU's by less than 1 %", async () => {
  for (const data of [makeSoup(3000, 1), torus(5000)]) {
    const mesh = createMesh(backend, data, { builder: 'morton' });
    const { words } = await build(mesh, data);
    const expected = treeOf(backend, mesh);
    const ratios = [
      words.nodes.length / expected.nodes.length,
      words.leaves.length / expected.leaves.length,
      areaOf(words) / areaOf(expected),
    ];
    assert.ok(
      ratios.every(ratio => Math.abs(ratio - 1) < 0.01),
      ratios.join(' '),
    );
    mesh.dispose();
  }
});

gpuTest.slow('a tree is the same if other trees precede it in buffers, and with lowered limits', async () => {
  const data = makeSoup(1500, 4, 0.2);
  const moved = bend(data.positions, 1);
  const mesh = createMesh(backend, data, { deformable: true });
  const frame = frameOf(backend.arena, mesh.recordAt);
  const hashes: string[] = [];
  const exercise = async (gpu: Gpu, trees: GpuTrees, before: number): Promise<void> => {
    const { triangles, shape, place, words } = await buildOnGpu(gpu, trees, backend, mesh, data, before);
    const refitted = await refitOnGpu(gpu, trees, shape, triangles, frame, place, moved);
    hashes.push([words, refitted].map(hashTree).join(' '));
    const commands = new Commands(gpu);
    commands.read(place.nodes, 0, before * Node.size);
    assert.ok((await commands.submit())[0].every(word => word === 0));
  };
  await exercise(gpu, trees, 0);
  await withGpu(
    async small => {
      const smallTrees = await makeTrees(small);
      for (const [before, workgroups] of [
        [3, 1],
        [1, 2],
        [0, 7],
        [2, 65535],
      ] as const) {
        small.limits.workgroups = workgroups;
        await exercise(small, smallTrees, before);
      }
    },
    { invocations: 64 },
  );
  assert.equal(
    hashes,
    hashes.map(() => hashes[0]),
  );
  mesh.dispose();
});

gpuTest(
  "a CPU's tree that is refitted on the GPU equals, bit for bit, the one refitted on the CPU",
  async () => {
    const some = hardMeshes().filter(([name]) =>
      /^(0|1|9) |soup of 3,000|large|plane|2\^|greatest|denormal|far|shared|inside/.test(name),
    );
    for (const [name, data] of [...some, ['a torus', torus(5000)] as const]) {
      const half = data.positions.map(value => value / 2);
      for (const builder of ['sah', 'morton'] as const) {
        const mesh = createMesh(backend, data, { builder, deformable: true });
        const { shape, place } = await adoptTree(gpu, trees, treeOf(backend, mesh), 2);
        const triangles = uploadTriangles(gpu, data, 1);
        for (const phase of name === 'a torus' ? [1, 2, 3] : [1]) {
          const moved = bend(half, phase);
          if (mesh.update(moved).rebuilt) continue;
          const words = await refitOnGpu(
            gpu,
            trees,
            shape,
            triangles,
            frameOf(backend.arena, mesh.recordAt),
            place,
            moved,
          );
          const expected = treeOf(backend, mesh);
          assert.is(words.depth, expected.depth);
          // A mesh without triangles has no box.
          if (mesh.triangleCount > 0)
            assert.is(hashTree(words), hashTree(expected), `${name}, ${builder}, ${phase}`);
          refitted.add(name);
        }
        shape.dispose();
        mesh.dispose();
      }
    }
    assert.is(refitted.size, some.length + 1);
  },
);

gpuTest.slow('two trees in the same buffers may be refitted in one submit', async () => {
  const meshes = [makeSoup(50, 1), makeSoup(700, 2)].map(data => ({
    data,
    mesh: createMesh(backend, data, { deformable: true }),
  }));
  const commands = new Commands(gpu);
  const own = new GpuTrees(gpu);
  const words = meshes.map(({ mesh }) => treeOf(backend, mesh));
  const nodes = gpu.createBuffer('nodes', 300 * Node.size);
  const leaves = gpu.createBuffer('leaves', 900 * Leaf.size);
  own.reserve(2100);
  const places = [
    { nodes, firstNode: 0, leaves, firstLeaf: 0 },
    {
      nodes,
      firstNode: words[0].nodes.byteLength / Node.size,
      leaves,
      firstLeaf: words[0].leaves.byteLength / Leaf.size,
    },
  ];
  const shapes = meshes.map(({ data, mesh }, i) => {
    const { nodes: nodeWords, leaves: leafWords } = words[i];
    const place = places[i];
    const moved = bend(data.positions, 1);
    commands.upload(nodes, place.firstNode * Node.size, nodeWords);
    commands.upload(leaves, place.firstLeaf * Leaf.size, leafWords);
    assert.not(mesh.update(moved).rebuilt);
    const shape = own.uploadShape(commands, nodeWords, leafWords.byteLength / Leaf.size);
    own.refit(
      commands,
      shape,
      uploadTriangles(gpu, { ...data, positions: moved }),
      frameOf(backend.arena, mesh.recordAt),
      place,
    );
    return shape;
  });
  await commands.submit();
  for (const [i, { mesh }] of meshes.entries()) {
    assert.is(hashTree(await readTree(gpu, shapes[i], places[i])), hashTree(treeOf(backend, mesh)));
    mesh.dispose();
  }
  own.dispose();
});

gpuTest.slow("a GPU's tree that is refitted contains its triangles in every frame", async () => {
  const data = makeSoup(2000, 3);
  const mesh = createMesh(backend, data, { deformable: true });
  const { triangles, shape, place } = await build(mesh, data);
  for (let phase = 1; phase <= 3; phase++) {
    const moved = bend(data.positions, phase);
    mesh.update(moved);
    gpu.counters.dispatches = 0;
    const words = await refitOnGpu(
      gpu,
      trees,
      shape,
      triangles,
      frameOf(backend.arena, mesh.recordAt),
      place,
      moved,
    );
    assert.equal(faultsOf(mesh, words), []);
    // Three dispatches: the vertices, the leaves, and all levels together.
    assert.is(gpu.counters.dispatches, 3);
  }
  mesh.dispose();
});

gpuTest('queries with trees built on a GPU find the same pairs as with trees of the CPU', async () => {
  const random = makeRandom(1);
  const data = [makeSoup(3000, 8, 0.08), torus(20_000)];
  await withEngine({ threads: 1 }, async engine =>
    withEngine({ threads: 1 }, async other => {
      const own = contextOf(other);
      const [expected, meshes] = [engine, other].map(each => data.map(one => each.createMesh(one))) as [
        [Mesh, Mesh],
        [Mesh, Mesh],
      ];
      for (const [i, one] of data.entries())
        exchangeTree(own, meshes[i], (await buildOnGpu(gpu, trees, own, meshes[i], one)).words);
      let count = 0;
      for (let iteration = 0; iteration < 4; iteration++) {
        const angle = 6 * random();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const transformB = Float64Array.of(
          c,
          s,
          0,
          0,
          -s,
          c,
          0,
          0,
          0,
          0,
          1,
          0,
          random() / 2,
          random() / 2,
          random() / 4,
          1,
        );
        const [there, here] = [
          engine.query(...expected, { transformB }),
          other.query(...meshes, { transformB }),
        ];
        count += there.count;
        assert.is(hashInOrder(here), hashInOrder(there));
      }
      assert.ok(count > 500, `${count} pairs`);
    }),
  );
});

gpuTest.slow('building a tree gives a typed error if it does not fit or the device is lost', async () => {
  const data = makeSoup(400, 1);
  const mesh = createMesh(backend, data);
  const frame = frameOf(backend.arena, mesh.recordAt);
  await withGpu(
    async small => {
      const none = small.createBuffer('none', 16);
      const triangles = {
        positions: none,
        firstVertex: 0,
        vertexCount: 12,
        indices: none,
        firstTriangle: 0,
        triangleCount: 400,
      };
      assert.instance(
        await caughtLater(() =>
          new GpuTrees(small).build(triangles, frame, mesh.bounds, () => {
            throw new Error('placed');
          }),
        ),
        GpuUnfit,
      );
    },
    { bindingBytes: 4096, invocations: 64 },
  );
  gpu.onWait = () => gpu.device.destroy();
  assert.instance(await caughtLater(() => build(mesh, data)), GpuLost);
  mesh.dispose();
});

test.run();
