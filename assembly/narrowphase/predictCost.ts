// Predicts the cost of a node from its measured cost in the last run and its overlap now.

// Contact that has just reached a node makes it cost more than last time: at least this fraction of what its
// overlap suggests.
const MIN_WEIGHT_RATIO: f32 = 0.25;
const MAX_COST: f32 = 1e30;

export function predictCost(last: f32, byWeight: f32): f32 {
  const cost = max<f32>(last, MIN_WEIGHT_RATIO * byWeight);
  // At least the node's own test, and never NaN or infinite.
  return cost >= 1 ? min<f32>(cost, MAX_COST) : 1;
}
