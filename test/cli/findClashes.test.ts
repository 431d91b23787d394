// An engine that runs out of memory, or is given broken parts -> all clashes all the same, or an error that names the part.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { addStats } from '../../dist/cli/statsText.js';
import { Capacity, createEngine, InvalidMesh } from '../../dist/index.js';
import { SQUARE } from './smallFiles.js';

const SILENT = { begin() {}, step() {}, end() {} };
const square = { positions: SQUARE, indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };

// Squares in one plane, each a little further: every two of them overlap.
const fan = Array.from({ length: 12 }, (_, i) => ({ name: `${i}`, ...square, transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i / 16, i / 32, 0, 1) }));

const verbsOf = (engine: Awaited<ReturnType<typeof createEngine>>) =>
  ({ createMesh: engine.createMesh.bind(engine), boxPairs: engine.boxPairs.bind(engine), queryMany: engine.queryMany.bind(engine) });

// The engine itself but for queryMany, which refuses more than `most` pairs.
function cramped(engine: Awaited<ReturnType<typeof createEngine>>, most: number) {
  const calls: number[] = [];
  const queryMany = (options: Parameters<typeof engine.queryMany>[0]) => {
    if (options.pairs!.length > most) throw new Capacity('memory is full', 'ask for less');
    calls.push(options.pairs!.length);
    return engine.queryMany({ ...options, want: 'pairs' });
  };
  return { calls, engine: { ...verbsOf(engine), queryMany } as unknown as typeof engine };
}

test('calls that memory refuses are halved, and nothing is lost', async () => {
  const engine = await createEngine({ threads: 1 });
  try {
    const whole = findClashes(engine, fan, SILENT);
    assert.is(whole.clashes.length, 66);
    assert.is(whole.stats.length, 1);
    for (const most of [40, 7, 1]) {
      const { calls, engine: small } = cramped(engine, most);
      const halved = findClashes(small, fan, SILENT);
      assert.equal(halved.clashes, whole.clashes);
      assert.is(halved.trianglePairs, whole.trianglePairs);
      assert.is(calls.reduce((sum, count) => sum + count, 0), 66);
      assert.is(addStats(halved.stats)!.threads.reduce((sum, { pairs }) => sum + pairs, 0), whole.trianglePairs);
    }
    assert.throws(() => findClashes(cramped(engine, 0).engine, fan, SILENT), (error: unknown) => error instanceof Capacity);
  } finally {
    engine.dispose();
  }
});

test('parts of one mesh share one engine mesh; a mesh that the engine refuses is named', async () => {
  const engine = await createEngine({ threads: 1 });
  try {
    let made = 0;
    const counting = { ...verbsOf(engine), createMesh: (data: typeof square) => { made++; return engine.createMesh(data); } } as unknown as typeof engine;
    findClashes(counting, fan, SILENT);
    assert.is(made, 1);
    const broken = { ...fan[0], name: 'Bracket', indices: Uint32Array.of(0, 1, 9) };
    assert.throws(() => findClashes(engine, [fan[0], broken], SILENT), (error: unknown) => error instanceof InvalidMesh && error.message.startsWith('part "Bracket": '));
  } finally {
    engine.dispose();
  }
});

test.run();
