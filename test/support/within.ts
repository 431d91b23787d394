// Waits for a promise or a condition, and fails with an error that names what did not happen.

/**
 * Every timeout is this factor times the time limit for an idle machine, so that tests do not fail on a slow or
 * busy machine. A large factor is harmless, because the runner also ends tests that hang.
 */
const PATIENCE = 20;

/**
 * Converts a time limit for an idle machine to a timeout that also suits slow and busy machines. Both are in
 * milliseconds.
 */
export const scaledTimeout = (milliseconds: number): number => PATIENCE * milliseconds;

/**
 * Waits for a promise. milliseconds: time limit on an idle machine. what: the awaited event, for the error.
 */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`timed out after ${scaledTimeout(milliseconds)} ms, waiting for: ${what}`)),
          scaledTimeout(milliseconds),
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds);
  });

/** Waits until `isSo` returns true, by polling. milliseconds: time limit on an idle machine. */
export async function until(what: string, isSo: () => boolean, milliseconds = 10_000): Promise<void> {
  const ends = performance.now() + scaledTimeout(milliseconds);
  while (!isSo()) {
    if (performance.now() > ends)
      throw new Error(`timed out after ${scaledTimeout(milliseconds)} ms, waiting for: ${what}`);
    await sleep(5);
  }
}
