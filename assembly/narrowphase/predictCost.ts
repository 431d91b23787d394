// Predicts the cost of a node from its measured cost in the last run and its overlap now.

// A node that contact has just reached costs more than in the last run. So its predicted cost is at least
// this fraction of the cost that its overlap suggests.
const MIN_WEIGHT_RATIO: f32 = 0.25;
const MAX_COST: f32 = 1e30;

export function predictCost(last: f32, byWeight: f32): f32 {
  const cost = max<f32>(last, MIN_WEIGHT_RATIO * byWeight);
  // The cost is at least that of the node's own test, and never NaN or infinite.
  return cost >= 1 ? min<f32>(cost, MAX_COST) : 1;
}
