// Tests the orientation of triangles. If random triangles of a closed surface were flipped, orientTriangles makes
// all its triangles face outward again. All other surfaces stay as they are.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { orientTriangles } from '../../dist/formats/orientTriangles.js';
import { readParts } from '../../dist/formats/readParts.js';
import { createRandom, type Random, torus } from '../../dist/samples/index.js';
import { block, insideOut, type Solid, shuffled, tetrahedron, together } from '../contact/solids.js';
import { test } from '../support/test.js';
import { beam, ifc } from './smallIfc.js';

/** Returns the same surface, in which each triangle was flipped with the given probability. */
const flipped = ({ positions, indices }: Solid, random: Random, share = 0.5): Solid => {
  const isFlipped = Array.from({ length: indices.length / 3 }, () => random.between(0, 1) < share);
  return {
    positions,
    indices: indices.map(
      (_, i) => indices[i - (i % 3) + (isFlipped[Math.floor(i / 3)]! ? [0, 2, 1] : [0, 1, 2])[i % 3]!]!,
    ),
  };
};

const oriented = ({ positions, indices }: Solid): number[] => {
  const own = indices.slice();
  orientTriangles(positions, own);
  return [...own];
};

/** Returns the vertex numbers of each triangle, in cyclic order from the smallest one. */
const cyclic = (indices: ArrayLike<number>): number[][] =>
  Array.from({ length: indices.length / 3 }, (_, t) => {
    const own = [0, 1, 2].map(k => indices[3 * t + k]!);
    const first = own.indexOf(Math.min(...own));
    return [0, 1, 2].map(k => own[(first + k) % 3]!);
  });

const asSolid = ({
  positions,
  indices,
}: {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}): Solid => ({
  positions: Float32Array.from(positions),
  indices: Uint32Array.from(indices),
});

const CUBE = block([0, 0, 0], [2, 2, 2]);
/** Closed surfaces that face outward. */
const SOLIDS: Record<string, Solid> = {
  cube: CUBE,
  tetrahedron: tetrahedron([
    [0, 0, 0],
    [3, 0, 0],
    [0, 3, 0],
    [0, 0, 3],
  ]),
  torus: asSolid(torus(400) as never),
  'two cubes': together(CUBE, block([5, 5, 5], [6, 6, 6])),
  // Four triangles use the common edge.
  'two cubes with a common edge': together(CUBE, block([2, 2, 0], [3, 3, 2])),
  'two cubes with a common corner': together(CUBE, block([2, 2, 2], [3, 3, 3])),
};

for (const [name, solid] of Object.entries(SOLIDS))
  test(`flipped triangles of a closed surface are flipped back: ${name}`, () => {
    const random = createRandom(3);
    for (let run = 0; run < 40; run++) {
      const own = run % 2 === 0 ? solid : shuffled(solid, random);
      const given = flipped(own, random, run % 4 < 2 ? 0.5 : 0.9);
      for (const kept of [given, { ...given, positions: Float64Array.from(given.positions) as never }])
        assert.equal(cyclic(oriented(kept)), cyclic(own.indices), `run ${run}`);
    }
  });

test('consistent surfaces that face inward are flipped, unless a surface of the mesh may bound a cavity', () => {
  assert.equal(cyclic(oriented(insideOut(CUBE))), cyclic(CUBE.indices));
  const hollow = together(insideOut(CUBE), block([0.5, 0.5, 0.5], [1, 1, 1]));
  assert.equal(oriented(hollow), [...hollow.indices]);
});

test('the surface of a cavity keeps its direction, and a surface that may bound a cavity stays as it is', () => {
  const random = createRandom(5);
  const hollow = together(CUBE, insideOut(block([0.5, 0.5, 0.5], [1, 1, 1])));
  assert.equal(oriented(hollow), [...hollow.indices]);
  for (let run = 0; run < 20; run++) {
    const outer = flipped(CUBE, random);
    const inner = flipped(block([0.5, 0.5, 0.5], [1, 1, 1]), random);
    const found = oriented(together(outer, inner));
    assert.equal(cyclic(found.slice(0, 36)), cyclic(CUBE.indices));
    assert.equal(found.slice(36), [...together(outer, inner).indices.subarray(36)]);
  }
});

test('open and one-sided surfaces stay as they are', () => {
  const random = createRandom(7);
  const open = { positions: CUBE.positions, indices: CUBE.indices.slice(3) };
  // The smallest projective plane: each edge has two triangles, but no orientation is consistent.
  const plane = {
    positions: Float32Array.from({ length: 18 }, () => random.between(0, 1)),
    indices: Uint32Array.of(
      ...[0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1],
      ...[1, 2, 4, 2, 3, 5, 3, 4, 1, 4, 5, 2, 5, 1, 3],
    ),
  };
  for (const surface of [open, plane])
    for (let run = 0; run < 10; run++) {
      const given = flipped(surface, random);
      assert.equal(oriented(given), [...given.indices]);
    }
  assert.equal(oriented({ positions: new Float32Array(0), indices: new Uint32Array(0) }), []);
});

test('triangles with two equal corners do not disturb their neighbors', () => {
  // Vertex 8 has the position of vertex 0, so triangles that use both have at most two different corners.
  const positions = Float32Array.of(...CUBE.positions, ...CUBE.positions.subarray(0, 3));
  const flat = [0, 8, 1, 1, 8, 0, 0, 0, 8];
  const random = createRandom(9);
  for (let run = 0; run < 10; run++) {
    const { indices } = flipped(CUBE, random);
    const found = oriented({ positions, indices: Uint32Array.of(...flat, ...indices) });
    assert.equal(found.slice(0, flat.length), flat);
    assert.equal(cyclic(found.slice(flat.length)), cyclic(CUBE.indices));
  }
});

test('if the volume may be only a rounding error, as few triangles as possible are flipped', () => {
  const flat = tetrahedron([
    [0, 0, 0],
    [3, 0, 0],
    [0, 3, 0],
    [1, 1, 0],
  ]);
  const given = { ...flat, indices: flat.indices.slice() };
  [given.indices[1], given.indices[2]] = [given.indices[2]!, given.indices[1]!];
  assert.equal(cyclic(oriented(given)), cyclic(flat.indices));
});

test('each body of an IFC element is oriented', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orient-'));
  try {
    const list = (rows: number[][], text: (value: number) => string): string =>
      `(${rows.map(row => `(${row.map(text).join(',')})`).join(',')})`;
    const rows = (values: ArrayLike<number>): number[][] =>
      Array.from({ length: values.length / 3 }, (_, i) => [0, 1, 2].map(k => values[3 * i + k]!));
    const random = createRandom(11);
    // The second cube touches the first one along a face, so common edges have four triangles.
    const bodies = [CUBE, block([2, 0, 0], [4, 2, 2])].map(solid => flipped(solid, random));
    const lines = bodies.flatMap(({ positions, indices }, i) => [
      `#${300 + i}=IFCTRIANGULATEDFACESET(#${310 + i},$,.T.,${list(rows(indices), v => `${v + 1}`)},$);`,
      `#${310 + i}=IFCCARTESIANPOINTLIST3D(${list(rows(positions), v => `${v}.`)});`,
    ]);
    const text = ifc([beam('Beam', [0, 0, 0], [1, 1, 1])])
      .replace("'SweptSolid',(#106)", "'Tessellation',(#300,#301)")
      .replace(/#10[67]=.*\n/g, '')
      .replace('ENDSEC;\nEND-', `${lines.join('\n')}\nENDSEC;\nEND-`);
    writeFileSync(join(folder, 'bodies.ifc'), text);
    const [part] = await readParts(join(folder, 'bodies.ifc'));
    const { positions, indices } = part!;
    assert.is(indices.length, 72);
    // Six times the volume of each body.
    const volumes = [0, 36].map(begin =>
      rows(indices.subarray(begin, begin + 36)).reduce((sum, row) => {
        const [a, b, c] = row.map(vertex => positions.subarray(3 * vertex, 3 * vertex + 3)) as [
          Float32Array,
          Float32Array,
          Float32Array,
        ];
        return (
          sum +
          a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
          a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
          a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)
        );
      }, 0),
    );
    assert.equal(volumes, [48, 48]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
