// Repeats an attempt that failed only because the machine was busy: if a worker gets no core for a long time,
// the engine gives up the worker.

const MAX_ATTEMPTS = 5;
/** Codes of notes about workers that an engine gave up. */
const busyCodes = ['fewer-threads', 'lost-thread', 'replaced-thread'];

export const isBusyCode = (code: string): boolean => busyCodes.includes(code);

/** Removes the codes of notes that a busy machine causes. */
export const withoutBusyCodes = (codes: readonly string[]): string[] =>
  codes.filter(code => !isBusyCode(code));

/**
 * Repeats an attempt while its engine lacks threads, at most four times. Returns the last result.
 * @param attempt Receives the number of earlier attempts.
 */
export async function untilAllThreads<T>(
  attempt: (earlier: number) => Promise<T>,
  lacksThreads: (found: T) => boolean,
): Promise<T> {
  for (let earlier = 0; ; earlier++) {
    const found = await attempt(earlier);
    if (!lacksThreads(found) || earlier === MAX_ATTEMPTS - 1) return found;
  }
}
