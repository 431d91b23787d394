// Reads the files of a model into named parts and converts them to one unit. If the options name an up axis,
// the parts are also rotated to it.
import { basename } from 'node:path';
import type { AnimatedScene } from '../../formats/animation.js';
import { type FileOptions, readFiles } from '../../formats/readFiles.js';
import type { Part, Unread } from '../../formats/readParts.js';
import { uniqueNames } from '../../formats/uniqueNames.js';
import type { Unit } from '../../formats/units.js';
import type { ReaderLimits } from '../../formats/watchedReader.js';
import { beginShare, type Progress } from '../progress.js';
import { splitComponents } from '../splitComponents.js';
import { printableShort } from '../terminal.js';
import { convertToOneUnit } from './convertToOneUnit.js';
import { checkJobs, type ReadLimits } from './limitOptions.js';
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
  'files' | 'isSplit' | 'assumedUnit' | 'up' | keyof ReadLimits
> & {
  /** The linear deflection for STEP and IGES files, in mm. */
  deflection: number | undefined;
  /** Whether the properties of IFC elements are read, which takes time. */
  withProperties?: boolean;
  /** Whether parts keep coordinates in doubles: see ReadOptions. */
  keepsDoubles?: boolean;
};

export interface Model {
  parts: NamedPart[];
  /** Elements that could not be read, so their clashes are not found. */
  unread: UnreadElement[];
  /** Unit of all lengths; undefined if no file defines a unit. */
  unit: Unit | undefined;
  notes: Note[];
}

/** Receives the nodes and animations of each glTF file of a model. */
export type SceneHandler = (file: string, scene: AnimatedScene) => void;

/**
 * Reads a model. If `onScene` is given, parts of glTF files have the index of their node. `added`: parts that
 * come before the parts of the files.
 *
 * @throws UsageError, InvalidFile and MissingPackage
 */
export async function readModel(
  options: ModelOptions,
  progress: Progress,
  onScene?: SceneHandler,
  added: NamedPart[] = [],
): Promise<Model> {
  checkJobs(options, options.files);
  const notes: Note[] = [];
  const warn = (message: string, fix: string): void => {
    notes.push({ message, fix });
  };
  const unread: UnreadElement[] = [];
  const read = await readNamed(options, progress, notes, unread, onScene);
  const parts = rotateToUpAxis([...added, ...read], options.up, warn);
  return { ...convertToOneUnit(parts, options.assumedUnit, warn), unread, notes };
}

async function readNamed(
  options: ModelOptions,
  progress: Progress,
  notes: Note[],
  unread: UnreadElement[],
  onScene: SceneHandler | undefined,
): Promise<NamedPart[]> {
  const { files, isSplit, jobs } = options;
  if (files.length === 0) return [];
  const what = files.length === 1 ? printableShort(basename(files[0]), 40) : `${files.length} files`;
  const showShare = beginShare(progress, 'Reading files', `Reading ${what}`);
  const contents = await readFiles(files, jobs, fileOptions(options, onScene !== undefined), done =>
    showShare(done),
  );
  const parts = contents.flatMap((read, number) => {
    const file = files[number];
    for (const note of read.notes) notes.push(note);
    for (const element of read.unread) unread.push({ ...element, file });
    if (read.scene) onScene?.(file, read.scene);
    return (isSplit ? read.parts.flatMap(splitComponents) : read.parts).map(part => ({ ...part, file }));
  });
  const names = uniqueNames(parts.map(({ name }) => name));
  return parts.map((part, number) => ({ ...part, name: names[number] }));
}

function fileOptions(options: ModelOptions, withScenes: boolean): FileOptions {
  const { withProperties, keepsDoubles, maxUnpackRatio, deflection, ifcLimitFactor, cadLimitFactor } =
    options;
  const limitsOf = (factor = 1): ReaderLimits => ({ time: factor, memory: factor });
  return {
    withScenes,
    withProperties,
    keepsDoubles,
    maxUnpackRatio,
    deflection,
    ifcLimits: limitsOf(ifcLimitFactor),
    cadLimits: limitsOf(cadLimitFactor),
  };
}
