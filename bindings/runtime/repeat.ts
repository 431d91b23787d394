// Runs a function repeatedly for a given time.

export function repeat(milliseconds: number, run: (iteration: number) => void): void {
  const until = performance.now() + milliseconds;
  for (let iteration = 0; performance.now() < until; iteration++) run(iteration);
}
