// Measures how long a GPU takes to build and to refit the trees of meshes, compared with the CPU's Morton
// builder. For the GPU, measures the end-to-end time and the time of the kernels alone.
//
// End-to-end times include uploading the vertices and triangles (build) or the vertices (refit). They end
// when the tree is in GPU memory; the tree is not read back. Without a GPU there is nothing to measure. On a
// software adapter, nothing is timed. The bench `gpuModel` models times on named GPUs.

import type { GpuTreeShape } from '../../dist/gpu/bvh/gpuTreeShape.js';
import { frameOf, GpuTrees, type GpuTriangles, type TreeBuffers } from '../../dist/gpu/bvh/gpuTrees.js';
import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { Leaf, Node } from '../../dist/records/layout.js';
import { type MeshData, triangleCount } from '../../dist/samples/index.js';
import { adapterName, openGpu } from '../support/gpuCases.js';
import { countWork, workRows } from '../support/gpuRows.js';
import { isTimed, kernelTimes, stagesText } from '../support/gpuTimes.js';
import { internalsOf } from '../support/internals.js';
import { coreCount, threadsText } from '../support/machine.js';
import { loadMesh, loadMeshes, type NamedMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const report = new Report('gpuTrees', undefined, ['webgpu']);

async function measure(gpu: Gpu): Promise<void> {
  await gpu.prepare(GpuTrees.kernels);
  const engines = {
    one: await createEngine({ threads: 1 }),
    all: await createEngine({ threads: coreCount }),
  };
  const trees = new GpuTrees(gpu);
  const meshes = isQuick
    ? [(await loadMesh('bunny'))!]
    : [(await loadMesh('bunny'))!, ...(await loadMeshes('dragon 203K', 'dragon 810K'))];
  for (const mesh of meshes)
    await new TreeComparison(gpu, trees, engines.one, mesh).compare(engines.all, isQuick ? 2 : 9);
  for (const engine of Object.values(engines)) engine.dispose();
  gpu.dispose();
  report.save();
}

// A mesh on the CPU and on the GPU, with buffers for its tree on the GPU.
class TreeComparison {
  private readonly gpu: Gpu;
  private readonly trees: GpuTrees;
  private readonly engine: Engine;
  private readonly scene: string;
  private readonly data: MeshData;
  private readonly indices: Uint32Array;
  private readonly mesh: Mesh;
  private readonly triangles: GpuTriangles;
  private place: TreeBuffers | undefined;
  private shape: GpuTreeShape | undefined;

  constructor(gpu: Gpu, trees: GpuTrees, engine: Engine, { name, data }: NamedMesh) {
    [this.gpu, this.trees, this.engine, this.scene, this.data] = [gpu, trees, engine, name, data];
    this.mesh = engine.createMesh(data, { builder: 'morton', deformable: true });
    this.indices = Uint32Array.from(
      data.indices ?? data.positions.subarray(0, data.positions.length / 3).keys(),
    );
    const { positions } = data;
    const { indices } = this;
    this.triangles = {
      positions: gpu.createBuffer('positions', positions.byteLength),
      firstVertex: 0,
      vertexCount: positions.length / 3,
      indices: gpu.createBuffer('indices', indices.byteLength),
      firstTriangle: 0,
      triangleCount: triangleCount(data),
    };
  }

  async compare(all: Engine, iterations: number): Promise<void> {
    const { engine, data, mesh, gpu } = this;
    const phases = [0, 1, 2, 3].map(phase =>
      data.positions.map((value, i) => value * (1 + 0.01 * Math.sin(phase + (i % 3) + value))),
    );
    const make = (on: Engine) => () => on.createMesh(data, { builder: 'morton' }).dispose();
    await this.compareTimes('build', iterations, () => this.build(), [
      ['CPU', make(engine)],
      [`CPU, ${threadsText(coreCount)}`, make(all)],
    ]);
    const other = all.createMesh(data, { builder: 'morton', deformable: true });
    let iteration = 0;
    const next = () => phases[iteration++ % phases.length];
    await this.compareTimes('refit', iterations, () => this.refit(next()), [
      ['CPU', () => mesh.update(next())],
      [`CPU, ${threadsText(coreCount)}`, () => other.update(next())],
    ]);
    const { nodeCount, leafCount } = this.shape!;
    report.add({
      scene: this.scene,
      measure: 'tree',
      variant: adapterName(gpu),
      unit: 'bytes',
      n: 1,
      median: nodeCount * Node.size + leafCount * Leaf.size,
      note: `all buffers ${gpu.counters.bufferBytes}; depth ${this.shape!.depth}`,
    });
    for (const one of [mesh, other]) one.dispose();
    for (const buffer of [
      this.triangles.positions,
      this.triangles.indices,
      this.place!.nodes,
      this.place!.leaves,
    ])
      buffer.destroy();
    this.shape!.dispose();
  }

  // Measures the CPU and the GPU in alternation. Then runs the GPU again several times, to measure the time
  // of each kernel.
  private async compareTimes(
    measure: string,
    iterations: number,
    onGpu: () => Promise<void>,
    onCpu: readonly (readonly [variant: string, run: () => unknown])[],
  ): Promise<void> {
    const { gpu, scene } = this;
    const variant = adapterName(gpu);
    // The first run is not counted, because it allocates buffers.
    await onGpu();
    const counted = await countWork(gpu, onGpu);
    const {
      stages,
      stages: {
        counters: { dispatches, submits, uploadedBytes, readBytes },
      },
    } = counted;
    const work = `${dispatches} dispatches (${stagesText(stages.dispatches)}), ${submits} submits, ${uploadedBytes} bytes uploaded (${stagesText(stages.up)}), ${readBytes} read back (${stagesText(stages.down)})`;
    report.add(
      {
        scene,
        measure: `${measure}, dispatches`,
        variant,
        unit: 'count',
        n: 1,
        median: dispatches,
        note: work,
      },
      ...workRows({ scene, variant }, [counted], `${measure}, `),
    );
    if (!isTimed(gpu)) return;
    const times = new Map<string, number[]>([variant, ...onCpu.map(([one]) => one)].map(one => [one, []]));
    const note = (one: string, from: number) => times.get(one)!.push(performance.now() - from);
    for (let iteration = 0; iteration <= iterations; iteration++) {
      for (const [one, run] of onCpu) {
        const from = performance.now();
        run();
        note(one, from);
      }
      const from = performance.now();
      await onGpu();
      note(variant, from);
    }
    const gpuMean = summarize(times.get(variant)!.slice(1)).mean;
    for (const [one, samples] of times) {
      const summary = summarize(samples.slice(1));
      report.add({
        scene,
        measure: `${measure}, end to end`,
        variant: one,
        unit: 'ms',
        ...summary,
        rival: 'GPU',
        ratio: gpuMean / summary.mean,
        note: one === variant ? work : undefined,
      });
    }
    const kernels = await kernelTimes(gpu, iterations, onGpu);
    if (!kernels) return;
    const { each, ...all } = kernels;
    report.add({
      scene,
      measure: `${measure}, kernels`,
      variant,
      unit: 'ms',
      ...all,
      note: [...each].map(([name, { median }]) => `${name} ${median.toFixed(3)}`).join(', '),
    });
  }

  private async build(): Promise<void> {
    const { gpu, trees, triangles, mesh, data, indices } = this;
    const commands = new Commands(gpu);
    commands.upload(triangles.positions, 0, data.positions);
    commands.upload(triangles.indices, 0, indices);
    await commands.submit();
    this.shape?.dispose();
    this.shape = await trees.build(
      triangles,
      this.frame,
      mesh.bounds,
      (_, nodeCount, leafCount) =>
        (this.place ??= {
          nodes: gpu.createBuffer('nodes', nodeCount * Node.size),
          firstNode: 0,
          leaves: gpu.createBuffer('leaves', leafCount * Leaf.size),
          firstLeaf: 0,
        }),
    );
    await gpu.wait(gpu.device.queue.onSubmittedWorkDone());
  }

  private async refit(positions: Float32Array): Promise<void> {
    const { gpu, trees, triangles } = this;
    const commands = new Commands(gpu);
    commands.upload(triangles.positions, 0, positions);
    trees.refit(commands, this.shape!, triangles, this.frame, this.place!);
    await commands.submit();
    await gpu.wait(gpu.device.queue.onSubmittedWorkDone());
  }

  private get frame() {
    return frameOf(internalsOf(this.engine).context.arena, this.mesh.recordAt);
  }
}

const found = await openGpu();
if (found) await measure(found);
