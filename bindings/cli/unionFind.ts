// Merges sets of numbers (union-find). Each number has a parent in its set; the root of a set is its own
// parent.

/** Returns the root of a number's set. */
export function rootOf(parents: Uint32Array, number: number): number {
  while (parents[number] !== number) number = parents[number] = parents[parents[number]];
  return number;
}

/** Merges the sets of two numbers. The smaller of their two roots becomes the root of the merged set. */
export function unite(parents: Uint32Array, a: number, b: number): void {
  const rootA = rootOf(parents, a);
  const rootB = rootOf(parents, b);
  if (rootA < rootB) parents[rootB] = rootA;
  else parents[rootA] = rootB;
}
