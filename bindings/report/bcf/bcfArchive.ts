// Builds a BCF archive: one topic for each clash, with a viewpoint and a picture. Used by the command
// `pfront clash` and by the page of its HTML report.
import type { Up } from '../../formats/part.js';
import type { Unit } from '../../formats/units.js';
import type { Bounds, Point } from '../bounds.js';
import { type ArchiveFiles, MAX_FILES, pngOf, zipOf } from './archive.js';
import { boxToBcf, matrixToBcf, type SceneFrame, toBcf } from './bcfFrame.js';
import { cameraFor } from './camera.js';
import {
  type BcfVersion,
  extensionsDocument,
  markupDocument,
  SNAPSHOT_FILE,
  type UsedValues,
  VIEWPOINT_FILE,
  versionDocument,
  viewpointDocument,
} from './documents.js';
import type { PlacedMesh } from './rasterizer.js';
import { HEIGHT, SnapshotPainter, WIDTH } from './snapshot.js';
import { type BcfClash, type BcfFile, type BcfPart, type TopicContext, topicOf } from './topic.js';

/** The author of all topics. */
const AUTHOR = 'pfront';
/** Number of files of each topic, and number of files of the archive that belong to no topic. */
const FILES_PER_TOPIC = 3;
const OTHER_FILES = 2;

/** The max number of topics of an archive. */
export const MAX_TOPICS = Math.floor((MAX_FILES - OTHER_FILES) / FILES_PER_TOPIC);

/** A part with its triangles. */
export interface PlacedPart extends BcfPart {
  positions: Float32Array;
  indices: Uint32Array;
  transform: Float64Array;
}

/** The model to which the clashes belong. */
export interface BcfModel {
  parts: readonly PlacedPart[];
  files: readonly BcfFile[];
  unit: Unit;
  up: Up;
  /** Returns the box of a part in the coordinates of the scene. */
  boundsOfPart(part: number): Bounds;
}

/** A clash and its place in the coordinates of the scene. */
export interface PlacedClash extends BcfClash {
  point: Point;
  /** The box of the contact. */
  box: Bounds;
}

export class BcfArchive {
  readonly #version: BcfVersion;
  readonly #model: BcfModel;
  readonly #frame: SceneFrame;
  readonly #context: TopicContext;
  readonly #files: ArchiveFiles;
  readonly #used: UsedValues = { labels: new Set(), statuses: new Set(), users: new Set([AUTHOR]) };
  readonly #boxes: Bounds[] = [];
  readonly #painter = new SnapshotPainter();

  /** Creates an archive without topics. Its creation date is the date of the newest file. */
  constructor(version: BcfVersion, model: BcfModel) {
    const { parts, files, unit, up } = model;
    this.#version = version;
    this.#model = model;
    this.#frame = { unit, up };
    const createdAt = files
      .map(({ date }) => date)
      .sort()
      .at(-1)!;
    this.#context = { parts, files, author: AUTHOR, createdAt };
    this.#files = new Map([['bcf.version', versionDocument(version)]]);
  }

  /** Adds the topic of a clash. */
  add({ point: place, box, ...clash }: PlacedClash): void {
    const { a, b } = clash.subject;
    const point = toBcf(this.#frame, place);
    const camera = cameraFor(point, boxToBcf(this.#frame, box), this.#boxOf(a), this.#boxOf(b));
    const topic = topicOf(this.#context, clash, camera, point);
    const pixels = this.#painter.draw(camera, point, [this.#meshOf(a), this.#meshOf(b)]);
    this.#files.set(`${topic.guid}/markup.bcf`, markupDocument(this.#version, topic));
    this.#files.set(`${topic.guid}/${VIEWPOINT_FILE}`, viewpointDocument(this.#version, topic));
    this.#files.set(`${topic.guid}/${SNAPSHOT_FILE}`, pngOf(WIDTH, HEIGHT, pixels));
    for (const label of topic.labels) this.#used.labels.add(label);
    for (const { author } of topic.comments) this.#used.users.add(author);
    this.#used.statuses.add(topic.status);
  }

  /** Returns the bytes of the archive, a zip file. */
  bytes(): Uint8Array {
    if (this.#version === '3.0') this.#files.set('extensions.xml', extensionsDocument(this.#used));
    return zipOf(this.#files);
  }

  #meshOf(part: number): PlacedMesh {
    const { positions, indices, transform } = this.#model.parts[part];
    return { positions, indices, matrix: matrixToBcf(this.#frame, transform) };
  }

  #boxOf(part: number): Bounds {
    return (this.#boxes[part] ??= boxToBcf(this.#frame, this.#model.boundsOfPart(part)));
  }
}
