// A promise that ends: with its own outcome, or with an error that says what did not come.

/** what: for the error. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([promise, new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what}: none within ${milliseconds} ms`)), milliseconds);
    })]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks every few milliseconds whether it is so. */
export async function until(what: string, isSo: () => boolean, milliseconds = 10_000): Promise<void> {
  const ends = performance.now() + milliseconds;
  while (!isSo()) {
    if (performance.now() > ends) throw new Error(`${what}: none within ${milliseconds} ms`);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}
