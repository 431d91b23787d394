// Makes random numbers that serve as secrets in messages.

/** Returns an integer of 53 random bits that cannot be guessed; never 0. */
export function randomToken(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low || randomToken();
}

/** Returns whether a number is 0 or can be a token: a positive integer of at most 53 bits. */
export const isToken = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
