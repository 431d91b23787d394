// Measures the time per frame of pfront's incremental broad phase (createBroadPhase) and of its rivals, for
// several distributions and numbers of boxes. In each frame, 1 % or all of the boxes move. Rapier reports the
// pairs that begin and end, as pfront does with events on. The other rivals report all pairs, as pfront does
// with events off.

import type { Engine } from '../../dist/index.js';
import { boxCrowd, type CrowdKind } from '../../dist/samples/index.js';
import { treeWorld } from '../support/boxTree.js';
import type { BoxWorld } from '../support/boxWorld.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { JOLT, joltWorld } from '../support/joltBoxes.js';
import { coreCount } from '../support/machine.js';
import { type MovedBoxes, moveAwayAndBack } from '../support/movingBoxes.js';
import { RAPIER, rapierWorld } from '../support/rapierBoxes.js';
import { isQuick, Report } from '../support/report.js';
import { RIVAL } from '../support/rival.js';
import { interleave } from '../support/timing.js';

const SEED = 1;
/** How far a box moves per frame, relative to its size. */
const STEP = 0.05;
/**
 * Max number of boxes for Jolt and three-mesh-bvh, which find all pairs again in every frame: with more
 * boxes, a frame takes seconds. Above this number, the other contenders run fewer frames and iterations.
 */
const MAX_REBUILT = 100_000;
const report = new Report('movers', SEED, ['@dimforge/rapier3d-simd-compat', JOLT, RIVAL]);
const engines = await createEngines(1, coreCount);

interface Frame extends MovedBoxes {
  found: Map<string, number>;
}

function pfrontWorld(engine: Engine, boxes: Float32Array, events: 'on' | 'off'): BoxWorld {
  const broad = engine.createBroadPhase({ events });
  broad.set(boxes);
  broad.pairs();
  return {
    step(ids, places) {
      broad.move(ids, places);
      return broad.pairs({ order: 'any' }).count;
    },
    dispose: () => broad.dispose(),
  };
}

function worldsOf(boxes: Float32Array): Map<string, BoxWorld> {
  const worlds = new Map<string, BoxWorld>();
  for (const { name, engine } of engines) {
    for (const events of ['off', 'on'] as const)
      worlds.set(`pfront, events ${events}, ${name}`, pfrontWorld(engine, boxes, events));
  }
  worlds.set(RAPIER, rapierWorld(boxes));
  if (boxes.length / 6 > MAX_REBUILT) return worlds;
  return worlds.set(JOLT, joltWorld(boxes)).set(`${RIVAL}, refit`, treeWorld(boxes));
}

function measure(kind: CrowdKind, count: number): void {
  const boxes = boxCrowd(kind, count, SEED);
  const scene = `${kind} ${count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}K`}`;
  const worlds = worldsOf(boxes);
  for (const share of [0.01, 1]) {
    const frameCount = isQuick || count > MAX_REBUILT ? 4 : 10;
    const frames = moveAwayAndBack(boxes, { share, step: STEP }, frameCount, SEED).map(
      (frame): Frame => ({ ...frame, found: new Map() }),
    );
    const contenders = [...worlds].map(([name, world]) => ({
      name,
      run: ({ ids, movedBoxes, found }: Frame) => found.set(name, world.step(ids, movedBoxes)),
    }));
    const timings = interleave(frames, contenders, isQuick || count > MAX_REBUILT ? 1 : 3);
    const base = timings.find(({ name }) => name === RAPIER)!;
    for (const { name, ...times } of timings) {
      report.add({
        scene,
        measure: `frame, ${100 * share} % move`,
        variant: name,
        unit: 'ms',
        ...times,
        rival: RAPIER,
        ratio: base.median / times.median,
        note: foundText(frames, name, timings[0].name),
      });
    }
  }
  for (const world of worlds.values()) world.dispose();
}

// Describes the number of pairs that a contender found. Throws if this number differs from that of the first
// contender. The physics engines (Rapier and Jolt) may differ: they store the center and half extents of
// boxes in float32, so they may be wrong about a few pairs that just touch.
function foundText(frames: readonly Frame[], name: string, first: string): string {
  const sum = (variant: string): number =>
    frames.reduce((total, { found }) => total + found.get(variant)!, 0);
  const difference = sum(name) - sum(first);
  if (difference !== 0 && name !== RAPIER && name !== JOLT)
    throw new Error(`${name} finds ${sum(name)} pairs in all frames, but ${first} finds ${sum(first)}`);
  return `${Math.round(sum(name) / frames.length)} pairs per frame${difference === 0 ? '' : `, ${Math.abs(difference)} ${difference < 0 ? 'fewer' : 'more'} in ${frames.length} frames`}`;
}

for (const count of isQuick ? [10_000] : [10_000, 100_000, 1_000_000]) {
  for (const kind of ['uniform', 'clustered', 'mixed'] as const) measure(kind, count);
}
disposeEngines(engines);
report.save();
