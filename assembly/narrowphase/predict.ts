// What a node cost last time and what its overlap weighs now -> what it will cost.

// Contact that has just reached a node costs more than it did: a part of what its overlap lets one expect is
// the least.
const LEAST_PART_OF_WEIGHT: f32 = 0.25;
const MOST_COST: f32 = 1e30;

export function predict(last: f32, byWeight: f32): f32 {
  const cost = max<f32>(last, LEAST_PART_OF_WEIGHT * byWeight);
  // At least its own test, and a number whatever went in.
  return cost >= 1 ? min<f32>(cost, MOST_COST) : 1;
}
