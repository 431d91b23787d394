// Tests the overlap depth and the volume that `penetration` returns for each contact region. A region bounds a
// component of the intersection of both solids, and must have the depth and the volume of this component.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type MeasuredPenetration } from '../../dist/index.js';
import { createRandom, type Random, rotation, sphere, torus } from '../../dist/samples/index.js';
import { disposeAll, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { cylinder, plateWithHole } from './prisms.js';
import { block, insideOut, type Solid, together } from './solids.js';

const ALL = { overlapDepth: true, volume: true } as const;
type Placements = Parameters<Engine['penetration']>[2];

function measure(
  engine: Engine,
  solidA: Solid,
  solidB: Solid,
  placements: Placements = {},
): MeasuredPenetration {
  const [a, b] = [engine.createMesh(solidA), engine.createMesh(solidB)];
  const found = engine.penetration(a, b, { ...placements, ...ALL });
  disposeAll(a, b);
  return found;
}

/** Returns the depth and the volume of each component with a contact region, in the order of the volumes. */
function componentsOf({ regions }: MeasuredPenetration, text: string): { depth: number; volume: number }[] {
  const components = new Map<number, string>();
  for (const { component, overlapDepth, volume } of regions) {
    const figures = JSON.stringify([overlapDepth, volume]);
    assert.is(components.get(component!) ?? figures, figures, `${text}: regions of component ${component}`);
    components.set(component!, figures);
    assert.ok(overlapDepth!.upper <= 1.0101 * overlapDepth!.lower + 1e-9, `${text}: ${figures}`);
    assert.ok(volume!.upper - volume!.lower <= 1e-9, `${text}: ${figures}`);
  }
  return [...components.values()]
    .map(figures => JSON.parse(figures) as [{ lower: number }, { lower: number }])
    .map(([{ lower: depth }, { lower: volume }]) => ({ depth, volume }))
    .sort((one, other) => compareFigures([one.depth, one.volume], [other.depth, other.volume]));
}

/** Compares components by their volumes, up to rounding, then by their depths. */
const compareFigures = (one: readonly [number, number], other: readonly [number, number]): number =>
  Math.abs(one[1] - other[1]) > 1e-6 ? one[1] - other[1] : one[0] - other[0];

function checkComponents(
  found: MeasuredPenetration,
  expected: readonly (readonly [depth: number, volume: number])[],
  text: string,
  rounding = 1e-9,
): void {
  const components = componentsOf(found, text);
  assert.is(components.length, expected.length, `${text}: ${JSON.stringify(components)}`);
  [...expected].sort(compareFigures).forEach(([depth, volume], i) => {
    const figures = `${text}: ${JSON.stringify(components[i])}, not ${depth} and ${volume}`;
    assert.ok(Math.abs(components[i].volume - volume) <= rounding, figures);
    assert.ok(
      components[i].depth <= depth * 1.0101 + rounding && components[i].depth >= depth / 1.0101 - rounding,
      figures,
    );
  });
}

const bar = block([-1, -1, -10], [1, 1, 10]);
const plate = (from: number, to: number): Solid => block([-5, -5, from], [5, 5, to]);
const round = sphere(500);

/** One pair of solids per entry, with the depth and the volume of each component that has a contact region. */
const pairs: readonly [
  name: string,
  a: Solid,
  b: Solid,
  components: readonly (readonly [number, number])[],
][] = [
  [
    'a bar through two plates',
    bar,
    together(plate(0, 1), plate(4, 4.5)),
    [
      [1, 4],
      [0.5, 2],
    ],
  ],
  [
    'a bar through a plate and into a block',
    bar,
    together(plate(0, 1), plate(9.75, 19)),
    [
      [1, 4],
      [0.25, 1],
    ],
  ],
  [
    'a bar that touches a second plate',
    bar,
    together(plate(0, 1), plate(10, 12)),
    [
      [1, 4],
      [0, 0],
    ],
  ],
  [
    'a bar through a hollow block',
    bar,
    together(plate(-3, 3), insideOut(block([-4, -4, -2], [4, 4, 1]))),
    [
      [2, 8],
      [1, 4],
    ],
  ],
  ['a bar with a box inside', bar, together(plate(0, 1), block([-0.5, -0.5, 5], [0.5, 0.5, 6])), [[1, 4]]],
  [
    'a box and a box inside another one',
    together(block([0, 0, 0], [2, 2, 2]), block([6, 0, 0], [9, 2, 2])),
    block([1, -5, -5], [20, 5, 5]),
    [[1, 4]],
  ],
  ['a box', block([0, 0, 0], [2, 2, 2]), block([1, 1, 1], [3, 3, 3]), [[1, 1]]],
  ['a corner in a block', block([0, 0, 0], [2, 2, 2]), block([1, 1, 1], [9, 9, 9]), [[1, 1]]],
  ['duplicates', plate(0, 1), plate(0, 1), [[1, 100]]],
  [
    'two pairs of duplicates',
    together(plate(0, 1), plate(4, 6)),
    together(plate(4, 6), plate(0, 1)),
    [
      [1, 100],
      [2, 200],
    ],
  ],
  ['boxes with a common face', plate(0, 1), plate(1, 2), [[0, 0]]],
];

test('known components have their depths and volumes, in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const [name, a, b, components] of pairs) {
      checkComponents(measure(engine, a, b), components, name);
      checkComponents(measure(engine, b, a), components, `${name}, exchanged`);
    }
  }));

test('if meshes join several curved solids, each component has the depth and volume of its own pair of solids', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const moved = (solid: Solid, x: number): Solid => ({
      ...solid,
      positions: solid.positions.map((value, i) => (i % 3 === 0 ? value + x : value)),
    });
    const pin = cylinder(16, 5.0625, -5, 25);
    const hole = plateWithHole(16, 5, 20, 0, 20);
    for (const [name, one, other] of [
      ['balls and rings', [round, torus(400)], [moved(round, 0.25), round]],
      ['pins in holes', [pin, cylinder(16, 5.125, -5, 25)], [hole, hole]],
    ] as const) {
      const componentBounds = one.flatMap((solid, i) => {
        const { overlapDepth, volume } = measure(engine, solid, other[i]);
        return [[overlapDepth!.lower, volume!.lower] as const];
      });
      const [a, b] = [one, other].map(solids => together(...solids.map((solid, i) => moved(solid, 64 * i))));
      // The moved positions are rounded to floats, so the results differ a little.
      checkComponents(measure(engine, a, b), componentBounds, name, 1e-3);
    }
  }));

// A slab below z = 0, and two bars that are 2 wide and 8 long. The bars reach 1 and 0.5 below z = 0, so the
// volumes of their parts in the slab are 16 and 8.
const slab = block([0, 0, -10], [10, 10, 0]);
const teeth = together(block([1, 1, -1], [3, 9, 5]), block([5, 1, -0.5], [7, 9, 5]));

test('components whose boxes overlap are told apart if they are apart along a diagonal or a face normal', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    for (const axis of [
      [0, 0, 1],
      [1, 0, 0],
      [0.6, 0, 0.8],
    ] as const) {
      for (const angle of [Math.PI / 4, 1, 2.25]) {
        const transform = rotation([...axis], angle, [1, 2, 3]);
        const found = measure(engine, slab, teeth, { transformA: transform, transformB: transform });
        const components = [
          [1, 16],
          [0.5, 8],
        ] as const;
        checkComponents(found, components, `${axis}, ${angle}`, 1e-6);
        for (const { depth, overlapDepth } of found.regions)
          assert.ok(Math.abs(overlapDepth!.lower - depth) <= 0.01 * depth);
      }
    }
  }));

test('a tube through a wall has one component, although no edge meets both an inner and an outer curve', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const tube = plateWithHole(8, 1, 2, -5, 5);
    const wall = block([-4, -20, 0], [30, 40, 0.25]);
    const octagon = 2 * Math.SQRT2;
    checkComponents(measure(engine, tube, wall), [[0.25, (16 - octagon) / 4]], 'tube', 1e-6);
  }));

test('a region whose component cannot be told apart from others has its own bounds of the depth, and no volume', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // A frame, and a pin in the hole of the frame. They reach into the base by different lengths. No plane
    // separates the pin from the frame.
    const frame = (depth: number): Solid => plateWithHole(8, 2, 4, -depth, 5);
    const pin = (depth: number): Solid => block([-0.75, -0.75, -depth], [0.75, 0.75, 5]);
    const base = block([-20, -30, -10], [50, 60, 0]);
    for (const [ofFrame, ofPin] of [
      [1, 0.5],
      [0.5, 1],
    ] as const) {
      const { regions, overlapDepth } = measure(engine, base, together(frame(ofFrame), pin(ofPin)));
      const text = JSON.stringify(regions);
      assert.is(regions.length, 3, text);
      assert.ok(overlapDepth!.lower > 0.98, text);
      for (const { component, size, overlapDepth: bounds, volume } of regions) {
        const thickness = size < 2 ? ofPin : ofFrame;
        assert.equal([component, volume], [0, undefined], text);
        assert.ok(bounds!.lower <= thickness && bounds!.upper >= thickness, text);
        if (size > 2) assert.ok(bounds!.lower > 0.98 * ofFrame, text);
      }
    }
  }));

type Corner = [number, number, number];
type Corners = readonly [low: number[], high: number[]];

const solidOf = (boxes: readonly Corners[]): Solid =>
  together(...boxes.map(([low, high]) => block(low as Corner, high as Corner)));

// Returns the box that two boxes have in common, and its extents; undefined if the boxes are apart.
function commonBoxOf([lowA, highA]: Corners, [lowB, highB]: Corners) {
  const low = lowA.map((value, axis) => Math.max(value, lowB[axis]));
  const high = highA.map((value, axis) => Math.min(value, highB[axis]));
  const size = high.map((value, axis) => value - low[axis]);
  if (size.some(extent => extent < 0)) return undefined;
  return { low, high, size, depth: Math.min(...size), volume: size[0] * size[1] * size[2] };
}

// Returns whether a box lies inside another one without touching it.
const isWithin = ([low, high]: Corners, [lowOuter, highOuter]: Corners): boolean =>
  low.every((value, axis) => value > lowOuter[axis] && high[axis] < highOuter[axis]);

// Returns boxes with corners on a lattice. No two of them touch.
function boxesApart(random: Random, count: number): Corners[] {
  const boxes: Corners[] = [];
  for (let tries = 0; tries < 20 * count && boxes.length < count; tries++) {
    const low = [0, 1, 2].map(() => random.below(12));
    const high = low.map(value => value + 1 + random.below(6));
    const isApart = boxes.every(([min, max]) =>
      [0, 1, 2].some(axis => low[axis] > max[axis] || high[axis] < min[axis]),
    );
    if (isApart) boxes.push([low, high]);
  }
  return boxes;
}

test('random sets of boxes have the components that follow from their corners', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let several = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const [ofA, ofB] = [boxesApart(random, 5), boxesApart(random, 5)];
      // Each pair of boxes whose surfaces cross gives one component. Each pair that only touches gives a region
      // with depth 0 and volume 0. A box inside another one has no region.
      const solid: [number, number][] = [];
      let touching = 0;
      for (const one of ofA) {
        for (const other of ofB) {
          const common = commonBoxOf(one, other);
          if (!common) continue;
          if (common.depth === 0) touching++;
          else if (!isWithin(one, other) && !isWithin(other, one)) solid.push([common.depth, common.volume]);
        }
      }
      const [a, b] = [ofA, ofB].map(solidOf);
      const text = `seed ${seed}`;
      checkComponents(
        measure(engine, a, b),
        [...solid, ...Array<[number, number]>(touching).fill([0, 0])],
        text,
      );
      if (solid.length > 1) several++;
    }
    assert.ok(several > 20, `${several} scenes with several components`);
  }));

test('random sets of rotated boxes have the components that follow from their corners', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let several = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const random = createRandom(seed);
      // The corners of A have even coordinates and those of B odd ones, so no two boxes only touch.
      const scaled = (boxes: readonly Corners[], offset: number): Corners[] =>
        boxes.map(([low, high]) => [
          low.map(value => 2 * value + offset),
          high.map(value => 2 * value + offset),
        ]);
      const ofA = scaled(boxesApart(random, 12), 0);
      const ofB = scaled(boxesApart(random, 12), 1);
      const transform = rotation([0.48, 0.6, 0.64], seed, [0.5, 0, 0]);
      const expected: [number, number][] = [];
      for (const one of ofA) {
        for (const other of ofB) {
          const common = commonBoxOf(one, other);
          if (common && !isWithin(one, other) && !isWithin(other, one))
            expected.push([common.depth, common.volume]);
        }
      }
      const [a, b] = [ofA, ofB].map(solidOf);
      const found = measure(engine, a, b, { transformA: transform, transformB: transform });
      checkComponents(found, expected, `seed ${seed}`, 1e-7);
      if (expected.length > 3) several++;
    }
    assert.ok(several > 20, `${several} scenes with several components`);
  }));

test('regions have a depth and a volume only if the options ask for them and both meshes are closed', async () => {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const [a, b] = [bar, { ...plate(0, 1), indices: plate(0, 1).indices.subarray(3) }].map(solid =>
    engine.createMesh(solid),
  );
  const keys = ['component', 'overlapDepth', 'volume'] as const;
  for (const region of [...engine.penetration(a, b), ...engine.penetration(a, b, ALL).regions])
    assert.equal(
      keys.filter(key => key in region),
      [],
    );
  const whole = engine.createMesh(plate(0, 1));
  for (const region of engine.penetration(a, whole, { volume: true }).regions)
    assert.equal(
      keys.filter(key => key in region),
      ['component', 'volume'],
    );
  engine.dispose();
});

test.run();
