// Plans how to approximate the motion of two bodies that may rotate. The time step is divided into substeps,
// and in each substep points are taken to move along the chords of their true paths. The plan tells how many
// substeps there are, and by how much the minimum separation is increased in each substep, so that no contact
// is missed because a true path differs from its chord.
import { RotatingBody, RotationPlan, SweepFeaturesJob, SweepQuery } from '../records';
import { placeRotated, ROWS } from './placeRotated';

/**
 * Limits: contacts are searched for in up to 2^6 coarse substeps, and refined in up to 2^28 fine substeps.
 */
const MAX_COARSE_LEVEL: u32 = 6;
const MAX_FINE_LEVEL: u32 = 28;
/** Maximum distance of points from their chords in a coarse substep, relative to the length of an edge. */
const COARSE_BEND: f64 = 0.25;
/**
 * The time resolution of contacts in coarse substeps. Rough times are enough, because they only decide which
 * half of a substep to refine first.
 */
const COARSE_RESOLUTION: f64 = 0.0625;
/**
 * Bounds of rounding errors. ROUND_UP, 1 + 2^-40, is a factor for margins and for sums of small lengths.
 * SEPARATION_UP, 1 + 2^-50, is a factor for the minimum separation, which may be much longer than such sums.
 * SEPARATION_UP exceeds the effect of a product and a sum, two roundings of up to 2^-53 each. Increasing the
 * separation by 2^-50 matters only for features whose distance exceeds the separation. This distance is less
 * than twice the sum of both bodies' extents. So the separation is also less than twice this sum, and the
 * increase is less than 2^-49 times the sum. A plan allows for a rounding error of at least 2^-46 times the
 * sum, eight times as much. ROUNDING, 2^-47, bounds the rounding error of a separation, which is at most
 * 1.5 * 2^-48 times the largest coordinate (see `bindings/ccd/sweepOptions.ts`).
 */
const ROUND_UP: f64 = 1 + 9.094947017729282e-13;
const SEPARATION_UP: f64 = 1 + 8.881784197001252e-16;
const ROUNDING: f64 = 7.105427357601002e-15;

/** Writes the RotationPlan of two bodies to `plan`. sweepQuery: the SweepQuery of the whole step. */
export function planSubsteps(sweepQuery: usize, bodyA: usize, bodyB: usize, plan: usize): void {
  const bend = load<f64>(bodyA, RotatingBody.bend) + load<f64>(bodyB, RotatingBody.bend);
  // If no body rotates, points move exactly along their chords, and no rounding error is added.
  const rounding =
    bend > 0 ? load<f64>(bodyA, RotatingBody.rounding) + load<f64>(bodyB, RotatingBody.rounding) : 0;
  const tolerance = load<f64>(sweepQuery + SweepQuery.faceOptions, SweepFeaturesJob.tolerance);
  // The deviation (bend plus rounding) counts twice. A test in a fine substep increases the separation by the
  // deviation, and the true distance may exceed the distance on the chords by the deviation again. The test
  // itself uses half of the tolerance, so the deviation may be a quarter of the tolerance. Making the bend
  // smaller than the rounding would gain little.
  const fine = levelFor(bend, max(0.25 * tolerance - rounding, rounding), MAX_FINE_LEVEL);
  const edgeLength = max(
    load<f64>(bodyA, RotatingBody.edgeLength),
    load<f64>(bodyB, RotatingBody.edgeLength),
  );
  memory.copy(plan + RotationPlan.sweepQuery, sweepQuery, SweepQuery.SIZE);
  store<u32>(plan, <u32>bodyA, RotationPlan.bodyA);
  store<u32>(plan, <u32>bodyB, RotationPlan.bodyB);
  store<u32>(plan, fine, RotationPlan.fine);
  store<u32>(
    plan,
    min(fine, levelFor(bend, COARSE_BEND * edgeLength, MAX_COARSE_LEVEL)),
    RotationPlan.coarse,
  );
  store<f64>(plan, bend, RotationPlan.bend);
  store<f64>(plan, rounding, RotationPlan.rounding);
  store<f64>(
    plan,
    load<f64>(sweepQuery + SweepQuery.faceOptions, SweepFeaturesJob.separation),
    RotationPlan.separation,
  );
  store<f64>(plan, bend > 0 ? 0.5 * tolerance : tolerance, RotationPlan.tolerance);
  store<f64>(
    plan,
    load<f64>(sweepQuery + SweepQuery.faceOptions, SweepFeaturesJob.resolution),
    RotationPlan.resolution,
  );
  store<f64>(plan, Infinity, RotationPlan.earliest);
  store<u32>(plan, load<u32>(sweepQuery, SweepQuery.isFirst), RotationPlan.isFirst);
  writeCoarseQuery(plan, load<f64>(bodyA, RotatingBody.extent) + load<f64>(bodyB, RotatingBody.extent));
}

/** Writes the placements of both bodies at the start and the end of a coarse substep. */
export function placeSubstep(plan: usize, substep: u32): void {
  const bodyA: usize = load<u32>(plan, RotationPlan.bodyA);
  const bodyB: usize = load<u32>(plan, RotationPlan.bodyB);
  const level = load<u32>(plan, RotationPlan.coarse);
  store<u32>(plan, substep, RotationPlan.substep);
  // Only the first substep contains the start of the step.
  if (substep != 0) store<u32>(plan + RotationPlan.sweepQuery, 0, SweepQuery.atStart);
  placeRotated(bodyA, substep, level, plan + RotationPlan.rows);
  placeRotated(bodyA, substep + 1, level, plan + RotationPlan.rows + ROWS);
  placeRotated(bodyB, substep, level, plan + RotationPlan.rows + 2 * ROWS);
  placeRotated(bodyB, substep + 1, level, plan + RotationPlan.rows + 3 * ROWS);
}

/**
 * Writes the options of a test in one of 2^level substeps, where a point is within bend / 4^level of its chord.
 * Everything that a test in a fine substep finds must also be found by the tests in the coarser substeps that
 * contain this substep. Then the features that have a contact are the same for every coarse level. So in a
 * coarser substep, the separation is increased by `extra`: twice the max distance from the chord in a fine
 * substep, plus the tolerance.
 */
export function writeSubstepOptions(plan: usize, level: u32, options: usize): void {
  const fine = load<u32>(plan, RotationPlan.fine);
  const tolerance = load<f64>(plan, RotationPlan.tolerance);
  const extra = level == fine ? 0 : 2 * offChord(plan, fine) + tolerance;
  const resolution = load<f64>(plan, RotationPlan.resolution) * <f64>(1 << level);
  const separation = load<f64>(plan, RotationPlan.separation);
  store<f64>(
    options,
    load<f64>(plan, RotationPlan.bend) > 0
      ? separation * SEPARATION_UP + (offChord(plan, level) + extra) * ROUND_UP
      : separation,
    SweepFeaturesJob.separation,
  );
  store<f64>(options, tolerance, SweepFeaturesJob.tolerance);
  store<f64>(
    options,
    level == fine
      ? max(load<f64>(plan, RotationPlan.resolution), min(COARSE_RESOLUTION, resolution))
      : COARSE_RESOLUTION,
    SweepFeaturesJob.resolution,
  );
}

// Returns how far the two features together may be from their positions on the chords: the sum of both maximum
// distances.
function offChord(plan: usize, level: u32): f64 {
  return (
    load<f64>(plan, RotationPlan.bend) / <f64>((<u64>1) << (<u64>(2 * level))) +
    load<f64>(plan, RotationPlan.rounding)
  );
}

// Writes the query of a coarse substep. It requests all contacts, not only the first: contact times in coarse
// substeps are not accurate enough to tell which contact is the first.
function writeCoarseQuery(plan: usize, extent: f64): void {
  const sweepQuery = plan + RotationPlan.sweepQuery;
  const face = sweepQuery + SweepQuery.faceOptions;
  store<u32>(sweepQuery, 0, SweepQuery.isFirst);
  writeSubstepOptions(plan, load<u32>(plan, RotationPlan.coarse), face);
  writeSubstepOptions(plan, load<u32>(plan, RotationPlan.coarse), sweepQuery + SweepQuery.edgeOptions);
  const separation = load<f64>(face, SweepFeaturesJob.separation);
  store<f64>(sweepQuery, separation == 0 ? 0 : separation * ROUND_UP + extent * ROUNDING, SweepQuery.margin);
}

// Returns the smallest level at which the bend is at most `maxBend`. Each level divides the bend by four.
function levelFor(bend: f64, maxBend: f64, maxLevel: u32): u32 {
  let level: u32 = 0;
  for (; level < maxLevel && bend > maxBend; level++) bend *= 0.25;
  return level;
}
