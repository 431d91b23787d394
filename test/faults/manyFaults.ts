// Runs large queries of every kind on one engine whose workers die and hang again and again, at seeded moments,
// and measures how long the results take.

import { readdirSync, readFileSync } from 'node:fs';
import type { Engine } from '../../dist/index.js';
import type { StartWorker } from '../../dist/runtime/transport.js';
import * as scenes from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';
import { hashBytes } from '../support/hash.js';
import { scaledTimeout, sleep } from '../support/within.js';
import { boxPairMethods, type Method } from './methods.js';

/** A call during which at least one worker failed. Times are in milliseconds. */
export interface Worst {
  method: string;
  threads: number;
  milliseconds: number;
  /** Time of the same call on an engine with as many threads, if no worker fails. */
  healthy: number;
}

export interface FaultState {
  seed: number;
  /** Number of workers that died or hung. */
  faults: number;
  /** Number of workers that were started in place of others. */
  replaced: number;
  byKind: Map<string, number>;
  /** Calls whose results differ from those of a healthy engine. */
  wrong: string[];
  /**
   * For each kind of fault, the call for which its time minus its limit is largest. The limit is 2 s plus twice
   * the healthy time of the call. A call with several faults has the kind 'several'.
   */
  worst: Map<string, Worst>;
}

const transformB = scenes.rotation([0.6, 0, 0.8], 0.01, [0.001, 0.002, 0.001]);
const [torus, sphere] = [scenes.torus(60_000), scenes.sphere(60_000)];
const folded = scenes.torus(12_000);
const boxes = scenes.boxCrowd('uniform', 60_000, 3);
const bodyCount = 200;
const matricesOf = scenes.tumbling(bodyCount, 0.2, 2);

/** Calls that take long enough for a worker to fail in the middle. */
const methods: Record<string, Method> = {
  query: engine => {
    const mesh = engine.createMesh(torus);
    return () => {
      const { a, b } = engine.query(mesh, mesh, { transformB, parts: engine.info.threads });
      return hashBytes(a, b);
    };
  },
  selfQuery: engine => {
    const mesh = engine.createMesh({
      ...folded,
      positions: folded.positions.map((value, i) => (i % 3 === 0 ? Math.abs(value) : value)),
    });
    return () => {
      const { a, b } = engine.selfQuery(mesh, { parts: engine.info.threads });
      return hashBytes(a, b);
    };
  },
  ...boxPairMethods(boxes),
  sweepVertices: engine => {
    const mesh = engine.createMesh(folded);
    const end = folded.positions.map((value, i) => (i % 3 === 2 ? 0.2 * value : value));
    return () => {
      const { toi, featureA, featureB } = engine.sweepVertices(mesh, folded.positions, end, { want: 'all' });
      return hashBytes(toi, featureA, featureB);
    };
  },
  distance: engine => {
    const [a, b] = [engine.createMesh(torus), engine.createMesh(sphere)];
    return () => {
      const found = engine.distance(a, b, { transformB: scenes.translation([2.6, 0.4, 0.3]) })!;
      const { distance, pointA, pointB, triangleA, triangleB } = found;
      return hashBytes(Float64Array.of(distance, ...pointA, ...pointB, triangleA, triangleB));
    };
  },
  'scene.detect': engine => {
    const mesh = engine.createMesh(scenes.torus(200));
    return () => {
      using scene = engine.createScene();
      for (let body = 0; body < bodyCount; body++) scene.add(mesh);
      scene.setTransforms(matricesOf(0));
      const { a, b, pairsAt, triangles } = scene.detect();
      const first = hashBytes(a, b, pairsAt, triangles.a, triangles.b);
      scene.setTransforms(matricesOf(1));
      const { toi, featureA } = scene.detect({ continuous: true });
      return `${first} ${hashBytes(toi, featureA)}`;
    };
  },
};
const methodNames = Object.keys(methods);

interface Healthy {
  hash: string;
  milliseconds: number;
}
const healthy = new Map<number, Map<string, Healthy>>();
const HEALTHY_CALLS = 5;

/** Returns the result of each call, and the median of its times, on an engine whose workers do not fail. */
async function healthyCalls(threads: number): Promise<Map<string, Healthy>> {
  const known = healthy.get(threads);
  if (known) return known;
  const calls = await withEngine({ threads }, engine => {
    const found = new Map<string, Healthy>();
    for (const name of methodNames) {
      const call = methods[name](engine);
      let hash = '';
      const times = Array.from({ length: HEALTHY_CALLS }, () => {
        const beganAt = performance.now();
        hash = call();
        return performance.now() - beganAt;
      });
      found.set(name, { hash, milliseconds: times.sort((a, b) => a - b)[HEALTHY_CALLS >> 1] });
    }
    return found;
  });
  healthy.set(threads, calls);
  return calls;
}

type Random = ReturnType<typeof createRandom>;

// Hangs have smaller weights than deaths, because each hang takes at least the deadline of the pool. No kind of
// fault only delays a worker, because the pool doubles its deadline whenever a late worker finishes.
const kinds: readonly [name: string, weight: number, fault: Pick<Fault, 'kind' | 'milliseconds'>][] = [
  ['exit', 4, { kind: 'exit' }],
  ['error', 3, { kind: 'throw' }],
  ['endless loop', 1, { kind: 'spin' }],
  ['endless sleep', 1, { kind: 'sleep', milliseconds: 3_600_000 }],
];
const anyKind = kinds.flatMap(kind => Array.from({ length: kind[1] }, () => kind));
const TERMINATED = 'terminated';

interface MadeWorker {
  workers: ReturnType<typeof faulty>;
  kind: string;
  isCounted: boolean;
  hasStarted: boolean;
}

/**
 * Makes `count` workers of one engine fail, and adds what happened to `state`. Each worker, including those
 * that replace others, has a fault at one of its jobs. Some workers are terminated before this job, while the
 * calling thread runs a kernel.
 */
export async function runFaults(state: FaultState, threads: number, count: number): Promise<void> {
  const expected = await healthyCalls(threads);
  const random: Random = createRandom(90_000 + state.seed);
  const made: MadeWorker[] = [];
  const createWorker: StartWorker = start => {
    const [kind, , what] = anyKind[random.below(anyKind.length)];
    const when = (['before', 'after', 'finished'] as const)[random.below(3)];
    const fault: Fault = { ...what, when, order: 1 + random.below(20 * threads) };
    const workers = faulty(() => fault);
    const worker: MadeWorker = { workers, kind, isCounted: false, hasStarted: false };
    made.push(worker);
    const handle = workers.createWorker(start);
    handle.ready.then(
      () => {
        worker.hasStarted = true;
      },
      () => {},
    );
    return handle;
  };
  const goal = state.faults + count;
  await withEngine({ threads, warmUp: 'off', createWorker }, async engine => {
    const calls = methodNames.map(name => methods[name](engine));
    const terminateLater = terminateSome(engine, random, made, state);
    const ends = performance.now() + scaledTimeout(30_000 * count);
    while (state.faults < goal) {
      if (performance.now() > ends) throw new Error(`${goal - state.faults} faults did not happen`);
      const method = random.below(calls.length);
      const name = methodNames[method];
      const faultsBefore = new Map(state.byKind);
      if (random.below(4) === 0) terminateLater();
      const beganAt = performance.now();
      const hash = calls[method]();
      const milliseconds = performance.now() - beganAt;
      const { hash: truth, milliseconds: usual } = expected.get(name)!;
      if (hash !== truth) state.wrong.push(`${name}, ${threads} threads, seed ${state.seed}`);
      for (const worker of made) {
        if (worker.isCounted || worker.workers.hitCount() === 0) continue;
        worker.isCounted = true;
        noteFault(state, worker.kind);
      }
      const happened = [...state.byKind].filter(([kind, n]) => n > (faultsBefore.get(kind) ?? 0));
      const total = happened.reduce((sum, [kind, n]) => sum + n - (faultsBefore.get(kind) ?? 0), 0);
      if (total > 0)
        noteTime(state, total === 1 ? happened[0][0] : 'several', {
          method: name,
          threads,
          milliseconds,
          healthy: usual,
        });
      // Gives the engine time to receive the events of threads that have ended.
      await sleep(2);
    }
    state.replaced += made.length - (threads - 1);
  });
}

function noteFault(state: FaultState, kind: string): void {
  state.faults++;
  state.byKind.set(kind, (state.byKind.get(kind) ?? 0) + 1);
}

function noteTime(state: FaultState, kind: string, call: Worst): void {
  const excess = ({ milliseconds, healthy: usual }: Worst): number => milliseconds - 2 * usual;
  const known = state.worst.get(kind);
  if (!known || excess(call) > excess(known)) state.worst.set(kind, call);
}

/**
 * Returns a function that schedules the termination of a random worker. The worker is terminated just before
 * one of the next kernel calls of the calling thread.
 */
function terminateSome(engine: Engine, random: Random, made: MadeWorker[], state: FaultState): () => void {
  const pool = poolOf(engine);
  let callsLeft = -1;
  const kernels = Object.entries(pool.kernels).map(([kernel, run]): [string, typeof run] => [
    kernel,
    (jobAt, begin, end) => {
      if (callsLeft-- === 0) {
        const candidates = made.filter(
          ({ isCounted, hasStarted, workers }) => hasStarted && !isCounted && workers.hitCount() === 0,
        );
        if (candidates.length > 0) {
          const worker = candidates[random.below(candidates.length)];
          worker.isCounted = true;
          void worker.workers.handles[0].terminate();
          noteFault(state, TERMINATED);
        }
      }
      run(jobAt, begin, end);
    },
  ]);
  Object.assign(pool, { kernels: Object.fromEntries(kernels) });
  return () => {
    callsLeft = random.below(40);
  };
}

/** Returns the numbers of threads and open files of this process, and what keeps its event loop alive. */
export function resourcesInUse(): { threads: number; files: number; handles: string } {
  const status = readFileSync('/proc/self/status', 'utf8');
  return {
    threads: Number(/^Threads:\s*(\d+)/m.exec(status)?.[1]),
    files: readdirSync('/proc/self/fd').length,
    handles: process
      .getActiveResourcesInfo()
      .filter(kind => kind !== 'Timeout')
      .sort()
      .join(),
  };
}
