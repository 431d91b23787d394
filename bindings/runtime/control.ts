// Defines the layout of the shared control words through which the calling thread gives work to the workers.
// Each worker has its own cache line of 64 bytes.

/** Int32 index of each word in a worker's line. */
export const word = {
  /** The number of the latest order (a kernel call for this worker), set by the caller. */
  posted: 0,
  /**
   * Which thread runs the order. The caller posts the order with the complement of its number (~order) here.
   * The worker replaces this value by the order's number when it begins; the caller replaces it by another
   * value when it takes the order back.
   */
  claimed: 1,
  /**
   * Set by the worker: to the order's number when the worker has run the order's slices, or to ENDED when the
   * worker ends.
   */
  done: 2,
  /** 1 while the worker sleeps in Atomics.wait and needs a notify. */
  parked: 3,
  /** 1 while the caller sleeps on `done`. */
  callerParked: 4,
  kernel: 5,
  jobAt: 6,
  begin: 7,
  end: 8,
  /** How long to spin for the next order before sleeping, in microseconds. */
  spinMicroseconds: 9,
  /** The last order that the worker noticed, even if the caller had already taken that order back. */
  seen: 10,
  /** Duration of the worker's last order, in microseconds. */
  microseconds: 11,
} as const;

export const LINE_BYTES = 64;
export const LINE_WORDS = LINE_BYTES / 4;

/** Value of `done` when the worker has ended: it runs no more orders. */
export const ENDED = -1;

/** Kernel number that ends a worker. */
export const STOP = -1;
