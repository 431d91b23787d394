// Limits the time to wait for a promise.

/** Resolves with the value of a promise, or with undefined if it is still pending after `milliseconds`. */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let stop = (): void => {};
  const late = new Promise<undefined>(resolve => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    stop = () => clearTimeout(timer);
  });
  return Promise.race([promise, late]).finally(stop);
}
