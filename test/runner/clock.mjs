// Implements a clock for the time limit of tests. The clock runs slower on a slow or busy machine, so that
// only a test that hangs reaches its limit.
import { availableParallelism, loadavg } from 'node:os';

/** CPU seconds that `work` takes on a 2022 server core. */
const REFERENCE_SECONDS = 0.01;

function work() {
  let sum = 0;
  for (let i = 0; i < 30_000_000; i++) sum = (sum + i * i) | 0;
  return sum;
}

function cpuSeconds(run) {
  const { user, system } = process.cpuUsage();
  run();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1e6;
}

/**
 * Returns how many times slower this machine is than the reference, at least 1. Uses the fastest of six
 * samples, because the first samples run before the code is optimized.
 */
export const calibrate = () =>
  Math.max(1, Math.min(...Array.from({ length: 6 }, () => cpuSeconds(work))) / REFERENCE_SECONDS);

/**
 * Returns the load average of the last minute (the number of processes that run or wait) per core, at
 * least 1. Always returns 1 on Windows, which has no load average.
 */
const contention = () => Math.max(1, loadavg()[0] / availableParallelism());

/**
 * Counts seconds, divided by the machine's slowness (`calibrate`) and by its load per core (`contention`).
 * The count is updated once per second.
 */
export class FairClock {
  seconds = 0;
  #slowness = calibrate();
  #readAt = performance.now();
  #timer = setInterval(() => this.#advance(), 1000);

  #advance() {
    const now = performance.now();
    // After a pause of the whole machine, such as sleep, at most 5 s count.
    this.seconds += Math.min(now - this.#readAt, 5000) / 1000 / (this.#slowness * contention());
    this.#readAt = now;
  }

  stop() {
    clearInterval(this.#timer);
  }
}
