// Tests the options `overlapDepth`, `volume` and `depthBudget` of `penetration` and of `query` with segments.
// The bounds that the two methods return must contain the exact values and equal the bounds of `classify`, for
// any number of threads and in `engine.async`. Options that cannot have an effect must be refused.
// exchangedMeshes.test.ts compares random solids.

import * as assert from 'uvu/assert';
import {
  createEngine,
  type Engine,
  type Mesh,
  type OverlapFigures,
  type Penetration,
  type TrianglePairs,
} from '../../dist/index.js';
import { sphere, torus } from '../../dist/samples/index.js';
import { volumeComparer } from '../oracle/commonVolume.js';
import { placeTriangles } from '../oracle/place.js';
import { caught, caughtLater, disposeAll, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { plainRegion } from './plainRegion.js';
import { cylinder, plateWithHole } from './prisms.js';
import { shifted } from './randomSolids.js';
import { block, insideOut, type Solid, together } from './solids.js';

const ALL = { overlapDepth: true, volume: true } as const;

const empty: Solid = { positions: new Float32Array(0), indices: new Uint32Array(0) };
const cube = (x: number, y: number, z: number): Solid => block([x, y, z], [x + 2, y + 2, z + 2]);
const open = (solid: Solid): Solid => ({ ...solid, indices: solid.indices.subarray(3) });

/** Returns the figures of a result, and nothing else. */
const figuresOf = ({ overlapDepth, volume, separation }: OverlapFigures): OverlapFigures => ({
  ...(overlapDepth && { overlapDepth }),
  ...(separation && { separation }),
  ...(volume && { volume }),
});

/**
 * Computes the figures of a pair with each method, checks that all methods give the same figures, and returns
 * these with the regions.
 */
function measured(engine: Engine, a: Mesh, b: Mesh): { figures: OverlapFigures; regions: Penetration[] } {
  const figures = figuresOf(engine.classify(a, b, ALL));
  const { regions, ...ofRegions } = engine.penetration(a, b, ALL);
  const contacts = engine.query(a, b, { want: 'segments', ...ALL });
  assert.equal(ofRegions, figures);
  assert.equal(figuresOf(contacts), figures);
  assert.equal(figuresOf(contacts.copy()), figures);
  for (const name of ['overlapDepth', 'volume'] as const) {
    const expected = figuresOf(engine.classify(a, b, { [name]: true }));
    const { regions: _, ...onlyFigure } = engine.penetration(a, b, { [name]: true } as typeof ALL);
    assert.equal(onlyFigure, expected);
    assert.equal(
      [name in expected, 'volume' in expected],
      [name in figures, name === 'volume' && name in figures],
    );
    assert.equal(figuresOf(engine.query(a, b, { want: 'segments', [name]: true })), onlyFigure);
  }
  assert.equal(engine.penetration(a, b), regions.map(plainRegion));
  return { figures, regions };
}

// The largest ball of the pin in the hole touches an edge of the hole and two faces of the pin.
const cosine = Math.cos(Math.PI / 16);
const pinDepth = (0.1 * cosine) / (1 + cosine);

/**
 * One pair of solids per entry, with its overlap depth, its common volume (undefined if the oracle computes the
 * volume), its number of contact regions, and the length of the shortest translation that separates the solids.
 */
const pairs: readonly [
  name: string,
  a: Solid,
  b: Solid,
  depth: number,
  volume: number | undefined,
  regions: number,
  separation: number,
][] = [
  ['boxes', cube(0, 0, 0), cube(1, 0.5, 1), 1, 1.5, 1, 1],
  ['boxes with faces in common planes', cube(0, 0, 0), cube(1, 0, 0), 1, 4, 1, 1],
  ['a bar through a plate', block([-1, -1, -9], [1, 1, 9]), block([-8, -8, 0], [8, 8, 4]), 2, 16, 2, 9],
  [
    'a pin in a narrow hole',
    cylinder(16, 5.05, -5, 25),
    plateWithHole(16, 5, 20, 0, 20),
    pinDepth,
    undefined,
    2,
    25,
  ],
  [
    'two feet of different width in a floor',
    together(block([0, 0, -1], [1, 1, 5]), block([4, 0, -2], [7, 3, 5])),
    block([-9, -9, -4], [15, 15, 0]),
    2,
    1 + 18,
    2,
    2,
  ],
  ['a box inside a box', cube(0, 0, 0), block([-9, -9, -9], [9, 9, 9]), 2, 8, 1, 9],
  [
    'two boxes, one of them inside',
    together(cube(0, 0, 0), cube(20, 0, 0)),
    block([-9, -9, -9], [9, 9, 9]),
    2,
    8,
    1,
    9,
  ],
  ['duplicates', cube(0, 0, 0), cube(0, 0, 0), 2, 8, 1, 2],
  ['boxes with a common face', cube(0, 0, 0), cube(2, 0, 0), 0, 0, 1, 0],
  ['boxes with a common edge', cube(0, 0, 0), cube(2, 2, 0), 0, 0, 1, 0],
  ['boxes that are apart', cube(0, 0, 0), cube(5, 0, 0), 0, 0, 0, 0],
];

test('all methods return the known figures of pairs of solids, in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const [name, solidA, solidB, depth, volume, regionCount, shortest] of pairs) {
      const [a, b] = [engine.createMesh(solidA), engine.createMesh(solidB)];
      const { figures, regions } = measured(engine, a, b);
      const { overlapDepth, volume: bounds, separation } = figures;
      const text = `${name}: ${JSON.stringify(figures)}`;
      assert.ok(overlapDepth!.lower <= depth * (1 + 1e-4) && depth <= overlapDepth!.upper * (1 + 1e-4), text);
      assert.ok(overlapDepth!.upper <= overlapDepth!.lower * 1.0101, text);
      assert.is(overlapDepth!.center !== undefined, depth > 0, text);
      if (volume === undefined) {
        const compare = volumeComparer(placeTriangles(solidA), placeTriangles(solidB));
        assert.ok(compare(bounds!.lower) >= 0 && compare(bounds!.upper) <= 0, text);
      } else assert.ok(bounds!.lower <= volume && volume <= bounds!.upper, text);
      assert.is(regions.length, regionCount, text);
      // `separation` is about one translation that separates all regions at once.
      assert.is(separation!.lower, overlapDepth!.lower, text);
      assert.ok(Math.abs(separation!.upper - shortest) <= 1e-9 * shortest, text);
      assert.equal(figuresOf(engine.penetration(b, a, ALL)), figures, name);
      assert.equal(figuresOf(engine.query(b, a, { want: 'segments', ...ALL })), figures, name);
      disposeAll(a, b);
    }
  }));

test('a figure that classify omits is omitted by all methods', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // The second shell faces inward, but lies in no solid.
    const notASolid = together(block([-4, -4, -4], [4, 4, 4]), insideOut(block([6, 6, 6], [8, 8, 8])));
    const names = (a: Solid, b: Solid): string[] => {
      const meshes = [engine.createMesh(a), engine.createMesh(b)] as const;
      const { figures } = measured(engine, ...meshes);
      disposeAll(...meshes);
      return Object.keys(figures);
    };
    for (const other of [open(cube(1, 1, 1)), open(cube(2, 0, 0)), open(cube(9, 9, 9)), empty]) {
      assert.equal(names(cube(0, 0, 0), other), []);
      assert.equal(names(other, cube(0, 0, 0)), []);
      assert.equal(names(other, other), []);
    }
    assert.equal(names(notASolid, cube(3, 3, 3)), ['overlapDepth', 'separation']);
  }));

test('the figures do not depend on the number of threads, and engine.async returns them too', async () => {
  const answers = new Set<string>();
  for (const threads of [1, 2, 3]) {
    await withEngine({ threads, warmUp: 'off' }, async engine => {
      const [a, b] = [engine.createMesh(torus(400, 0.4)), engine.createMesh(sphere(300))];
      const options = { transformB: shifted(0.8, 0.3, 0.1), ...ALL, depthBudget: 300 } as const;
      const { regions, ...figures } = engine.penetration(a, b, options);
      const later = await engine.async.query(a, b, { ...options, want: 'segments' });
      assert.equal(figuresOf(later), figures);
      assert.equal(figuresOf(engine.classify(a, b, options)), figures);
      assert.ok(figures.overlapDepth!.lower > 0 && figures.volume!.lower > 0);
      answers.add(JSON.stringify([regions, figures]));
    });
  }
  assert.is(answers.size, 1);
});

test('after another query, the figures of a result with segments may still be read, but its segments may not', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const [a, b] = [engine.createMesh(cube(0, 0, 0)), engine.createMesh(cube(1, 1, 1))];
    const contacts = engine.query(a, b, { want: 'segments', volume: true });
    const { points } = contacts.copy();
    engine.query(a, b);
    assert.is(caught(() => contacts.points).code, 'Stale');
    assert.ok(contacts.volume!.lower <= 1 && 1 <= contacts.volume!.upper);
    assert.equal(points, engine.query(a, b, { want: 'segments' }).points);
  }));

test('if no figures are requested, the results stay as they are', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const [a, b] = [engine.createMesh(cube(0, 0, 0)), engine.createMesh(cube(1, 1, 1))];
    const none = { overlapDepth: false, volume: false } as const;
    assert.ok(Array.isArray(engine.penetration(a, b, none)));
    assert.equal(Object.keys(engine.query(a, b, { want: 'segments', ...none }).copy()), [
      'count',
      'a',
      'b',
      'kind',
      'pointsAt',
      'points',
    ]);
    assert.is((engine.query(a, b, none) as TrianglePairs).count, engine.query(a, b).count);
  }));

test('options that cannot have an effect are refused', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    const [a, b] = [engine.createMesh(cube(0, 0, 0)), engine.createMesh(cube(1, 1, 1))];
    const refused = async (options: object, pattern: RegExp): Promise<void> => {
      for (const error of [
        caught(() => engine.query(a, b, options)),
        await caughtLater(() => engine.async.query(a, b, options)),
      ]) {
        assert.is(error.code, 'Unsupported');
        assert.match(error.message, pattern);
      }
    };
    const noSearch = /^depthBudget is 60, but overlapDepth is not true/;
    for (const options of [{ depthBudget: 60 }, { depthBudget: 60, overlapDepth: false, volume: true }]) {
      assert.match(caught(() => engine.classify(a, b, options)).message, noSearch);
      assert.match(caught(() => engine.penetration(a, b, options)).message, noSearch);
      await refused({ want: 'segments', ...options }, noSearch);
    }
    await refused(
      { overlapDepth: true },
      /^the option overlapDepth requires that want is 'segments', .* 'pairs'/,
    );
    await refused({ volume: true, want: 'any' }, /^the option volume requires .* but want is 'any'/);
    await refused({ depthBudget: 9 }, /^the option depthBudget requires/);
    await refused(
      { normals: true },
      /^the option normals requires that want is 'segments', but want is 'pairs'/,
    );
    assert.match(
      caught(() => engine.queryMany({ pairs: [{ a, b }], normals: true })).message,
      /^the option normals requires/,
    );
    await refused({ volume: true, clearance: 1 }, /^the option volume requires/);
    await refused({ volume: true, certificate: true }, /^the option volume requires/);
    await refused({ want: 'segments', volume: 1 }, /^volume is 1, not true or false/);
    await refused({ want: 'segments', ...ALL, depthBudget: 0 }, /^depthBudget is 0, not a whole number/);
    assert.match(
      caught(() => engine.queryMany({ pairs: [{ a, b }], want: 'segments', ...ALL } as never)).message,
      /unknown key 'overlapDepth'/,
    );
    assert.match(
      caught(() => engine.penetration(a, b, { depth: true } as never)).message,
      /unknown key 'depth'/,
    );
    const core = await createEngine({ threads: 1, warmUp: 'off', modules: [] });
    const mesh = core.createMesh(cube(0, 0, 0));
    for (const options of [
      { volume: true },
      { overlapDepth: true, want: 'segments' },
      { depthBudget: 5 },
    ] as const)
      assert.match(
        caught(() => core.query(mesh, mesh, options as never)).message,
        /needs module 'proximity'/,
      );
    core.dispose();
  }));

test.run();
