// Tests how `pfront clash` measures parts with narrow gaps between their faces: as if the gaps were closed.

import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { combine } from '../../dist/cli/clash/closedParts.js';
import type { Classification, PairClass } from '../../dist/index.js';
import { crackedBox } from '../contact/crackedSolids.js';
import type { Solid } from '../contact/solids.js';
import { test } from '../support/test.js';
import { clash, cube, file, folder, json, mesh, near } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true }));

function objText(parts: Record<string, Solid>): string {
  let first = 1;
  return Object.entries(parts)
    .flatMap(([name, { positions, indices }]) => {
      const lines = [`o ${name}`];
      for (let i = 0; i < positions.length; i += 3) lines.push(`v ${positions.slice(i, i + 3).join(' ')}`);
      for (let i = 0; i < indices.length; i += 3)
        lines.push(`f ${[...indices.slice(i, i + 3)].map(vertex => first + vertex).join(' ')}`);
      first += positions.length / 3;
      return lines;
    })
    .join('\n');
}

const tile = {
  positions: Float32Array.of(940, 20, 20, 1060, 20, 20, 940, 80, 20),
  indices: Uint32Array.of(0, 1, 2),
};
const path = file(
  'gaps.obj',
  objText({
    plate: crackedBox([0, 0, 0], [100, 100, 100]),
    pin: mesh(cube('', 98, 20, 20, 30), 1),
    pebble: mesh(cube('', 40, 40, 40, 10), 1),
    neighbor: mesh(cube('', 20, 100, 20, 50), 1),
    block: crackedBox([950, 0, 0], [100, 100, 100]),
    tile,
  }),
);
const whole = file(
  'whole.obj',
  objText({
    plate: mesh(cube('', 0), 1),
    pin: mesh(cube('', 98, 20, 20, 30), 1),
    pebble: mesh(cube('', 40, 40, 40, 10), 1),
    neighbor: mesh(cube('', 20, 100, 20, 50), 1),
  }),
);

const clashesOf = (result: any): Map<string, any> =>
  new Map(result.clashes.map((found: any) => [`${found.nameA} ${found.nameB}`, found]));

test('figures and classes are those of the closed parts', () => {
  const result = json(path, '--classes', 'all', '--regions');
  const found = clashesOf(result);
  assert.equal(
    [...found].map(([names, { class: kind }]) => `${names} ${kind}`),
    ['plate pin hard', 'plate pebble contained', 'plate neighbor coplanar', 'block tile hard'],
  );
  const expected = clashesOf(json(whole, '--classes', 'all', '--regions'));
  for (const names of ['plate pin', 'plate pebble']) {
    const [one, other] = [found.get(names), expected.get(names)];
    for (const figure of ['overlapDepth', 'volume', 'separation']) {
      near(one[figure].lower, other[figure].lower, 0.02 * other[figure].lower);
      near(one[figure].upper, other[figure].upper, 0.02 * other[figure].upper);
    }
    near(one.depth, other.depth);
  }
  const pin = found.get('plate pin');
  near(pin.contactLength.upper, expected.get('plate pin').contactLength.upper, 1e-6);
  near(pin.regions[0].overlapDepth.upper, 2, 0.03);
  // The tile is a sheet, so it has no inside.
  const sheet = found.get('block tile');
  assert.equal(
    [sheet.overlapDepth, sheet.volume, sheet.regions[0].overlapDepth],
    [undefined, undefined, undefined],
  );
  const gaps = result.parts.map(({ name, gaps: found }: any) => [
    name,
    found?.openEdges > 40,
    found?.addedArea,
  ]);
  assert.equal(gaps, [
    ['plate', true, 0],
    ['pin', false, undefined],
    ['pebble', false, undefined],
    ['neighbor', false, undefined],
    ['block', true, 0],
    ['tile', false, undefined],
  ]);
});

test('a tolerance applies to the overlap depth of the closed parts', () => {
  assert.is(clashesOf(json(path, '--tolerance', '1.9')).get('plate pin').class, 'hard');
  const result = clashesOf(json(path, '--tolerance', '2.1', '--classes', 'all'));
  assert.is(result.get('plate pin').class, 'coplanar');
});

test('a note names the number of parts with gaps', () => {
  assert.match(clash(path).stderr, /2 parts have narrow gaps between faces; clashes are measured/);
  assert.not.match(clash(whole).stderr, /gaps/);
});

test('closed gaps change a class only if they prove the new one', () => {
  const result = (kind: PairClass, lower = 0): Classification => ({
    class: kind,
    depth: 1,
    distance: 0,
    size: kind.length,
    pairs: 7,
    duplicate: false,
    overlapDepth: { lower, upper: 1 },
  });
  const kinds = (own: PairClass, closed: PairClass, lower?: number): string =>
    combine(result(own), result(closed, lower)).class;
  assert.is(kinds('hard', 'hard'), 'hard');
  assert.is(kinds('hard', 'touch'), 'touch');
  assert.is(kinds('hard', 'contained'), 'hard');
  assert.is(kinds('touch', 'hard', 0), 'touch');
  assert.is(kinds('touch', 'hard', 0.5), 'hard');
  assert.is(kinds('coplanar', 'touch'), 'coplanar');
  assert.is(kinds('apart', 'hard', 0.5), 'apart');
  assert.is(kinds('apart', 'contained'), 'contained');
  assert.is(kinds('clearance', 'touch'), 'clearance');
  const duplicate = { ...result('hard'), duplicate: true };
  assert.is(combine(duplicate, result('touch')), duplicate);
  const combined = combine(result('hard'), { ...result('hard', 0.5), size: 99, pairs: 12 });
  assert.equal([combined.size, combined.pairs, combined.overlapDepth!.lower], [4, 7, 0.5]);
});

test.run();
