// Tests the error bounds of the shaders without a GPU. The WGSL of gpu/ is evaluated on simulated devices that
// round as unfavorably as WGSL allows, and each computed value is compared with its exact value and its bound.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { MAX_SIZE } from '../../dist/gpu/ccd/gpuBodyPairFilter.js';
import { createRandom } from '../../dist/samples/random.js';
import {
  compare,
  dividedBy,
  exactOf,
  minus,
  plus,
  rootAbove,
  times,
  toDouble,
} from '../support/exactFloats.js';
import {
  type Direction,
  type Float,
  HostileDevice,
  input,
  node,
  randomBehavior,
} from '../support/hostileFloats.js';
import { Violation } from '../support/precisionChecks.js';
import { sharpNumber } from '../support/precisionInputs.js';
import { type Mutant, mutants } from '../support/precisionMutants.js';
import { checkSite, sites } from '../support/precisionSites.js';
import { test } from '../support/test.js';
import { translateWgsl } from '../support/wgslFunctions.js';

const CHECKS = 12_000;
/**
 * A mutant is a change of a shader that makes an error bound too small. MAX_CHECKS: number of checks within
 * which a mutant must be found. FEW_CHECKS: number of checks that are made for a mutant that cannot be found
 * (see Mutant.why); none of these checks may find it.
 */
const MAX_CHECKS = 60_000;
const FEW_CHECKS = 3000;
/** WGSL files whose floats affect no result. */
const HARMLESS = [
  // Codes of triangles affect only the shape of a tree.
  'computeTriangleCodes',
];

for (const site of sites) {
  test(`no computed value exceeds its error bound: ${site.name}`, () => {
    const { count, shares } = checkSite(site, 1, CHECKS);
    assert.ok(count >= CHECKS);
    console.log(
      `\n${site.name}: ${[...shares].map(([name, share]) => `${name} ${(100 * share).toFixed(0)} %`).join(', ')} of the bound`,
    );
  });
}

/** Returns the message of the violation that a mutant causes, or undefined. */
function violationOf(mutant: Mutant, checkCount: number): string | undefined {
  const site = sites.find(({ name }) => name.startsWith(mutant.site));
  if (!site) throw new Error(`no site is named ${mutant.site}`);
  try {
    checkSite(site, 7, checkCount, [mutant]);
    return undefined;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return error.message;
  }
}

for (const { name } of sites) {
  const own = mutants.filter(({ site }) => name.startsWith(site));
  test(`bounds that are too small are found: ${name}`, () => {
    assert.ok(own.length > 0 || name.endsWith('differences of points'), 'no mutants');
    const wrong: string[] = [];
    for (const mutant of own) {
      const violation = violationOf(mutant, mutant.why ? FEW_CHECKS : MAX_CHECKS);
      if ((violation === undefined) !== (mutant.why !== undefined))
        wrong.push(`${mutant.file}: ${mutant.from} -> ${mutant.to} is ${violation ? 'found' : 'not found'}`);
    }
    assert.equal(wrong, []);
  });
}

test('faces of bodies of the maximum size cause no overflow', () => {
  const { functions, globals, start } = translateWgsl(['filterBodyPairs'], {
    names: ['areApartAtStart', 'separates', 'normalOf'],
    constants: { WORKGROUP: 64 },
  });
  globals['params'] = { pointError: input(MAX_SIZE * 2 ** -16) };
  const random = createRandom(5);
  // Along each axis, a point is at most MAX_SIZE from the origin of its body, and this origin is at most
  // MAX_SIZE from the center.
  const sizeOf = (): number => sharpNumber(random, MAX_SIZE / (1 + 2 ** -10));
  const faceAt = (origin: readonly number[]) => ({
    start: [0, 1, 2].map(() => origin.map(at => input(at + sizeOf()))),
  });
  for (let i = 0; i < 500; i++) {
    start(new HostileDevice(randomBehavior(random), random), {});
    functions['areApartAtStart'](faceAt([0, 0, 0]), faceAt([0, 1, 2].map(() => 2 * sizeOf())));
  }
});

test('every shader that computes with floats is checked', () => {
  const folder = fileURLToPath(new URL('../../gpu', import.meta.url));
  const checked = new Set(sites.flatMap(({ files }) => files).concat(HARMLESS));
  const unchecked = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.wgsl') && !checked.has(path.parse(name).name))
    .filter(name => {
      const text = readFileSync(path.join(folder, name), 'utf8').replace(/\/\/.*$/gm, '');
      // The pattern matches computations with floats. Code that only loads floats and passes them to a checked
      // function computes nothing.
      return /\b\d+\.\d|\b\d+f\b|0x[\da-f.]+p|\bdot\(|\bcross\(|\bsqrt\(/.test(text);
    });
  assert.equal(unchecked, []);
});

/** Returns the values that devices with random behavior compute for an expression, in ascending order. */
function valuesOf(make: () => Float): number[] {
  const random = createRandom(3);
  const values = new Set<number>();
  for (let i = 0; i < 200; i++) {
    const device = new HostileDevice(randomBehavior(random), random);
    const expression = make();
    for (const direction of [-1, 0, 1] as Direction[]) values.add(device.compute(expression, direction));
  }
  return [...values].sort((a, b) => a - b);
}

/** Returns the min and max of these values. */
function rangeOf(make: () => Float): [number, number] {
  const values = valuesOf(make);
  return [values[0]!, values.at(-1)!];
}

test('a simulated device rounds up or down, fuses and reorders operations, flushes to zero, and does nothing else', () => {
  const [one, tiny, large] = [1, 2 ** -30, 2 ** 24];
  const leaf = (value: number): Float => input(value);
  assert.equal(
    rangeOf(() => node('+', leaf(one), leaf(tiny))),
    [1, 1 + 2 ** -23],
  );
  assert.equal(
    rangeOf(() => node('-', leaf(one), leaf(tiny))),
    [1 - 2 ** -24, 1],
  );
  assert.equal(
    rangeOf(() => node('*', leaf(3), leaf(5))),
    [15, 15],
  );
  // (1 + 2^-12)^2 - 1 is exact only if the product is fused into the sum.
  const square = (): Float => node('-', node('*', leaf(1 + 2 ** -12), leaf(1 + 2 ** -12)), leaf(1));
  assert.equal(valuesOf(square), [2 ** -11, 2 ** -11 + 2 ** -24, 2 ** -11 + 2 ** -23]);
  // (2^24 - (2^24 + 2)) + 1 is -1; if the sum is reordered, it may also be -2 or 0. A value is
  // 'settled' if the shader uses its bits as an integer. A sum with a settled term is not reordered.
  const sum = (settle: boolean) => (): Float => {
    const first = node('-', leaf(large), leaf(large + 2));
    return node('+', settle ? node('settled', first) : first, leaf(1));
  };
  assert.equal(rangeOf(sum(true)), [-1, -1]);
  assert.equal(rangeOf(sum(false)), [-2, 0]);
  assert.equal(
    rangeOf(() => node('*', leaf(2 ** -100), leaf(2 ** -30))),
    [0, 2 ** -130],
  );
  const [minQuotient, maxQuotient] = rangeOf(() => node('/', leaf(1), leaf(3)));
  assert.ok(
    Math.abs(minQuotient - 1 / 3) <= 2.5 * 2 ** -25 &&
      Math.abs(maxQuotient - 1 / 3) <= 2.5 * 2 ** -25 &&
      maxQuotient > minQuotient,
  );
  const [minRoot, maxRoot] = rangeOf(() => node('sqrt', leaf(2)));
  for (const root of [minRoot, maxRoot]) assert.ok(Math.abs(root / Math.SQRT2 - 1) <= 4.5 * 2 ** -23);
  assert.ok(maxRoot > minRoot);
});

test('exact arithmetic and upper bounds of square roots are correct', () => {
  const third = dividedBy(exactOf(1), exactOf(-3));
  assert.is(compare(times(third, exactOf(-3)), exactOf(1)), 0);
  assert.is(compare(plus(exactOf(2 ** -149), exactOf(2 ** 100)), exactOf(2 ** 100)), 1);
  assert.is(toDouble(minus(exactOf(0.1), exactOf(0.3))), 0.1 - 0.3);
  assert.is(toDouble(exactOf(-1.5 * 2 ** -1040)), -1.5 * 2 ** -1040);
  for (const value of [2, 3, 2 ** -101, 1e30]) {
    const root = rootAbove(exactOf(value));
    assert.ok(compare(times(root, root), exactOf(value)) >= 0);
    assert.ok(Math.abs(toDouble(root) / Math.sqrt(value) - 1) < 2 ** -50);
  }
});

test('translated shaders compute what their text says', () => {
  const { functions, globals, start } = translateWgsl(
    ['placedTriangles', 'isFar', 'farApart', 'neverCoplanar'],
    {
      constants: { NOTHING: 0xffffffff },
      more: `fn total(n: u32) -> u32 { var sum = 0u; for (var i = 0u; i < n; i++) { if (i == 2u) { continue; } sum += i << 1u; } return sum; }
      fn precedence(a: vec3f, b: f32) -> vec3f { return a.zyx * b - a / 2.0 + vec3f(0x1p-3f); }
      fn choose(a: vec3f, b: vec3f) -> bool { return any(a < b) && !all(a <= b) || a.x == b.y; }`,
    },
  );
  const random = createRandom(1);
  const device = new HostileDevice(randomBehavior(random), random);
  start(device, {});
  globals['params'] = { isEdge: 1 };
  const values = (all: readonly Float[]): number[] => all.map(one => toDouble(one.exact));
  const of = (...all: number[]): Float[] => all.map(one => input(one));
  assert.is(functions['total'](5), 16);
  assert.equal(values(functions['precedence'](of(2, 4, 6), input(3))), [17.125, 10.125, 3.125]);
  assert.is(functions['choose'](of(1, 2, 3), of(2, 2, 2)), true);
  assert.is(functions['choose'](of(1, 2, 3), of(2, 2, 4)), false);
  assert.equal(values(functions['completed'](of(1, 2, 3), of(4, 4, 4), of(7, 8, 9))), [4, 6, 8]);
  for (const value of [0.7, -0.3, 2 ** -20, -1, 2 ** -14 * 1.5]) {
    const { whole, rest } = functions['split'](input(Math.fround(value)));
    assert.is(whole * 2 ** -14 + toDouble(rest.exact), Math.fround(value));
    assert.is(whole, Math.trunc(Math.fround(value) * 2 ** 14));
  }
});

test.run();
