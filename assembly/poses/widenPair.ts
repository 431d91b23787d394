// Prepares a pair of placed meshes for a clearance query: two triangles then count as a hit if their distance
// is at most the clearance. Counterpart of `#widen` in bindings/proximity/clearanceQuery.ts, for placements
// that are similarities: rotation, translation, mirroring and one scale factor.

import { dotColumns } from '../mesh/columns';
import { BodyRecord, Clearance, MeshRecord, PairRecord } from '../records';

/** Error bound of the distance of two triangles, relative to the extent of both. */
export const ERROR: f64 = 1.4210854715202004e-14;
/**
 * Factor by which results are enlarged. It covers their rounding, and placements that scale the axes by
 * slightly different factors or shear slightly: see SIMILAR.
 */
const UP: f64 = 1 + 3.0517578125e-5;
/**
 * Max difference between the squared lengths of two columns of a placement, and max |dot product| of two
 * columns, both relative to the smallest squared length: 2^-20.
 */
const SIMILAR: f64 = 9.5367431640625e-7;
/** If a reach (the clearance in units of a normalized frame) is this large, sums of squares could overflow. */
const MAX_REACH: f64 = 1152921504606846976;

/**
 * Adds the clearance to the slacks of the PairRecord of bodies a and b, and writes the Clearance record to
 * `limits`. The sizes of both bodies must be up to date. Returns false and changes nothing if a placement is
 * not a similarity. In this case, the caller must test the pair in another way.
 */
export function widenPair(pair: usize, a: usize, b: usize, clearance: f64, limits: usize): bool {
  const lengthA = scaleOf(a + BodyRecord.rows);
  const lengthB = scaleOf(b + BodyRecord.rows);
  if (lengthA == 0 || lengthB == 0) return false;
  // Factors from lengths in the common frame to lengths in the normalized frames.
  const factorA = <f64>load<f32>(load<u32>(a, BodyRecord.meshAt), MeshRecord.scale) / lengthA;
  const factorB = <f64>load<f32>(load<u32>(b, BodyRecord.meshAt), MeshRecord.scale) / lengthB;
  const margin = 4 * ERROR * (load<f64>(a, BodyRecord.size) + load<f64>(b, BodyRecord.size));
  const reachA = (clearance + margin) * factorA * UP;
  const reachB = (clearance + margin) * factorB * UP;
  const inner = ((clearance - margin) * factorA) / UP;
  const isInRange = reachA < MAX_REACH && reachB < MAX_REACH;
  store<f64>(limits, clearance, Clearance.distance);
  store<f32>(limits, <f32>(reachA * UP), Clearance.reach);
  store<f32>(limits, inner > 0 ? <f32>(inner / UP) : 0, Clearance.surelyNear);
  store<f32>(limits, load<f32>(pair, PairRecord.slackA), Clearance.slackA);
  store<f32>(limits, load<f32>(pair, PairRecord.slackB), Clearance.slackB);
  store<f32>(limits, isInRange ? squareUp(reachA) : -1, Clearance.squareA);
  store<f32>(limits, isInRange ? squareUp(reachB) : -1, Clearance.squareB);
  widen(pair + PairRecord.slackA, reachA);
  // boxSlack includes three times the error of a corner, which grows with the reach.
  widen(pair + PairRecord.boxSlack, reachA * (1 + 3 * <f64>load<f32>(pair, PairRecord.localError)));
  widen(pair + PairRecord.slackB, reachB);
  store<u32>(pair, <u32>limits, PairRecord.pairingAt);
  return true;
}

function widen(at: usize, reach: f64): void {
  store<f32>(at, <f32>((<f64>load<f32>(at) + reach) * UP));
}

// Returns an upper bound of the square of a reach. The constant, 2^-140, covers underflow.
function squareUp(reach: f64): f32 {
  return <f32>(reach * UP * reach * UP * UP + 7.174648137343064e-43);
}

// Returns the factor by which a placement scales lengths, or 0 if it is not a similarity. Its entries are 0
// or of magnitude 2^-200 to 2^200, so squares are in the range of doubles.
export function scaleOf(rows: usize): f64 {
  const x = dotColumns<f64>(rows, 0, 0);
  const y = dotColumns<f64>(rows, 1, 1);
  const z = dotColumns<f64>(rows, 2, 2);
  const low = min(min(x, y), z);
  const high = max(max(x, y), z);
  const shear = max(
    max(abs(dotColumns<f64>(rows, 0, 1)), abs(dotColumns<f64>(rows, 1, 2))),
    abs(dotColumns<f64>(rows, 2, 0)),
  );
  const isSimilar = low > 0 && high - low <= SIMILAR * low && shear <= SIMILAR * low;
  return isSimilar ? sqrt(low) : 0;
}
