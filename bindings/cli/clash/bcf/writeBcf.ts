// Writes the BCF file of `pfront clash`: one topic for each listed clash, with a viewpoint and a picture.
import { stat } from 'node:fs/promises';
import { CollisionError } from '../../../core/errors.js';
import type { Up } from '../../../formats/part.js';
import { UNITS } from '../../../formats/units.js';
import { compareFindings, type Finding } from '../../../report/clashClasses.js';
import { writeOutputFile } from '../../outputFile.js';
import type { Progress } from '../../progress.js';
import { formatCount } from '../../terminal.js';
import { UsageError } from '../../usageError.js';
import { type Bounds, boundsOfPart, type Place } from '../places.js';
import type { Model, NamedPart } from '../readModel.js';
import { type ArchiveFiles, MAX_FILES, pngOf, zipOf } from './archive.js';
import { boxToBcf, matrixToBcf, type SceneFrame, toBcf, upAxisOf } from './bcfFrame.js';
import type { BcfTarget } from './bcfOptions.js';
import { cameraFor } from './camera.js';
import {
  extensionsDocument,
  markupDocument,
  SNAPSHOT_FILE,
  VIEWPOINT_FILE,
  versionDocument,
  viewpointDocument,
} from './documents.js';
import { partKeys } from './guids.js';
import { drawSnapshot, HEIGHT, WIDTH } from './snapshot.js';
import { topicOf } from './topic.js';

/** The author of all topics. */
const AUTHOR = 'pfront';
/** Files of each topic, and files of the archive that belong to no topic. */
const FILES_PER_TOPIC = 3;
const OTHER_FILES = 2;

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
 * Writes the BCF file. The same content gives the same bytes: all dates are those of the model's files, and
 * GUIDs are derived from the parts.
 *
 * @returns The size of the file in bytes.
 * @throws BcfFailed; a file that existed at the path is then unchanged.
 */
export async function writeBcf(target: BcfTarget, content: BcfContent, progress: Progress): Promise<number> {
  const maxTopics = Math.floor((MAX_FILES - OTHER_FILES) / FILES_PER_TOPIC);
  if (content.listed.length > maxTopics)
    throw new BcfFailed(
      `${target.path}: ${formatCount(content.listed.length)} clashes are listed, but a BCF file can have at most ${formatCount(maxTopics)} topics`,
      'List fewer clashes with --classes, --tolerance or --allow.',
    );
  const dates = await datesOf(content.parts);
  return writeOutputFile(target.path, BcfFailed, async file => {
    const bytes = zipOf(filesOf(target, content, dates, progress));
    await file.writeFile(bytes);
    return bytes.length;
  });
}

function filesOf(
  { version }: BcfTarget,
  { parts, unit, listed, places, up }: BcfContent,
  dates: Map<string, string>,
  progress: Progress,
): ArchiveFiles {
  progress.begin('Writing BCF', listed.length);
  const frame: SceneFrame = { unit: unit!, up: upAxisOf(up, parts) };
  const context = {
    parts,
    unit: unit!,
    dates,
    keys: partKeys(parts),
    author: AUTHOR,
    createdAt: [...dates.values()].sort().at(-1)!,
  };
  const files: ArchiveFiles = new Map([['bcf.version', versionDocument(version)]]);
  const labels = new Set<string>();
  const boxes: Bounds[] = [];
  const boxOfPart = (part: number): Bounds => (boxes[part] ??= boxToBcf(frame, boundsOfPart(parts[part])));
  [...listed].sort(compareFindings).forEach((finding, index) => {
    const place = places.get(finding)!;
    const pair = [parts[finding.a], parts[finding.b]];
    const point = toBcf(frame, place.point);
    const [boxA, boxB] = [finding.a, finding.b].map(boxOfPart);
    const camera = cameraFor(point, boxToBcf(frame, place.box), boxA, boxB);
    const topic = topicOf(context, finding, index, camera, point);
    const pixels = drawSnapshot(
      camera,
      point,
      pair.map(({ positions, indices, transform }) => ({
        positions,
        indices,
        matrix: matrixToBcf(frame, transform),
      })),
    );
    files.set(`${topic.guid}/markup.bcf`, markupDocument(version, topic));
    files.set(`${topic.guid}/${VIEWPOINT_FILE}`, viewpointDocument(version, topic));
    files.set(`${topic.guid}/${SNAPSHOT_FILE}`, pngOf(WIDTH, HEIGHT, pixels));
    for (const label of topic.labels) labels.add(label);
    progress.step();
  });
  if (version === '3.0') files.set('extensions.xml', extensionsDocument([...labels].sort(), AUTHOR));
  return files;
}

// Returns the time of the last change of each file of the model, in whole seconds.
async function datesOf(parts: NamedPart[]): Promise<Map<string, string>> {
  const dates = new Map<string, string>();
  for (const path of new Set(parts.map(({ file }) => file)))
    dates.set(path, `${(await stat(path)).mtime.toISOString().slice(0, 19)}Z`);
  return dates;
}
