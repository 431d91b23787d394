// Predicts the cost of traversing a front node, from its cost in the last run and from how much its two boxes
// overlap now.

// If the meshes have come into contact below a node since the last run, the node now costs more than it did
// then. So the predicted cost is at least this fraction of the cost that the overlap of the boxes suggests.
const MIN_WEIGHT_RATIO: f32 = 0.25;
const MAX_COST: f32 = 1e30;

/**
 * Returns the predicted cost. last: the cost in the last run, or byWeight if it was not measured. byWeight:
 * the cost that the overlap of the two boxes suggests.
 */
export function predictCost(last: f32, byWeight: f32): f32 {
  const cost = max<f32>(last, MIN_WEIGHT_RATIO * byWeight);
  // The cost is at least 1, which is the cost of the node's own test, and never NaN or infinite.
  return cost >= 1 ? min<f32>(cost, MAX_COST) : 1;
}
