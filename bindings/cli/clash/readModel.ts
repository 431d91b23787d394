// Reads the files of a model into named parts with one unit and one up axis.
import { basename } from 'node:path';
import type { AnimatedScene } from '../../formats/animation.js';
import { InvalidFile, type Part, type ReadOptions, readParts, type Unread } from '../../formats/readParts.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import type { Unit } from '../../formats/units.js';
import { beginShare, type Progress } from '../progress.js';
import { splitComponents } from '../splitComponents.js';
import { printableShort } from '../terminal.js';
import { convertToOneUnit } from './convertToOneUnit.js';
import type { ClashOptions } from './options.js';
import { rotateToUpAxis } from './rotateToUpAxis.js';

export interface NamedPart extends Part {
  file: string;
}
/** An element that could not be read, with the path of its file. */
export interface UnreadElement extends Unread {
  file: string;
}
export interface Note {
  message: string;
  fix: string;
}

/** The options that determine the parts of a model. */
export type ModelOptions = Pick<
  ClashOptions,
  'files' | 'isSplit' | 'assumedUnit' | 'up' | 'ifcLimitFactor' | 'cadLimitFactor' | 'maxUnpackRatio'
> & {
  /** The linear deflection for STEP and IGES files, in mm. */
  deflection: number | undefined;
  /** Whether elements of IFC files have their properties. Reading these takes time. */
  withProperties?: boolean;
};

export interface Model {
  parts: NamedPart[];
  /** Elements that could not be read, so that their clashes are not found. */
  unread: UnreadElement[];
  /** Unit of all lengths; undefined if no file defines a unit. */
  unit: Unit | undefined;
  notes: Note[];
}

/** Receives the nodes and animations of each glTF file of a model. */
export type SceneHandler = (file: string, scene: AnimatedScene) => void;

/**
 * Reads a model. If `onScene` is given, parts of glTF files have the index of their node. `added` are parts that
 * come before those of the files.
 *
 * @throws UsageError, InvalidFile and MissingPackage
 */
export async function readModel(
  options: ModelOptions,
  progress: Progress,
  onScene?: SceneHandler,
  added: NamedPart[] = [],
): Promise<Model> {
  const notes: Note[] = [];
  const warn = (message: string, fix: string): void => {
    notes.push({ message, fix });
  };
  const unread: UnreadElement[] = [];
  const read = await readFiles(options, progress, warn, unread, onScene);
  const parts = rotateToUpAxis([...added, ...read], options.up, warn);
  return { ...convertToOneUnit(parts, options.assumedUnit, warn), unread, notes };
}

async function readFiles(
  options: ModelOptions,
  progress: Progress,
  onWarning: (message: string, fix: string) => void,
  unread: UnreadElement[],
  onScene: SceneHandler | undefined,
): Promise<NamedPart[]> {
  const { files, isSplit, deflection, ifcLimitFactor, cadLimitFactor, maxUnpackRatio, withProperties } =
    options;
  const parts: NamedPart[] = [];
  for (const [number, file] of files.entries()) {
    const place = files.length > 1 ? ` (${number + 1} of ${files.length})` : '';
    const label = `Reading ${printableShort(basename(file), 40)}${place}`;
    const showShare = beginShare(progress, 'Reading files', label);
    const read = await readParts(file, {
      onWarning,
      onProgress: done => showShare(done),
      withProperties,
      maxUnpackRatio,
      onUnread: element => unread.push({ ...element, file }),
      deflection,
      ifcLimits: limitsOf(ifcLimitFactor),
      cadLimits: limitsOf(cadLimitFactor),
      ...(onScene ? { onScene: scene => onScene(file, scene) } : {}),
    });
    if (read.length === 0)
      throw new InvalidFile(
        `${file}: contains no triangles`,
        'Give a file with surfaces; points and lines cannot clash.',
      );
    for (const part of isSplit ? read.flatMap(splitComponents) : read) parts.push({ ...part, file });
  }
  const names = uniqueNames(parts.map(({ name }) => name));
  return parts.map((part, number) => ({ ...part, name: names[number] }));
}

function limitsOf(factor: number | undefined): ReadOptions['ifcLimits'] {
  return factor === undefined ? undefined : { time: factor, memory: factor };
}
