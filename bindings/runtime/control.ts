// The words through which caller and workers talk, one 64-byte line per worker -> indices used by both sides.

/** Int32 index of each word in a worker's line. */
export const word = {
  /** Raised by the caller: there is a new order. */
  posted: 0,
  /**
   * ~order when posted; the worker makes it the order's number when it begins, the caller something else when
   * it takes the slice back.
   */
  claimed: 1,
  /** Set to the order's number by the worker when its slice is done. */
  done: 2,
  /** 1 while the worker sleeps in Atomics.wait and needs a notify. */
  parked: 3,
  /** 1 while the caller sleeps on `done`. */
  callerParked: 4,
  kernel: 5,
  jobAt: 6,
  begin: 7,
  end: 8,
  /** How long to spin for the next order before parking, in microseconds. */
  spinMicroseconds: 9,
  /** The last order that the worker has noticed, whether or not it was there in time. */
  seen: 10,
  /** How long the worker's last order took it. */
  microseconds: 11,
} as const;

export const LINE_BYTES = 64;
export const LINE_WORDS = LINE_BYTES / 4;

/** Kernel number that ends a worker. */
export const STOP = -1;
