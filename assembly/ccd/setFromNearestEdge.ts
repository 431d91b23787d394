// Sets a Moment's direction to the direction from the origin to the nearest point on the four edges between
// the Moment's points.

import { Moment, Motion } from '../records';
import { lowLane, swapLanes } from '../simd/doubles';
import { MIN_SQUARE, setNormal } from './direction';

// Added to squared lengths, so that a quotient is not NaN if an edge has length 0. Far below all relevant
// squares.
const TINY: f64 = 1e-290;
// If the ratio of two distances is at most this, rounding may have changed their order.
const TIE_FACTOR: f64 = 1.000001;

// For a = (a0, a1) and b = (b0, b1), returns (a1, b0): the next values after a0 and a1 in the sequence a0, a1,
// b0, b1.
function shifted(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 2);
}
function dot(x: v128, y: v128, z: v128, a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, a), f64x2.mul(y, b)), f64x2.mul(z, c));
}
// Returns the parameters of the origin's projections on two edges, clamped to 0..1. along: dot product of an
// edge's start and its vector. square: squared length of the edge.
function parametersOf(along: v128, square: v128): v128 {
  return f64x2.pmax(
    f64x2.splat(0),
    f64x2.pmin(f64x2.splat(1), f64x2.div(f64x2.neg(along), f64x2.add(square, f64x2.splat(TINY)))),
  );
}

/** Sets the Moment's normal, low, high, reach and rate. */
export function setFromNearestEdge(motion: usize, moment: usize): void {
  const at = moment + Moment.points;
  const x01 = v128.load(at);
  const x23 = v128.load(at, 16);
  const y01 = v128.load(at, 32);
  const y23 = v128.load(at, 48);
  const z01 = v128.load(at, 64);
  const z23 = v128.load(at, 80);
  const ux01 = f64x2.sub(shifted(x01, x23), x01);
  const uy01 = f64x2.sub(shifted(y01, y23), y01);
  const uz01 = f64x2.sub(shifted(z01, z23), z01);
  const ux23 = f64x2.sub(shifted(x23, x01), x23);
  const uy23 = f64x2.sub(shifted(y23, y01), y23);
  const uz23 = f64x2.sub(shifted(z23, z01), z23);
  const share01 = parametersOf(dot(x01, y01, z01, ux01, uy01, uz01), dot(ux01, uy01, uz01, ux01, uy01, uz01));
  const share23 = parametersOf(dot(x23, y23, z23, ux23, uy23, uz23), dot(ux23, uy23, uz23, ux23, uy23, uz23));
  const cx01 = f64x2.add(x01, f64x2.mul(share01, ux01));
  const cy01 = f64x2.add(y01, f64x2.mul(share01, uy01));
  const cz01 = f64x2.add(z01, f64x2.mul(share01, uz01));
  const cx23 = f64x2.add(x23, f64x2.mul(share23, ux23));
  const cy23 = f64x2.add(y23, f64x2.mul(share23, uy23));
  const cz23 = f64x2.add(z23, f64x2.mul(share23, uz23));
  const square01 = dot(cx01, cy01, cz01, cx01, cy01, cz01);
  const square23 = dot(cx23, cy23, cz23, cx23, cy23, cz23);
  // Selects the minimum in two steps without a branch, because a branch on the nearest edge would be hard to
  // predict.
  const isLast = f64x2.lt(square23, square01);
  const square = v128.bitselect(square23, square01, isLast);
  const shares = v128.bitselect(share23, share01, isLast);
  const edges = v128.bitselect(i64x2(2, 3), i64x2(0, 1), isLast);
  const isSecond = f64x2.lt(swapLanes(square), square);
  const share = lowLane(v128.bitselect(swapLanes(shares), shares, isSecond));
  const edge = <usize>i64x2.extract_lane(v128.bitselect(swapLanes(edges), edges, isSecond), 0);
  setFromEdge(motion, moment, edge, share);
  // No direction can prove a distance (`low`) larger than the real one (`reach`). A direction that proves a far
  // smaller distance is a poor choice. An example is the direction to a corner, if the nearest point lies on
  // an edge close to that corner: the squared distances of both points are so close that rounding errors
  // decide which is smaller.
  if (2 * load<f64>(moment, Moment.low) < load<f64>(moment, Moment.reach))
    chooseBestEdge(motion, moment, edge, share01, share23);
}

// Compares the edges that are about as near as the edge `nearest`, and uses the edge whose direction proves
// the largest distance.
function chooseBestEdge(motion: usize, moment: usize, nearest: usize, share01: v128, share23: v128): void {
  const maxReach = TIE_FACTOR * load<f64>(moment, Moment.reach);
  let best = nearest;
  let bestLow = load<f64>(moment, Moment.low);
  for (let i: usize = 1; i < 4; i++) {
    const edge = (nearest + i) & 3;
    setFromEdge(motion, moment, edge, parameterOn(edge, share01, share23));
    const low = load<f64>(moment, Moment.low);
    if (!(low > bestLow) || load<f64>(moment, Moment.reach) > maxReach) continue;
    bestLow = low;
    best = edge;
  }
  setFromEdge(motion, moment, best, parameterOn(best, share01, share23));
}

function parameterOn(edge: usize, share01: v128, share23: v128): f64 {
  const shares = edge < 2 ? share01 : share23;
  return edge & 1 ? f64x2.extract_lane(shares, 1) : f64x2.extract_lane(shares, 0);
}

// Sets normal, low, high, reach and rate for the point at the parameter `share` of an edge.
function setFromEdge(motion: usize, moment: usize, edge: usize, share: f64): void {
  const from = edge << 3;
  const to = ((edge + 1) & 3) << 3;
  const a = moment + Moment.points + from;
  const b = moment + Moment.points + to;
  const x = load<f64>(a);
  const y = load<f64>(a, 32);
  const z = load<f64>(a, 64);
  const ux = load<f64>(b) - x;
  const uy = load<f64>(b, 32) - y;
  const uz = load<f64>(b, 64) - z;
  let cx = x + share * ux;
  let cy = y + share * uy;
  let cz = z + share * uz;
  let square = cx * cx + cy * cy + cz * cz;
  store<f64>(moment, sqrt(square), Moment.reach);
  if (share > 0 && share < 1) {
    // Makes the direction perpendicular to the edge, as exactly as possible, so that both ends of the edge
    // have the same dot product with it.
    const excess = (cx * ux + cy * uy + cz * uz) / (ux * ux + uy * uy + uz * uz + TINY);
    cx -= excess * ux;
    cy -= excess * uy;
    cz -= excess * uz;
    square = cx * cx + cy * cy + cz * cz;
  }
  const inverse = square > MIN_SQUARE ? 1 / sqrt(square) : 0;
  const nx = cx * inverse;
  const ny = cy * inverse;
  const nz = cz * inverse;
  setNormal(moment, nx, ny, nz);
  const v = motion + Motion.velocity + from;
  const w = motion + Motion.velocity + to;
  const rest = 1 - share;
  store<f64>(
    moment,
    nx * (rest * load<f64>(v) + share * load<f64>(w)) +
      ny * (rest * load<f64>(v, 32) + share * load<f64>(w, 32)) +
      nz * (rest * load<f64>(v, 64) + share * load<f64>(w, 64)),
    Moment.rate,
  );
}
