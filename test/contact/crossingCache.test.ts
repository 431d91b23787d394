// Tests CrossingCache, which remembers triangle pairs of two meshes. After one mesh has moved, the cache can
// prove that one of these pairs crosses. For every triangle pair of two random soups, a cache with only this
// pair must prove a crossing at the new placement if and only if a query reports that the pair crosses there.

import * as assert from 'uvu/assert';
import { CrossingCache } from '../../dist/contact/crossingCache.js';
import { Surface } from '../../dist/contact/surface.js';
import { createRandom, soup, translation } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const COUNT = 60;

test('the cache proves a crossing after a motion if and only if the remembered triangle pair crosses', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const random = createRandom(11);
    const enlarged = (seed: number) => {
      const { positions, indices } = soup(COUNT, seed);
      return { positions: positions.map(value => 4 * value), indices };
    };
    let reported = 0;
    let many = 0;
    for (let seed = 0; seed < 6; seed++) {
      const [a, b] = [engine.createMesh(enlarged(seed)), engine.createMesh(enlarged(100 + seed))];
      const by = random.direction().map(part => part / 2) as [number, number, number];
      const transformA = translation(by);
      const { kinds, kind, a: ofA, b: ofB } = engine.query(a, b, { transformA, want: 'segments' });
      const crossing = new Set(
        Array.from(ofA, (ta, i) => (kind[i] === kinds.CROSS ? ta * COUNT + ofB[i] : -1)),
      );
      crossing.delete(-1);
      const [from, moved, still] = [new Surface(a), new Surface(a, transformA), new Surface(b)];
      for (let pair = 0; pair < COUNT ** 2; pair++) {
        const witnesses = new CrossingCache(from, still);
        witnesses.add([Math.floor(pair / COUNT)], [pair % COUNT]);
        assert.is(witnesses.provesCrossing(moved, by), crossing.has(pair), `seed ${seed}, pair ${pair}`);
        if (crossing.has(pair)) reported++;
      }
      const all = new CrossingCache(from, still);
      all.add(
        [...crossing].map(pair => Math.floor(pair / COUNT)),
        [...crossing].map(pair => pair % COUNT),
      );
      if (all.provesCrossing(moved, by)) many++;
      assert.not(all.provesCrossing(new Surface(a, translation([99, 0, 0])), [99, 0, 0]));
    }
    assert.ok(
      reported > 100 && many === 6,
      `${reported} pairs cross; ${many} of 6 caches with all crossing pairs prove a crossing`,
    );
  }));

test('a pair that only touches does not prove a crossing', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const triangle = (...corners: number[]) =>
      new Surface(engine.createMesh({ positions: Float32Array.from(corners) }));
    const floor = triangle(0, 0, 0, 4, 0, 0, 0, 4, 0);
    for (const other of [
      triangle(1, 1, 0, 1, 1, 4, 2, 1, 4),
      triangle(1, 1, 0, 2, 1, 0, 1, 1, 4),
      triangle(1, 1, 0, 2, 1, 0, 1, 2, 0),
      triangle(-1, 0, -1, 3, 0, -1, 1, 0, 2),
    ]) {
      const witnesses = new CrossingCache(floor, other);
      witnesses.add([0], [0]);
      assert.not(witnesses.provesCrossing(floor, [0, 0, 0]));
    }
  }));

test.run();
