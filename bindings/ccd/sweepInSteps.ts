// Runs long exact sweeps in short pieces of work, between which the event loop can run. In this file, "step"
// means such a piece of work, not the motion that is swept. A sweep of meshes first finds its candidate
// contacts in one uninterrupted call; only the exact decisions about undecided candidates run in steps. Tests
// of pairs of features run in steps from the start. The results equal the results of uninterrupted sweeps. This
// module is loaded on demand.

import type { Coordinates, ProgressOptions } from '../core/checkOptions.js';
import type { SweepStats } from '../core/stats.js';
import type { Mesh } from '../mesh/mesh.js';
import { Contact } from '../records/sweptLayout.js';
import { ContactBuffer, type ContactRefs } from './contactBuffer.js';
import type { Sweeper } from './continuous.js';
import { decideContact, isUndecided, pointsOf } from './decideContacts.js';
import { type FeatureContacts, printedContacts } from './featureSweep.js';
import type { MeshSweep } from './meshSweep.js';
import { readPlacements, readVertices } from './sweepArguments.js';
import {
  checkQueries,
  type PlacedSweepOptions,
  type SweepOptions,
  type SweepSettings,
} from './sweepOptions.js';
import { type ContactMemory, readContacts, type SweptContacts } from './sweptContacts.js';

const STEP_MILLISECONDS = 12;
const STEP_QUERIES = 1024;
const QUERY_DOUBLES = 24;

// Reports the progress and yields to the event loop. @throws the signal's abort reason
async function endStep(done: number, { onProgress, signal }: ProgressOptions): Promise<void> {
  onProgress?.(done);
  await new Promise(resolve => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}

/**
 * Holds copies of the candidate contacts and of the points of the undecided contacts. Engine calls between
 * the steps therefore cannot change them.
 */
class Candidates {
  #contacts = new ContactBuffer();
  /** Indices of the undecided contacts; `#queries` holds their points. */
  #undecided: number[] = [];
  #queries = new Float64Array(0);

  /**
   * Copies the contacts as the kernel found them. Returns all contacts; some of them are still undecided.
   * @param starts a buffer of contacts that are already decided; `contacts` are appended to this buffer
   */
  take(memory: ContactMemory, contacts: Uint32Array, starts: ContactBuffer): ContactRefs {
    const undecided = [...contacts.keys()].filter(i => isUndecided(memory, contacts[i]));
    this.#undecided = undecided.map(i => starts.count + i);
    this.#queries = new Float64Array(undecided.length * QUERY_DOUBLES);
    undecided.forEach((i, k) => this.#queries.set(pointsOf(memory, contacts[i]), k * QUERY_DOUBLES));
    this.#contacts = starts;
    starts.append(memory, contacts);
    return starts.all;
  }

  /**
   * Decides the undecided candidates exactly, in steps, and returns the contacts. @throws the signal's abort
   * reason
   */
  async decide(stats: SweepStats, progress: ProgressOptions): Promise<SweptContacts> {
    const contacts = this.#contacts;
    const undecided = this.#undecided;
    const isContact = new Uint8Array(contacts.count).fill(1);
    for (let i = 0; i < undecided.length; ) {
      const until = performance.now() + STEP_MILLISECONDS;
      for (; i < undecided.length && performance.now() < until; i++) {
        const query = this.#queries.subarray(i * QUERY_DOUBLES, (i + 1) * QUERY_DOUBLES);
        if (!decideContact(contacts, undecided[i] * Contact.size, query)) isContact[undecided[i]] = 0;
      }
      await endStep(i / undecided.length, progress);
    }
    if (undecided.length === 0) await endStep(1, progress);
    return readContacts(
      contacts,
      contacts.addresses.filter((_, i) => isContact[i] === 1),
      () => stats,
    ).contacts;
  }
}

// Runs a sweep of meshes. Finds the candidate contacts in one uninterrupted call of `find`, and then decides
// the undecided ones in steps. `find` runs the sweep with the given MeshSweep, and must use its second argument
// as the setting `defer`: a function that receives the candidate contacts. @throws the signal's abort reason
function sweepInSteps(
  sweeper: Sweeper,
  progress: ProgressOptions,
  find: (meshes: MeshSweep, defer: SweepSettings['defer']) => void,
): Promise<SweptContacts> {
  progress.signal?.throwIfAborted();
  const candidates = new Candidates();
  sweeper.host.beginCall();
  const stats = sweeper.run((meshes, startedAt) => {
    find(meshes, (memory, contacts, starts) => candidates.take(memory, contacts, starts));
    return meshes.sweep.summarize(startedAt);
  });
  return candidates.decide(stats, progress);
}

/**
 * Finds all contacts of a deforming mesh with itself. Decides undecided candidates in steps.
 * @throws as sweepVertices; also the signal's abort reason
 */
export async function sweepVerticesInSteps(
  sweeper: Sweeper,
  mesh: Mesh,
  from: Coordinates,
  to: Coordinates,
  options: SweepOptions,
  progress: ProgressOptions,
): Promise<SweptContacts> {
  const settings = readVertices(sweeper.host, mesh, from, to, options);
  return sweepInSteps(sweeper, progress, (meshes, defer) =>
    meshes.deform(mesh, from, to, { ...settings, defer }),
  );
}

/**
 * Finds all contacts of two meshes in linear motion. Decides undecided candidates in steps.
 * @throws as sweep; also the signal's abort reason
 */
export async function sweepMeshesInSteps(
  sweeper: Sweeper,
  a: Mesh,
  b: Mesh,
  options: PlacedSweepOptions,
  progress: ProgressOptions,
): Promise<SweptContacts> {
  const { placed, settings } = readPlacements(sweeper.host, a, b, options);
  return sweepInSteps(sweeper, progress, (meshes, defer) =>
    meshes.move(a, b, placed, { ...settings, defer }),
  );
}

/**
 * Tests pairs of moving features in steps of up to STEP_QUERIES pairs.
 * @param runChunk answers some of the queries
 * @returns the answers of all steps, in order, and their computing time
 * @throws Unsupported; also the signal's abort reason
 */
async function runInSteps<Answer>(
  name: string,
  queries: Float64Array,
  progress: ProgressOptions,
  runChunk: (chunk: Float64Array) => Answer,
): Promise<{ answers: Answer[]; milliseconds: number }> {
  checkQueries(name, queries);
  const answers: Answer[] = [];
  let milliseconds = 0;
  const count = queries.length / QUERY_DOUBLES;
  progress.signal?.throwIfAborted();
  for (let from = 0; from < count || from === 0; from += STEP_QUERIES) {
    const startedAt = performance.now();
    answers.push(runChunk(queries.subarray(from * QUERY_DOUBLES, (from + STEP_QUERIES) * QUERY_DOUBLES)));
    milliseconds += performance.now() - startedAt;
    await endStep(count === 0 ? 1 : Math.min(1, (from + STEP_QUERIES) / count), progress);
  }
  return { answers, milliseconds };
}

/** Runs `sweepFeatures` in steps. milliseconds: the computing time. */
export async function sweepFeaturesInSteps(
  queries: Float64Array,
  progress: ProgressOptions,
  runChunk: (chunk: Float64Array) => FeatureContacts,
): Promise<{ answer: FeatureContacts; milliseconds: number }> {
  const { answers, milliseconds } = await runInSteps('queries', queries, progress, runChunk);
  const count = queries.length / QUERY_DOUBLES;
  const all = {
    __proto__: printedContacts,
    verdict: new Uint8Array(count),
    toi: new Float64Array(count),
    bound: new Float64Array(count),
    moments: new Uint32Array(count),
  } as FeatureContacts;
  let to = 0;
  for (const answer of answers) {
    for (const name of ['verdict', 'toi', 'bound', 'moments'] as const) all[name].set(answer[name], to);
    to += answer.toi.length;
  }
  return { answer: all, milliseconds };
}

/** Runs `contactTimes` in steps. milliseconds: the computing time. */
export async function contactTimesInSteps(
  queries: Float64Array,
  progress: ProgressOptions,
  runChunk: (chunk: Float64Array) => Float64Array,
): Promise<{ answer: Float64Array; milliseconds: number }> {
  const { answers, milliseconds } = await runInSteps('points', queries, progress, runChunk);
  const times = new Float64Array(queries.length / QUERY_DOUBLES);
  let to = 0;
  for (const answer of answers) {
    times.set(answer, to);
    to += answer.length;
  }
  return { answer: times, milliseconds };
}
