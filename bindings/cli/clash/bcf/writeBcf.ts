// Writes the BCF file of `pfront clash`: one topic for each listed clash, with a viewpoint and a picture.
import { basename } from 'node:path';
import { CollisionError } from '../../../core/errors.js';
import type { Up } from '../../../formats/part.js';
import { UNITS, type Unit } from '../../../formats/units.js';
import { BcfArchive, MAX_TOPICS, type PlacedClash } from '../../../report/bcf/bcfArchive.js';
import { upAxisOf } from '../../../report/bcf/bcfFrame.js';
import { pairGuid, partKeys } from '../../../report/bcf/guids.js';
import { clashSubject, STATUSES } from '../../../report/bcf/topic.js';
import type { ReportChange } from '../../../report/changes.js';
import { compareFindings, type Finding } from '../../../report/clashClasses.js';
import { writeOutputFile } from '../../outputFile.js';
import type { Progress } from '../../progress.js';
import { formatCount } from '../../terminal.js';
import { UsageError } from '../../usageError.js';
import { fileDates } from '../fileDates.js';
import { groupNames } from '../groupFindings.js';
import type { Grouping } from '../groupings.js';
import { boundsOfPart, type Place } from '../places.js';
import type { Model, NamedPart } from '../readModel.js';
import type { BcfTarget } from './bcfOptions.js';

/** The BCF file cannot be written, or would have too many topics. */
export class BcfFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('BcfFailed', message, fix);
  }
}

/** What the BCF file contains. */
export interface BcfContent extends Pick<Model, 'parts' | 'unit'> {
  listed: Finding[];
  /** The place of each listed clash. */
  places: ReadonlyMap<Finding, Place>;
  /** The up axis that `--up` sets. */
  up: Up | undefined;
  /** How clashes are grouped, if they are. */
  grouping?: Grouping;
  /** How the clashes compare with an earlier run; empty if there is no comparison. */
  changes: ReadonlyMap<Finding, ReportChange>;
}

/**
 * Checks that the unit of the model is known, because coordinates in BCF are in meters.
 *
 * @throws UsageError
 */
export function checkUnit({ path }: BcfTarget, unit: Model['unit']): void {
  if (unit === undefined)
    throw new UsageError(
      `--bcf ${path}: coordinates in BCF are in meters, but the unit of the files is unknown`,
      `Add --units ${UNITS.join('|')}.`,
    );
}

/**
 * Writes the BCF file. The same content gives the same bytes: all dates are the dates of the model's files,
 * and GUIDs are derived from the parts.
 *
 * @returns The size of the file in bytes.
 * @throws BcfFailed. In this case, a file that already existed at the path is unchanged.
 */
export function writeBcf(
  target: BcfTarget,
  { parts, unit, listed, places, up, grouping, changes }: BcfContent,
  progress: Progress,
): Promise<number> {
  const keys = partKeys(parts);
  const groups = groupNames(listed, parts, grouping);
  const topics = [...listed].sort(compareFindings).map((finding, index) => ({
    guid: pairGuid(keys[finding.a], keys[finding.b], finding.rule),
    subject: clashSubject(finding, unit!, groups.get(finding), changes.get(finding)),
    index,
    ...places.get(finding)!,
  }));
  return writeTopics(target, { parts, model: parts, unit, up, topics }, progress);
}

/** The topics of a BCF file, and the parts that they show. */
export interface BcfTopics {
  /** The parts to which the topics refer, placed as the topics show them. */
  parts: NamedPart[];
  /** All parts of the model, which determine the files, their dates and the up axis. */
  model: NamedPart[];
  /** The unit of the model. It must be known. */
  unit: Unit | undefined;
  /** The up axis that `--up` sets. */
  up: Up | undefined;
  topics: Omit<PlacedClash, 'status' | 'comments'>[];
}

/**
 * Writes a BCF file with open topics.
 *
 * @returns The size of the file in bytes.
 * @throws BcfFailed. In this case, a file that already existed at the path is unchanged.
 */
export async function writeTopics(
  target: BcfTarget,
  { parts, model, unit, up, topics }: BcfTopics,
  progress: Progress,
): Promise<number> {
  if (topics.length > MAX_TOPICS)
    throw new BcfFailed(
      `${target.path}: ${formatCount(topics.length)} clashes are listed, but a BCF file can have at most ${formatCount(MAX_TOPICS)} topics`,
      'List fewer clashes, for example with --allow.',
    );
  const dates = await fileDates(model.map(({ file }) => file));
  const paths = [...dates.keys()];
  return writeOutputFile(target.path, BcfFailed, async file => {
    progress.begin('Writing BCF', topics.length);
    const archive = new BcfArchive(target.version, {
      parts: parts.map(part => ({ ...part, file: paths.indexOf(part.file) })),
      files: [...dates].map(([path, date]) => ({ name: basename(path), date })),
      unit: unit!,
      up: upAxisOf(up, model),
      boundsOfPart: part => boundsOfPart(parts[part]),
    });
    for (const topic of topics) {
      archive.add({ ...topic, status: STATUSES[0], comments: [] });
      progress.step();
    }
    const bytes = archive.bytes();
    await file.writeFile(bytes);
    return bytes.length;
  });
}
