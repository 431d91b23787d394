// Two ways to test moving bodies for collisions on threads without shared memory: ranks that pass messages,
// and a pipeline. Both are baselines for the engine, whose threads share memory. Source: the S-AABB paper
// (Journal of Software 19, Supplement, 2008), experiment 4.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type BodyAnswer,
  type BodyTask,
  bytesOf,
  type MovingBodies,
  type PlacementTask,
} from './bodyMessages.js';
import { joinAnswers, type StepPairs } from './bodyPairs.js';

/** A worker thread. It posts answers, and `next` returns them one by one. */
class BodyThread {
  /** Rejects when the thread ends. */
  readonly ended: Promise<never>;
  private readonly worker: Worker;
  private readonly answers: BodyAnswer[] = [];
  private wake: () => void = () => {};

  private constructor(worker: Worker) {
    this.worker = worker;
    worker.on('message', (answer: BodyAnswer) => {
      this.answers.push(answer);
      this.wake();
    });
    this.ended = new Promise((_, reject) => {
      worker.on('error', reject);
      worker.on('exit', code => reject(new Error(`a thread ended with code ${code}`)));
    });
    this.ended.catch(() => {});
  }

  /** Starts a thread. The promise resolves when the thread is ready for its first step. */
  static async start(task: BodyTask, ports: MessagePort[] = []): Promise<BodyThread> {
    const thread = new BodyThread(
      new Worker(new URL('./bodyWorker.js', import.meta.url), {
        workerData: task,
        transferList: ports,
        execArgv: [],
      }),
    );
    await thread.next();
    return thread;
  }

  post(task: PlacementTask): void {
    this.worker.postMessage(task);
  }

  /** Returns the next answer. @throws the thread's error if the thread has ended */
  async next(): Promise<BodyAnswer> {
    while (this.answers.length === 0)
      await Promise.race([
        this.ended,
        new Promise<void>(resolve => {
          this.wake = resolve;
        }),
      ]);
    return this.answers.shift()!;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/**
 * Ranks that pass messages, like MPI processes. Each rank is a thread with a copy of all bodies. In every
 * step, the caller sends the placements to all ranks. Rank r of p ranks tests the body pairs whose numbers are
 * r, r + p, r + 2 * p, and so on (see bodyPairs.ts). It returns the triangle pairs that it found.
 */
export class Ranks {
  /** Bytes of the arrays in all messages so far, in both directions. */
  bytes = 0;
  /** For each rank, the cost of the last step in box tests. */
  costs: readonly number[] = [];
  private readonly threads: readonly BodyThread[];
  private readonly bodyCount: number;

  private constructor(threads: readonly BodyThread[], bodyCount: number) {
    this.threads = threads;
    this.bodyCount = bodyCount;
  }

  static async start(bodies: MovingBodies, count: number): Promise<Ranks> {
    const threads = await Promise.all(
      Array.from({ length: count }, (_, rank) =>
        BodyThread.start({ bodies, role: 'rank', rank, ranks: count }),
      ),
    );
    return new Ranks(threads, bodies.meshOf.length);
  }

  /** Computes a step. placements: 16 numbers per body. */
  async step(placements: Float32Array): Promise<StepPairs> {
    for (const thread of this.threads) thread.post({ step: 0, placements });
    const answers = await Promise.all(this.threads.map(thread => thread.next()));
    this.costs = answers.map(({ cost }) => cost);
    this.bytes += this.threads.length * placements.byteLength;
    for (const answer of answers) this.bytes += bytesOf(answer);
    return joinAnswers(answers, this.bodyCount);
  }

  async end(): Promise<void> {
    await Promise.all(this.threads.map(thread => thread.end()));
  }
}

/**
 * A pipeline of two stages. The first stage is one thread that finds the pairs of bodies whose boxes overlap.
 * At the same time, the n threads of the second stage (n >= 1) test the triangles of earlier steps. Step t
 * goes to thread t mod n.
 */
export class Pipeline {
  private readonly boxes: BodyThread;
  private readonly triangles: readonly BodyThread[];
  private readonly bodyCount: number;

  private constructor(boxes: BodyThread, triangles: readonly BodyThread[], bodyCount: number) {
    this.boxes = boxes;
    this.triangles = triangles;
    this.bodyCount = bodyCount;
  }

  static async start(bodies: MovingBodies, triangleThreads: number): Promise<Pipeline> {
    const channels = Array.from({ length: triangleThreads }, () => new MessageChannel());
    const triangles = channels.map(({ port2 }) =>
      BodyThread.start({ bodies, role: 'triangles', port: port2 }, [port2]),
    );
    const ports = channels.map(({ port1 }) => port1);
    const boxes = BodyThread.start({ bodies, role: 'boxes', ports }, ports);
    return new Pipeline(await boxes, await Promise.all(triangles), bodies.meshOf.length);
  }

  /**
   * Number of steps in the pipeline at the same time. The result of step t is returned after the placements
   * of step t + depth - 1 have been sent.
   */
  get depth(): number {
    return 1 + this.triangles.length;
  }

  /**
   * Computes steps. steps: for each step, the placements of all bodies, 16 numbers per body.
   * @returns the triangle pairs of each step, in order.
   */
  async *run(steps: Iterable<Float32Array>): AsyncGenerator<StepPairs> {
    let [sent, received] = [0, 0];
    try {
      for (const placements of steps) {
        this.boxes.post({ step: sent++, placements });
        if (sent - received === this.depth) yield this.receive(received++);
      }
      while (received < sent) yield this.receive(received++);
    } finally {
      // If the caller stops early, the next call must not receive the results of this one.
      while (received < sent) await this.receive(received++);
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.boxes, ...this.triangles].map(thread => thread.end()));
  }

  private async receive(step: number): Promise<StepPairs> {
    const answer = await Promise.race([
      this.triangles[step % this.triangles.length].next(),
      this.boxes.ended,
    ]);
    return joinAnswers([answer], this.bodyCount);
  }
}
