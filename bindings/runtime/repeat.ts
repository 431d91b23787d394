// Runs a function repeatedly for a given time.

export function repeat(milliseconds: number, run: (round: number) => void): void {
  const until = performance.now() + milliseconds;
  for (let round = 0; performance.now() < until; round++) run(round);
}
