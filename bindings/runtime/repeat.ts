// Something to do and a time -> done over and over until the time is up.

export function repeat(milliseconds: number, run: (round: number) => void): void {
  const until = performance.now() + milliseconds;
  for (let round = 0; performance.now() < until; round++) run(round);
}
