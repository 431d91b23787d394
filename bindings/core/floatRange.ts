// Defines the range of coordinates. This file contains only constants, so that code that must be independent of
// the engine can also import this file.

/** The largest finite float. */
export const MAX_FLOAT = 2 ** 128 - 2 ** 104;
/**
 * Minimum magnitude of a mesh coordinate whose value is not a float. With this limit, all coordinates are
 * multiples of 2^-149, as floats are, so the exact tests need no wider range of exponents than for floats.
 */
export const MIN_DOUBLE = 2 ** -96;
