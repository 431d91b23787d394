// What an engine could not have, and how to mend it.

/** Something that could not be had, which changes no answer. */
export interface Note {
  /** Stable: 'not-isolated', 'single-memory', 'inlined-kernels', 'inlined-worker', 'no-worker', 'fewer-threads' or 'lost-thread'. */
  code: string;
  /** What happened. */
  message: string;
  /** What mends it. */
  fix: string;
}
