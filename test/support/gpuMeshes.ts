// Compares the contacts of moving meshes that a GPU finds with those that the engine finds on the CPU: every
// field, the counts, and the order of contacts.

import * as assert from 'uvu/assert';
import { MeshTables } from '../../dist/ccd/meshTables.js';
import { readSweepOptions } from '../../dist/ccd/sweepOptions.js';
import { readTransform, type Transform } from '../../dist/core/transform.js';
import type { Filtered } from '../../dist/gpu/ccd/filterStats.js';
import { GpuMeshSweep, type SweepResult } from '../../dist/gpu/ccd/gpuMeshSweep.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import type {
  Engine,
  Mesh,
  PlacedSweepOptions,
  SweepOptions,
  SweptContact,
  SweptContacts,
} from '../../dist/index.js';
import { maxPlacedCoordinate } from '../../dist/mesh/maxPlacedCoordinate.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { readFrames } from './frames.js';

export const contextOf = (engine: Engine): EngineContext =>
  (engine as unknown as { context: EngineContext }).context;

/**
 * Makes a GpuMeshSweep, passes it to `use`, and disposes of it. capacity: the initial capacity for the pairs
 * that remain after the GPU's filter.
 */
export async function withMeshSweep<Result>(
  gpu: Gpu,
  engine: Engine,
  use: (sweep: GpuMeshSweep) => Promise<Result>,
  capacity?: number,
): Promise<Result> {
  const context = contextOf(engine);
  const sweep = new GpuMeshSweep(gpu, context, new MeshTables(context), capacity);
  try {
    return await use(sweep);
  } finally {
    sweep.dispose();
  }
}

/** Returns every field of a result except clock times, as text. */
export function textOf(answer: SweptContacts | SweptContact | undefined): string {
  if (!answer || !('stats' in answer)) return JSON.stringify(answer ?? null);
  const {
    stats: { facePairs, featurePairs, searchedPairs, directions },
    ...rest
  } = answer;
  return JSON.stringify({
    ...Object.fromEntries(
      Object.entries(rest).map(([name, values]) => [
        name,
        typeof values === 'number'
          ? values
          : Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64'),
      ]),
    ),
    facePairs,
    featurePairs,
    searchedPairs,
    directions,
  });
}

/** Checks that the counters of the GPU's filter are consistent with those of the sweep. */
function checkFilterStats({ answer, stats: { pairs, apart, undecided } }: Filtered<SweepResult>): void {
  assert.is(pairs, apart + undecided);
  if (!answer || !('stats' in answer)) return;
  const { featurePairs, searchedPairs } = answer.stats;
  assert.is(pairs, featurePairs);
  assert.ok(searchedPairs <= undecided, `${searchedPairs} of ${undecided} undecided pairs were searched`);
}

type WithoutWant<Options extends SweepOptions> = Omit<Options, 'want'>;
const WANTS = ['all', 'first'] as const;

/** The object under test: it sweeps meshes on a GPU, in Node or in a page. */
export type DeformingSweep = Pick<GpuMeshSweep, 'deform'>;

/**
 * Published films: the folder, two consecutive frames, and the number of contacts during the motion between
 * these frames.
 */
export const films = [
  ['cloth-ball', 'cloth_ball92', 'cloth_ball93', 113854],
  ['rod-twist', '3036', '3037', 4944],
] as const;

/**
 * Checks the contacts during the motion between the two frames of a film. share: the fraction of the film's
 * faces to use, taken from the middle of the list of faces.
 */
export async function checkFilm(
  sweep: DeformingSweep,
  engine: Engine,
  [name, from, to, contacts]: (typeof films)[number],
  share = 1,
): Promise<void> {
  const frames = readFrames(`sccd/${name}/frames/${from}.ply.gz`, `sccd/${name}/frames/${to}.ply.gz`);
  const count = frames.faces.length / 3;
  const [first, end] = [1 - share, 1 + share].map(part => 3 * Math.floor((part / 2) * count));
  const mesh = engine.createMesh({
    positions: Float32Array.from(frames.from),
    indices: frames.faces.slice(first, end),
  });
  const found = await checkDeforming(sweep, engine, mesh, frames.from, frames.to, { exact: true });
  if (share === 1) assert.is(found, contacts);
  await checkDeforming(sweep, engine, mesh, frames.from, frames.to, { minSeparation: 1e-5 });
  mesh.dispose();
}

/** Checks the contacts of a deforming mesh. @returns the number of contacts */
export async function checkDeforming(
  sweep: DeformingSweep,
  engine: Engine,
  mesh: Mesh,
  from: Float64Array | Float32Array,
  to: Float64Array | Float32Array,
  options: WithoutWant<SweepOptions> = {},
): Promise<number> {
  const extent = Math.max(
    ...[from, to].map(values =>
      Float64Array.from(values).reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 0),
    ),
  );
  let count = 0;
  for (const want of WANTS) {
    const expected = engine.sweepVertices(mesh, from, to, { ...options, want } as SweepOptions & {
      want: 'all';
    });
    const found = await sweep.deform(mesh, from, to, readSweepOptions({ ...options, want }, extent));
    assert.is(textOf(found.answer), textOf(expected));
    checkFilterStats(found);
    if (want === 'all') count = expected.count;
  }
  return count;
}

const rowsOf = (transform: Transform | undefined): Float64Array | undefined => {
  if (!transform) return undefined;
  const rows = new Float64Array(12);
  readTransform('from', transform, rows, 0);
  return rows;
};

/** Checks the contacts of two moving meshes. @returns the number of contacts */
export async function checkPlaced(
  sweep: GpuMeshSweep,
  engine: Engine,
  a: Mesh,
  b: Mesh,
  options: WithoutWant<PlacedSweepOptions>,
): Promise<number> {
  const [fromA, toA = fromA, fromB, toB = fromB] = [
    rowsOf(options.fromA),
    rowsOf(options.toA),
    rowsOf(options.fromB),
    rowsOf(options.toB),
  ];
  const extent = Math.max(
    maxPlacedCoordinate(a, fromA),
    maxPlacedCoordinate(a, toA),
    maxPlacedCoordinate(b, fromB),
    maxPlacedCoordinate(b, toB),
  );
  let count = 0;
  for (const want of WANTS) {
    const expected = engine.sweep(a, b, { ...options, want } as PlacedSweepOptions & { want: 'all' });
    const found = await sweep.move(
      a,
      b,
      { fromA, toA, fromB, toB },
      readSweepOptions({ ...options, want }, extent),
    );
    assert.is(textOf(found.answer), textOf(expected));
    checkFilterStats(found);
    if (want === 'all') count = expected.count;
  }
  return count;
}
