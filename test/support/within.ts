// Waits for a promise or a condition, and fails with an error that names what did not happen.

/**
 * Factor by which slow and busy machines may exceed the time that a quiet one needs. The runner ends a test
 * that hangs.
 */
const PATIENCE = 20;

/**
 * The longest time that something may take on a slow and busy machine, in milliseconds, from the time on a
 * quiet one.
 */
export const scaledTimeout = (milliseconds: number): number => PATIENCE * milliseconds;

/** what: named in the error. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`${what}: did not come within ${scaledTimeout(milliseconds)} ms`)),
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

/** Polls a condition. */
export async function until(what: string, isSo: () => boolean, milliseconds = 10_000): Promise<void> {
  const ends = performance.now() + scaledTimeout(milliseconds);
  while (!isSo()) {
    if (performance.now() > ends)
      throw new Error(`${what}: did not come within ${scaledTimeout(milliseconds)} ms`);
    await sleep(5);
  }
}
