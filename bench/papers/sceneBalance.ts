// Measures how evenly the work of moving scenes is divided into p work lists: the max cost of a list divided
// by the mean cost. Costs are numbers of tests, not times. In the scenes of tumbling bodies, contacts begin
// and end from frame to frame.
//
// One thread runs all lists in virtual time, as if each list had its own thread. The first 4 frames only warm
// up and are not measured.

import type { DetectOptions, Engine, Mesh, Scene } from '../../dist/index.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import { epicyclicTrain, type MeshData, sphere, torus, tumbling } from '../../dist/samples/index.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const WARM_UP = 4;
const FRAMES = isQuick ? 4 : 40;
const SEED = 1;
const PARTS = isQuick ? [16] : [2, 8, 16, 64];
const report = new Report('sceneBalance', SEED);
const { engine } = await createLaboratory({ threads: 1 });

interface MovingScene {
  name: string;
  meshes: MeshData[];
  transformsOf(frame: number): Float32Array | Float64Array;
}

const train = epicyclicTrain();
const movingScenes: MovingScene[] = [
  {
    name: 'epicyclic train 149K',
    meshes: train.parts.map(({ mesh }) => train.meshes[mesh]),
    transformsOf: frame => train.frame(frame),
  },
  {
    name: '200 tumbling, 2 shapes',
    meshes: crowdOf([torus(20_000), sphere(20_000)], 200),
    transformsOf: tumbling(200, 0.05, SEED),
  },
  {
    name: '200 tumbling, 1 shape',
    meshes: crowdOf([torus(20_000)], 200),
    transformsOf: tumbling(200, 0.05, SEED),
  },
  {
    name: '30 tumbling, dense',
    meshes: crowdOf([torus(50_000), sphere(20_000), torus(5000)], 30),
    transformsOf: tumbling(30, 0.1, SEED),
  },
];

function crowdOf(shapes: MeshData[], count: number): MeshData[] {
  return Array.from({ length: count }, (_, i) => shapes[i % shapes.length]);
}

function makeScene(on: Engine, meshes: readonly MeshData[]): { scene: Scene; made: Map<MeshData, Mesh> } {
  const made = new Map<MeshData, Mesh>();
  const scene = on.createScene();
  for (const data of meshes) {
    if (!made.has(data)) made.set(data, on.createMesh(data));
    scene.add(made.get(data)!);
  }
  return { scene, made };
}

function measure({ name, meshes, transformsOf }: MovingScene, options: DetectOptions): void {
  const { scene, made } = makeScene(engine, meshes);
  const samples: number[] = [];
  let queryCount = 0;
  let coherent = 0;
  let nodes = 0;
  let cost = 0;
  let changes = 0;
  for (let frame = 0; frame < WARM_UP + FRAMES; frame++) {
    scene.setTransforms(transformsOf(frame));
    const { stats, began, ended } = scene.detect(options);
    if (frame < WARM_UP) continue;
    const query = stats.queries[0];
    samples.push(query.imbalance);
    queryCount += stats.tested / FRAMES;
    coherent += query.coherence === 'on' ? 1 : 0;
    nodes += query.frontNodes / FRAMES;
    cost +=
      query.threads.reduce((sum, { boxTests, leafPairs }) => sum + boxTests + 12 * leafPairs, 0) / FRAMES;
    changes += (began.count + ended.count) / FRAMES;
  }
  report.add({
    scene: name,
    measure: `max/mean, p = ${options.parts}`,
    variant: `coherence ${options.coherence}, stealing ${options.stealing}`,
    unit: 'x',
    ...summarize(samples),
    note: `${queryCount.toFixed(0)} pairs queried, ${changes.toFixed(1)} begin or end per frame, ${coherent} of ${FRAMES} frames coherent; front of ${nodes.toFixed(0)} nodes, cost ${cost.toFixed(0)}`,
    how: 'counted',
  });
  scene.dispose();
  for (const mesh of made.values()) mesh.dispose();
}

for (const stage of movingScenes) {
  for (const stealing of ['off', 'on'] as const) {
    for (const coherence of ['on', 'off'] as const)
      for (const parts of PARTS) measure(stage, { parts, coherence, stealing });
  }
}
engine.dispose();
report.save();
