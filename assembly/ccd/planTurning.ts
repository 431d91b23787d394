// Two bodies of which one turns at least, and what is asked of them -> a Turning: how finely the step is cut,
// and what separation is asked for in a piece, so that no contact is missed between the chords of points and
// their true ways.
import { SweepFeaturesJob, SweepQuestion, Turning, TurningBody } from '../records';
import { placeTurned, ROWS } from './turning';

/** Pieces at most: 2^6 are looked through for features, which are then followed into 2^28. */
const MOST_COARSE: u32 = 6;
const MOST_FINE: u32 = 28;
/** Of a coarse piece: how far points may be from their chords, in parts of an edge. */
const COARSE_BEND: f64 = 0.25;
/**
 * In coarse pieces contacts are told no more closely than this: they only show which half of it comes first.
 */
const COARSE_RESOLUTION: f64 = 0.0625;
/**
 * More than what rounding takes away of a sum; what it takes away of a separation, in parts of the greatest
 * coordinate.
 */
const MORE: f64 = 1 + 9.094947017729282e-13;
const ROUNDING: f64 = 3.552713678800501e-15;

/** question: a SweepQuestion of the whole step. */
export function planTurning(question: usize, bodyA: usize, bodyB: usize, turning: usize): void {
  const bend = load<f64>(bodyA, TurningBody.bend) + load<f64>(bodyB, TurningBody.bend);
  // Bodies that do not turn move along their chords: nothing is added.
  const rounding =
    bend > 0 ? load<f64>(bodyA, TurningBody.rounding) + load<f64>(bodyB, TurningBody.rounding) : 0;
  const tolerance = load<f64>(question + SweepQuestion.faceOptions, SweepFeaturesJob.tolerance);
  // Features are within twice the bend of where a chord has them.
  const fine = levelFor(bend, max(0.25 * tolerance - rounding, rounding), MOST_FINE);
  const grain = max(load<f64>(bodyA, TurningBody.grain), load<f64>(bodyB, TurningBody.grain));
  memory.copy(turning + Turning.question, question, SweepQuestion.SIZE);
  store<u32>(turning, <u32>bodyA, Turning.bodyA);
  store<u32>(turning, <u32>bodyB, Turning.bodyB);
  store<u32>(turning, fine, Turning.fine);
  store<u32>(turning, min(fine, levelFor(bend, COARSE_BEND * grain, MOST_COARSE)), Turning.coarse);
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
  askCoarsely(turning, load<f64>(bodyA, TurningBody.extent) + load<f64>(bodyB, TurningBody.extent));
}

/** Writes the placements of both bodies at the start and the end of a coarse piece. */
export function placePiece(turning: usize, piece: u32): void {
  const bodyA: usize = load<u32>(turning, Turning.bodyA);
  const bodyB: usize = load<u32>(turning, Turning.bodyB);
  const level = load<u32>(turning, Turning.coarse);
  store<u32>(turning, piece, Turning.piece);
  // Only the first piece begins at the start.
  if (piece != 0) store<u32>(turning + Turning.question, 0, SweepQuestion.atStart);
  placeTurned(bodyA, piece, level, turning + Turning.rows);
  placeTurned(bodyA, piece + 1, level, turning + Turning.rows + ROWS);
  placeTurned(bodyB, piece, level, turning + Turning.rows + 2 * ROWS);
  placeTurned(bodyB, piece + 1, level, turning + Turning.rows + 3 * ROWS);
}

/**
 * Options of a test in one of 2^level pieces. A point is within bend / 4^level of its chord. Whatever a fine
 * piece finds is to be near in the coarser ones that it is part of, too: so what is found does not depend on
 * them.
 */
export function writeOptions(turning: usize, level: u32, options: usize): void {
  const fine = load<u32>(turning, Turning.fine);
  const tolerance = load<f64>(turning, Turning.tolerance);
  const more = level == fine ? 0 : 2 * offChord(turning, fine) + tolerance;
  const resolution = load<f64>(turning, Turning.resolution) * <f64>(1 << level);
  store<f64>(
    options,
    (load<f64>(turning, Turning.separation) + offChord(turning, level) + more) *
      (load<f64>(turning, Turning.bend) > 0 ? MORE : 1),
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

// How far both features together may be from where chords have them.
function offChord(turning: usize, level: u32): f64 {
  return (
    load<f64>(turning, Turning.bend) / <f64>((<u64>1) << (<u64>(2 * level))) +
    load<f64>(turning, Turning.rounding)
  );
}

// The question of a coarse piece: all that is near there is wanted, since the times of its chords do not
// count.
function askCoarsely(turning: usize, extent: f64): void {
  const question = turning + Turning.question;
  const face = question + SweepQuestion.faceOptions;
  store<u32>(question, 0, SweepQuestion.isFirst);
  writeOptions(turning, load<u32>(turning, Turning.coarse), face);
  writeOptions(turning, load<u32>(turning, Turning.coarse), question + SweepQuestion.edgeOptions);
  const separation = load<f64>(face, SweepFeaturesJob.separation);
  store<f64>(question, separation == 0 ? 0 : separation * MORE + extent * ROUNDING, SweepQuestion.margin);
}

// The least level at which a bend is no more than this: it falls to a quarter from level to level.
function levelFor(bend: f64, wanted: f64, most: u32): u32 {
  let level: u32 = 0;
  for (; level < most && bend > wanted; level++) bend *= 0.25;
  return level;
}
