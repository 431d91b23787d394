// Tests that pairs of parts that workers measure have the same results and errors as those that the calling
// thread measures.
import * as assert from 'uvu/assert';
import { type MeasuredModel, type MeasuredPair, measurePairs } from '../../dist/cli/clash/measurePairs.js';
import { type ClashEngine, startClashEngine } from '../../dist/cli/clashEngine.js';
import type { Part } from '../../dist/formats/part.js';
import { box, createRandom, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const COUNT = 40;
const FIGURES = { overlapDepth: true, volume: true, contactSize: true, depthBudget: 20 } as const;
/** With these limits, workers start at once. */
const AT_ONCE = { alone: 0, perWorker: 0 };

let engine: ClashEngine;
test.before(async () => {
  engine = await startClashEngine(3, false);
});
test.after(() => engine.dispose());

let model: MeasuredModel;

/** Makes pairs of four parts; the vertices of two parts are doubles. */
function makePairs(): MeasuredPair[] {
  const random = createRandom(29);
  const parts = [box(), sphere(200), torus(240), box(0.2, 3, 0.2)].map((data, i) => ({
    ...data,
    name: `${i}`,
    transform: Float64Array.from(translation([0, 0, 0])),
    ...(i % 2 === 0
      ? {
          exact: {
            positions: Float64Array.from(data.positions, value => value * (1 + 2 ** -40)),
            transform: Float64Array.from(translation([0, 0, 0])),
          },
        }
      : {}),
  })) as Part[];
  model = {
    parts,
    meshes: parts.map(({ positions, indices, exact }) =>
      engine.createMesh({ positions: exact?.positions ?? positions, indices } as never),
    ),
  };
  const placed = (): Float64Array =>
    Float64Array.from(
      rotation(random.direction(), random.between(0, 3), [0, 0, 0].map(() => random.between(-1, 1)) as never),
    );
  return Array.from({ length: COUNT }, () => ({
    a: random.below(4),
    b: random.below(4),
    options: { transformA: placed(), transformB: placed(), ...FIGURES },
  }));
}

for (const method of ['classify', 'penetration'] as const)
  test(`${method}: workers give the results of the calling thread`, async () => {
    const pairs = makePairs();
    let measured = 0;
    const found = await measurePairs(engine, method, model, pairs, () => measured++, AT_ONCE);
    assert.is(measured, COUNT);
    assert.equal(
      found.map(result => JSON.stringify(result)),
      pairs.map(({ a, b, options }) =>
        JSON.stringify(engine[method](model.meshes[a]!, model.meshes[b]!, options)),
      ),
    );
  });

test('workers take part, and the error of the first invalid pair is thrown', async () => {
  const pairs = makePairs();
  const { method, taken } = { method: 'classify', taken: new Set<object>() } as const;
  // The calling thread measures only the pairs that it takes itself.
  const watched = Object.create(engine, {
    info: { value: engine.info },
    classify: {
      value: (...pair: Parameters<ClashEngine['classify']>) => {
        taken.add(pair[2]!);
        return engine.classify(...pair);
      },
    },
  });
  const many = Array.from({ length: 20 }, () =>
    pairs.map(pair => ({ ...pair, options: { ...pair.options } })),
  ).flat();
  const found = await measurePairs(watched, method, model, many, () => {}, AT_ONCE);
  assert.ok(taken.size < many.length, `the calling thread measured all ${taken.size} pairs`);
  const byWorkers = found.flatMap((result, i) => (taken.has(many[i]!.options) ? [] : [{ result, i }]));
  assert.is(byWorkers.length, many.length - taken.size);
  for (const { result, i } of byWorkers) {
    const { a, b, options } = pairs[i % COUNT]!;
    assert.is(
      JSON.stringify(result),
      JSON.stringify(engine.classify(model.meshes[a]!, model.meshes[b]!, options)),
    );
  }
  const invalid = many.map((pair, i) =>
    i === 300 || i === 500 ? { ...pair, options: { ...pair.options, tolerance: -i } } : pair,
  );
  const error = await measurePairs(engine, method, model, invalid, () => {}, AT_ONCE).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  assert.match(error?.message ?? '', /tolerance.*-300|-300/);
});

test.run();
