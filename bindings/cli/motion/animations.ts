// Makes a mechanism (parts on moving coordinate frames) of each animation that `--animation` names.
import { InvalidFile } from '../../formats/part.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import type { NamedPart, Note } from '../clash/readModel.js';
import { UsageError } from '../usageError.js';
import { type AnimatedFile, animationName, DeformingAnimation, gltfMechanism } from './gltfMechanism.js';
import type { Mechanism } from './mechanism.js';

/** An animation that could not be checked. Contacts during this animation are not found. */
export interface LeftOutAnimation {
  name: string;
  file: string;
  reason: string;
}

/** A file with animations. */
export type SceneFile = Omit<AnimatedFile, 'root'>;

interface Animation {
  file: SceneFile;
  /** Index of the animation in the file. */
  number: number;
  /** The name of the motion. */
  name: string;
}

/**
 * Returns the mechanism of the animation with this name or, for `all`, the mechanisms of all animations.
 * Animations that move no node are skipped with a note. Animations that deform a part are skipped with a note
 * and returned in `leftOut`. If all animations are skipped, the error of the first one is thrown.
 *
 * @param root The transform from the frame of the files to the scene.
 * @throws UsageError, InvalidFile
 */
export function animationMechanisms(
  files: SceneFile[],
  animation: string,
  root: Float64Array,
  parts: NamedPart[],
  notes: Note[],
): { mechanisms: Mechanism[]; leftOut: LeftOutAnimation[] } {
  const mechanisms: Mechanism[] = [];
  const leftOut: LeftOutAnimation[] = [];
  const problems: InvalidFile[] = [];
  for (const { file, number, name } of animationsOf(files, animation)) {
    const title = `${file.path}: the animation "${name}"`;
    try {
      const mechanism = gltfMechanism({ ...file, root }, number, name, parts);
      if (mechanism) {
        mechanisms.push(mechanism);
        continue;
      }
      const problem = `${title} moves no node`;
      problems.push(
        new InvalidFile(problem, 'Name another animation, or run pfront clash without --animation.'),
      );
      notes.push({
        message: `${problem}, so it is left out`,
        fix: 'Remove it from the file if it is not needed.',
      });
    } catch (error) {
      if (!(error instanceof DeformingAnimation)) throw error;
      const { reason, fix } = error;
      problems.push(error);
      leftOut.push({ name, file: file.path, reason });
      notes.push({ message: `${title} could not be checked (${reason}), so its contacts are missing`, fix });
    }
  }
  if (mechanisms.length === 0) throw problems[0];
  return { mechanisms, leftOut };
}

// Returns the animations that `--animation` names. For `all`, repeated names are numbered.
function animationsOf(files: SceneFile[], animation: string): Animation[] {
  const all = files.flatMap(file =>
    file.scene.animations.map((item, number) => ({ file, number, name: animationName(item, number) })),
  );
  if (all.length === 0)
    throw new UsageError(
      `--animation ${animation}: no file has an animation`,
      'Give a .glb or .gltf file with animations.',
    );
  if (animation === 'all') {
    const names = uniqueNames(all.map(({ name }) => name));
    return all.map((item, i) => ({ ...item, name: names[i] }));
  }
  const named = all.filter(({ name }) => name === animation);
  if (named.length === 1) return named;
  const names = [...new Set(all.map(({ name }) => `"${name}"`))];
  const list =
    names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
  throw new UsageError(
    `--animation ${animation}: ${named.length === 0 ? 'no animation has' : `${named.length} animations have`} this name`,
    `Write --animation all, or one of ${list}.`,
  );
}
