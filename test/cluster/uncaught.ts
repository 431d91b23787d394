// Lets a test detect uncaught errors and unhandled rejections of promises.
import * as assert from 'uvu/assert';

/** Runs a function, and asserts that no uncaught error was thrown. */
export async function withoutUncaught(run: () => Promise<void>): Promise<void> {
  const uncaught: unknown[] = [];
  const names = ['unhandledRejection', 'uncaughtException'] as const;
  const before = names.map(name => process.listeners(name as 'uncaughtException'));
  for (const name of names)
    process.removeAllListeners(name).on(name, (error: unknown) => {
      uncaught.push(error);
    });
  try {
    await run();
  } finally {
    names.forEach((name, i) => {
      process.removeAllListeners(name);
      for (const listener of before[i]) process.on(name as 'uncaughtException', listener);
    });
  }
  assert.equal(
    uncaught.map(error => (error as Error).stack ?? error),
    [],
  );
}
