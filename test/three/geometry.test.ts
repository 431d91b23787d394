// Tests meshFromGeometry, which makes meshes of three.js geometries. Compares the triangle pairs of
// geometries of every kind with brute force over the triangles that three.js draws, and tests that geometries
// are not changed.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Float16BufferAttribute,
  Float32BufferAttribute,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  Raycaster,
  SphereGeometry,
  TorusKnotGeometry,
  Triangle,
  Vector3,
} from 'three';
import * as assert from 'uvu/assert';
import { type GeometryOptions, meshFromGeometry, triangleOf } from '../../dist/three/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { caught, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const probe = new SphereGeometry(0.9, 12, 8).translate(0.4, 0.2, 0.1);

/**
 * Returns the triangles that begin at the given elements. An element is an entry of the index, or a vertex if
 * the geometry has no index.
 */
function cornersOf(
  geometry: BufferGeometry,
  starts: readonly number[],
): { positions: Float32Array; indices: Uint32Array } {
  const { index } = geometry;
  const position = geometry.attributes.position!;
  const vertices = starts.flatMap(start =>
    [0, 1, 2].map(corner => (index ? index.getX(start + corner) : start + corner)),
  );
  const positions = Float32Array.from(
    vertices.flatMap(vertex => [
      position.getX(vertex),
      position.getY(vertex),
      position.itemSize > 2 ? position.getZ(vertex) : 0,
    ]),
  );
  return { positions, indices: Uint32Array.from(vertices.keys()) };
}

const startsFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.floor((last - first) / 3) }, (_, i) => first + 3 * i);
const elementCount = (geometry: BufferGeometry): number =>
  geometry.index?.count ?? geometry.attributes.position!.count;
const bytesOf = ({ index, attributes }: BufferGeometry): string[] =>
  [index, attributes.position].map(attribute =>
    attribute ? Buffer.from((attribute.array as Uint8Array).slice().buffer).toString('base64') : '',
  );

/**
 * Registers a test that queries a geometry against `probe` and compares the pairs with brute force. Triangles
 * are numbered as in the geometry. starts: the elements at which the geometry's drawn triangles begin.
 */
function check(
  name: string,
  geometry: BufferGeometry,
  starts = startsFrom(0, elementCount(geometry)),
  options: GeometryOptions = {},
): void {
  test(`a mesh of a geometry has the triangle pairs that brute force finds: ${name}`, () =>
    withEngine({ threads: 1, warmUp: 'off' }, engine => {
      const before = bytesOf(geometry);
      const index = geometry.index;
      const mesh = meshFromGeometry(engine, geometry, options);
      const other = meshFromGeometry(engine, probe);
      const found = pairsOf(engine.query(mesh, other)).map(
        ([a, b]): Pair => [triangleOf(mesh, a), triangleOf(other, b)],
      );
      const expected = trianglePairs(
        cornersOf(geometry, starts),
        undefined,
        cornersOf(probe, startsFrom(0, elementCount(probe))),
        undefined,
      ).map(([a, b]): Pair => [Math.floor(starts[a] / 3), b]);
      assert.ok(expected.length > 10, `${expected.length} pairs`);
      assert.equal(found, expected);
      assert.is(mesh.triangleCount, starts.length);
      assert.equal(bytesOf(geometry), before);
      assert.is(geometry.index, index);
    }));
}

const knot = (): BufferGeometry => new TorusKnotGeometry(0.7, 0.25, 40, 8);
const loose = (): BufferGeometry => knot().toNonIndexed();

// Makes the knot with positions of another type.
function withPositions(
  make: (values: Float32Array) => BufferAttribute | InterleavedBufferAttribute,
): BufferGeometry {
  const geometry = knot();
  return geometry.setAttribute('position', make(geometry.attributes.position!.array as Float32Array));
}

function quantized(
  array: Int16Array | Uint8Array | Int8Array | Uint16Array,
  maximum: number,
): BufferGeometry {
  return withPositions(
    values =>
      new BufferAttribute(
        (array.constructor as typeof Int16Array).from(values, value => Math.round(value * maximum)) as never,
        3,
        true,
      ),
  );
}

check('indexed, 16 bits', knot());
check(
  'indexed, 32 bits',
  (() => {
    const geometry = knot();
    return geometry.setIndex(new BufferAttribute(Uint32Array.from(geometry.index!.array), 1));
  })(),
);
check(
  'indexed, 8 bits',
  new BoxGeometry(1, 1, 1).setIndex(
    new BufferAttribute(Uint8Array.from(new BoxGeometry(1, 1, 1).index!.array), 1),
  ),
);
check('not indexed', loose());
check('normalized 16-bit integers', quantized(new Int16Array(), 32767));
check('normalized bytes', quantized(new Int8Array(), 127));
check(
  'whole numbers as coordinates',
  withPositions(
    values =>
      new BufferAttribute(
        Int16Array.from(values, value => Math.round(value * 4)),
        3,
      ),
  ),
);
check(
  'half floats',
  withPositions(values => {
    const attribute = new Float16BufferAttribute(new Uint16Array(values.length), 3);
    for (let i = 0; i < attribute.count; i++)
      attribute.setXYZ(i, values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    return attribute;
  }),
);
check(
  'doubles',
  withPositions(
    values =>
      new BufferAttribute(
        Float64Array.from(values, value => value * 1.0000000001),
        3,
      ),
  ),
);
check(
  'four numbers per vertex',
  withPositions(
    values =>
      new Float32BufferAttribute(
        Array.from({ length: (values.length / 3) * 4 }, (_, i) =>
          i % 4 === 3 ? 7 : values[Math.floor(i / 4) * 3 + (i % 4)],
        ),
        4,
      ),
  ),
);
check(
  'two numbers per vertex, so that z is 0',
  (() => {
    const values = knot().attributes.position!.array;
    return knot().setAttribute(
      'position',
      new Float32BufferAttribute(
        Array.from({ length: (values.length / 3) * 2 }, (_, i) => values[Math.floor(i / 2) * 3 + (i % 2)]),
        2,
      ),
    );
  })(),
);
check(
  'interleaved',
  withPositions(values => {
    const buffer = new InterleavedBuffer(new Float32Array((values.length / 3) * 8), 8);
    const attribute = new InterleavedBufferAttribute(buffer, 3, 2);
    for (let i = 0; i < attribute.count; i++)
      attribute.setXYZ(i, values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    return attribute;
  }),
);
check(
  'interleaved and normalized',
  withPositions(values => {
    const buffer = new InterleavedBuffer(new Int16Array((values.length / 3) * 4), 4);
    const attribute = new InterleavedBufferAttribute(buffer, 3, 0, true);
    for (let i = 0; i < attribute.count; i++)
      attribute.setXYZ(i, values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    return attribute;
  }),
);

function ranged(geometry: BufferGeometry, start: number, count: number): BufferGeometry {
  geometry.setDrawRange(start, count);
  return geometry;
}
check('a draw range from the start', ranged(knot(), 0, 600), startsFrom(0, 600));
check('a draw range that ends within a triangle', ranged(knot(), 0, 601), startsFrom(0, 601));
check('a draw range from the middle', ranged(knot(), 300, 900), startsFrom(300, 1200));
check('a draw range beyond the end', ranged(knot(), 300, 1e6), startsFrom(300, elementCount(knot())));
check('a draw range without an index', ranged(loose(), 30, 900), startsFrom(30, 930));
check(
  'vertices that do not make a whole triangle',
  loose().setAttribute(
    'position',
    new Float32BufferAttribute(loose().attributes.position!.array.slice(0, 3 * 601) as never, 3),
  ),
  startsFrom(0, 601),
);

function grouped(): BufferGeometry {
  const geometry = knot();
  geometry.addGroup(0, 300, 0);
  geometry.addGroup(300, 300, 1);
  geometry.addGroup(900, 600, 0);
  return geometry;
}
check('all triangles, even those in no group, if no groups are chosen', grouped());
check(
  'chosen groups, in the order of the geometry',
  grouped(),
  [...startsFrom(0, 300), ...startsFrom(900, 1500)],
  { groups: [2, 0] },
);
check('a group chosen twice', grouped(), startsFrom(300, 600), { groups: [1, 1] });
check(
  'groups within a draw range',
  ranged(grouped(), 150, 1250),
  [...startsFrom(150, 300), ...startsFrom(900, 1400)],
  { groups: [0, 2] },
);

test('triangleOf returns the faceIndex that a Raycaster of three.js reports', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const geometry = ranged(knot(), 300, 900);
    const object = new Mesh(geometry);
    const position = geometry.attributes.position!;
    const facet = new Triangle();
    facet.setFromAttributeAndIndices(
      position,
      ...([603, 604, 605].map(at => geometry.index!.getX(at)) as [number, number, number]),
    );
    const normal = facet.getNormal(new Vector3());
    const middle = facet.getMidpoint(new Vector3());
    const [hit] = new Raycaster(
      middle.clone().addScaledVector(normal, 1e-3),
      normal.clone().negate(),
    ).intersectObject(object);
    const ends = [-1e-3, 1e-3, 1e-3].flatMap(along =>
      middle.clone().addScaledVector(normal, along).toArray(),
    );
    const needle = meshFromGeometry(
      engine,
      new BufferGeometry().setAttribute('position', new Float32BufferAttribute(ends, 3)),
    );
    const mesh = meshFromGeometry(engine, geometry);
    assert.is(hit!.faceIndex, 201);
    assert.equal(
      pairsOf(engine.query(mesh, needle)).map(([a]) => triangleOf(mesh, a)),
      [201],
    );
  }));

test('options are passed to the mesh, and invalid geometries and groups are reported', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    assert.ok(meshFromGeometry(engine, knot(), { deformable: true, builder: 'morton' }).isDeformable);
    assert.is(caught(() => meshFromGeometry(engine, new BufferGeometry())).code, 'InvalidMesh');
    assert.match(caught(() => meshFromGeometry(engine, grouped(), { groups: [3] })).message, 'no group 3');
    const nonFinite = knot();
    nonFinite.attributes.position!.setY(4, NaN);
    assert.match(caught(() => meshFromGeometry(engine, nonFinite)).message, 'positions[13]');
    assert.is(meshFromGeometry(engine, ranged(knot(), 0, 0)).triangleCount, 0);
  }));

test.run();
