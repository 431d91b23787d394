// Plans the motion of two bodies of which at least one rotates: how finely the step is divided into pieces,
// in which points move along chords, and how much the separation grows in each piece so that no contact
// between a chord and the true path is missed.
import { SweepFeaturesJob, SweepQuestion, Turning, TurningBody } from '../records';
import { placeTurned, ROWS } from './turning';

/**
 * Limits: features are searched in up to 2^6 coarse pieces, and contacts are refined in up to 2^28 fine
 * pieces.
 */
const MAX_COARSE_LEVEL: u32 = 6;
const MAX_FINE_LEVEL: u32 = 28;
/** In a coarse piece points may be this far from their chords, relative to the length of an edge. */
const COARSE_BEND: f64 = 0.25;
/** The time resolution of contacts in coarse pieces: they only decide which half to refine first. */
const COARSE_RESOLUTION: f64 = 0.0625;
/** Bounds of rounding: of a sum, relative; of a separation, relative to the largest coordinate. */
const ROUND_UP: f64 = 1 + 9.094947017729282e-13;
const ROUNDING: f64 = 3.552713678800501e-15;

/** Writes the Turning of two bodies to `turning`. question: the SweepQuestion of the whole step. */
export function planTurning(question: usize, bodyA: usize, bodyB: usize, turning: usize): void {
  const bend = load<f64>(bodyA, TurningBody.bend) + load<f64>(bodyB, TurningBody.bend);
  // Bodies that do not rotate move along their chords: there is nothing to add.
  const rounding =
    bend > 0 ? load<f64>(bodyA, TurningBody.rounding) + load<f64>(bodyB, TurningBody.rounding) : 0;
  const tolerance = load<f64>(question + SweepQuestion.faceOptions, SweepFeaturesJob.tolerance);
  // Features are within twice the bend of their position on the chords.
  const fine = levelFor(bend, max(0.25 * tolerance - rounding, rounding), MAX_FINE_LEVEL);
  const grain = max(load<f64>(bodyA, TurningBody.grain), load<f64>(bodyB, TurningBody.grain));
  memory.copy(turning + Turning.question, question, SweepQuestion.SIZE);
  store<u32>(turning, <u32>bodyA, Turning.bodyA);
  store<u32>(turning, <u32>bodyB, Turning.bodyB);
  store<u32>(turning, fine, Turning.fine);
  store<u32>(turning, min(fine, levelFor(bend, COARSE_BEND * grain, MAX_COARSE_LEVEL)), Turning.coarse);
  store<f64>(turning, bend, Turning.bend);
  store<f64>(turning, rounding, Turning.rounding);
  store<f64>(
    turning,
    load<f64>(question + SweepQuestion.faceOptions, SweepFeaturesJob.separation),
    Turning.separation,
  );
  store<f64>(turning, bend > 0 ? 0.5 * tolerance : tolerance, Turning.tolerance);
  store<f64>(
    turning,
    load<f64>(question + SweepQuestion.faceOptions, SweepFeaturesJob.resolution),
    Turning.resolution,
  );
  store<f64>(turning, Infinity, Turning.earliest);
  store<u32>(turning, load<u32>(question, SweepQuestion.isFirst), Turning.isFirst);
  writeCoarseQuery(turning, load<f64>(bodyA, TurningBody.extent) + load<f64>(bodyB, TurningBody.extent));
}

/** Writes the placements of both bodies at the start and the end of a coarse piece. */
export function placePiece(turning: usize, piece: u32): void {
  const bodyA: usize = load<u32>(turning, Turning.bodyA);
  const bodyB: usize = load<u32>(turning, Turning.bodyB);
  const level = load<u32>(turning, Turning.coarse);
  store<u32>(turning, piece, Turning.piece);
  // Only the first piece contains the start of the step.
  if (piece != 0) store<u32>(turning + Turning.question, 0, SweepQuestion.atStart);
  placeTurned(bodyA, piece, level, turning + Turning.rows);
  placeTurned(bodyA, piece + 1, level, turning + Turning.rows + ROWS);
  placeTurned(bodyB, piece, level, turning + Turning.rows + 2 * ROWS);
  placeTurned(bodyB, piece + 1, level, turning + Turning.rows + 3 * ROWS);
}

/**
 * Writes the options of a test in one of 2^level pieces, where a point is within bend / 4^level of its chord.
 * Everything that a fine piece finds must also be found in the coarser pieces that contain it, so the result
 * does not depend on the coarse level.
 */
export function writeOptions(turning: usize, level: u32, options: usize): void {
  const fine = load<u32>(turning, Turning.fine);
  const tolerance = load<f64>(turning, Turning.tolerance);
  const extra = level == fine ? 0 : 2 * offChord(turning, fine) + tolerance;
  const resolution = load<f64>(turning, Turning.resolution) * <f64>(1 << level);
  store<f64>(
    options,
    (load<f64>(turning, Turning.separation) + offChord(turning, level) + extra) *
      (load<f64>(turning, Turning.bend) > 0 ? ROUND_UP : 1),
    SweepFeaturesJob.separation,
  );
  store<f64>(options, tolerance, SweepFeaturesJob.tolerance);
  store<f64>(
    options,
    level == fine
      ? max(load<f64>(turning, Turning.resolution), min(COARSE_RESOLUTION, resolution))
      : COARSE_RESOLUTION,
    SweepFeaturesJob.resolution,
  );
}

// The maximum distance of both features together from their positions on the chords.
function offChord(turning: usize, level: u32): f64 {
  return (
    load<f64>(turning, Turning.bend) / <f64>((<u64>1) << (<u64>(2 * level))) +
    load<f64>(turning, Turning.rounding)
  );
}

// Writes the query of a coarse piece. All near pairs are requested, since times on the chords of coarse
// pieces do not count.
function writeCoarseQuery(turning: usize, extent: f64): void {
  const question = turning + Turning.question;
  const face = question + SweepQuestion.faceOptions;
  store<u32>(question, 0, SweepQuestion.isFirst);
  writeOptions(turning, load<u32>(turning, Turning.coarse), face);
  writeOptions(turning, load<u32>(turning, Turning.coarse), question + SweepQuestion.edgeOptions);
  const separation = load<f64>(face, SweepFeaturesJob.separation);
  store<f64>(question, separation == 0 ? 0 : separation * ROUND_UP + extent * ROUNDING, SweepQuestion.margin);
}

// Returns the smallest level at which the bend is at most `maxBend`: it falls to a quarter with each level.
function levelFor(bend: f64, maxBend: f64, maxLevel: u32): u32 {
  let level: u32 = 0;
  for (; level < maxLevel && bend > maxBend; level++) bend *= 0.25;
  return level;
}
