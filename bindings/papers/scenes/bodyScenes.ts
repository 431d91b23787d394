// Benchmark scenes of tumbling bodies. For each number of threads, a scene measures the time of a frame in
// two cases: only contacts are detected, or all triangle pairs are found. In the second case, the scene also
// measures the time of each stage.

import { formatCount } from '../../cli/terminal.js';
import type { Engine } from '../../index.js';
import { torus, tumbling } from '../../samples/index.js';
import { type Contender, interleave, measureTime } from './measure.js';
import { type BenchScene, type Outcome, type Setup, type ThreadedEngine, withEngines } from './scene.js';

const TRIANGLES = 700;
const FRAMES = 10;

interface Crowd {
  count: number;
  density: number;
  rounds: number;
}
interface Counts {
  boxPairs: number;
  tested: number;
  contacts: number;
  trianglePairs: number;
}

const crowds: Readonly<Record<string, Crowd>> = {
  'bodies-1k': { count: 1000, density: 0.05, rounds: 5 },
  'bodies-10k': { count: 10_000, density: 0.03, rounds: 3 },
};

export const bodyScenes: BenchScene[] = Object.entries(crowds).map(([name, crowd]) => ({
  name,
  line: `${formatCount(crowd.count)} tumbling bodies of ${TRIANGLES} triangles: time of a frame by stage`,
  run: setup => run(crowd, setup),
}));

async function run({ density, ...crowd }: Crowd, setup: Setup): Promise<Outcome> {
  const isQuick = setup.size === 'quick';
  const count = isQuick ? 100 : crowd.count;
  const rounds = isQuick ? 1 : crowd.rounds;
  const matricesOf = tumbling(count, density, setup.seed);
  const frames = Array.from({ length: isQuick ? 3 : FRAMES }, (_, t) => matricesOf(t));
  return withEngines(setup, async threadedEngines => {
    const counts: Counts[] = [];
    const contenders = threadedEngines.flatMap(threadedEngine => [
      contactsOnly(threadedEngine, count),
      allPairs(threadedEngine, count, counts),
    ]);
    const measured = await interleave(frames, contenders, rounds, setup.progress);
    return {
      measured,
      cases: frames.length,
      rounds,
      remarks: [remark(count, counts.slice(0, frames.length))],
    };
  });
}

function makeScene(engine: Engine, count: number) {
  const mesh = engine.createMesh(torus(TRIANGLES));
  const scene = engine.createScene();
  for (let i = 0; i < count; i++) scene.add(mesh);
  return scene;
}

const contactsOnly = ({ threads, engine }: ThreadedEngine, count: number): Contender<Float32Array> => {
  const scene = makeScene(engine, count);
  return {
    threads,
    run: matrices => {
      const [contacts, whole] = measureTime(() => {
        scene.setTransforms(matrices);
        return scene.detect({ narrow: 'any' });
      });
      return { found: contacts.count, milliseconds: { 'contacts only': whole } };
    },
  };
};

const allPairs = (
  { threads, engine }: ThreadedEngine,
  count: number,
  counts: Counts[],
): Contender<Float32Array> => {
  const scene = makeScene(engine, count);
  return {
    threads,
    run: matrices => {
      const [, place] = measureTime(() => scene.setTransforms(matrices));
      const [{ count: contacts, triangles, stats }, detect] = measureTime(() => scene.detect());
      const { broad, choose, narrow } = stats.milliseconds;
      counts.push({
        boxPairs: stats.boxPairs,
        tested: stats.tested,
        contacts,
        trianglePairs: triangles.a.length,
      });
      return {
        found: contacts,
        milliseconds: {
          'all triangle pairs': place + detect,
          'all pairs: place': place,
          'all pairs: broad phase': broad,
          'all pairs: choose pairs': choose,
          'all pairs: narrow phase': narrow,
        },
      };
    },
  };
};

function remark(count: number, counts: readonly Counts[]): string {
  const mean = (key: keyof Counts): string =>
    formatCount(Math.round(counts.reduce((sum, frame) => sum + frame[key], 0) / counts.length));
  return `${formatCount(count)} tori of ${TRIANGLES} triangles. On average, a frame has ${mean('boxPairs')} box pairs, ${mean('tested')} body pairs tested, ${mean('contacts')} contacts and ${mean('trianglePairs')} triangle pairs.`;
}
