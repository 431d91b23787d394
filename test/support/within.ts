// Waits for a promise or a condition, and fails with an error that names what did not happen.

/**
 * Factor by which slow and busy machines may exceed the time that an idle one needs. The runner ends a test
 * that hangs.
 */
const PATIENCE = 20;

/**
 * Returns the max time that something may take on a slow and busy machine, in milliseconds, from the time on
 * an idle one.
 */
export const scaledTimeout = (milliseconds: number): number => PATIENCE * milliseconds;

/** Waits for a promise. what: the name of the awaited event, for the error. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`${what}: did not happen within ${scaledTimeout(milliseconds)} ms`)),
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

/** Waits until a condition is true, by polling it. */
export async function until(what: string, isSo: () => boolean, milliseconds = 10_000): Promise<void> {
  const ends = performance.now() + scaledTimeout(milliseconds);
  while (!isSo()) {
    if (performance.now() > ends)
      throw new Error(`${what}: did not happen within ${scaledTimeout(milliseconds)} ms`);
    await sleep(5);
  }
}
