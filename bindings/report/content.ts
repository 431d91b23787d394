// What a report holds: a header in JSON, then the numbers that it counts. The command writes both, the page
// reads them.

import type { Unit } from '../formats/units.js';
import type { ClashClass, Finding } from './classes.js';

export interface ReportPart {
  name: string;
  /** Place in `files`. */
  file: number;
  /** Place in `meshes`. */
  mesh: number;
  /** 16 numbers, column by column. */
  transform: number[];
}

export interface ReportClash extends Finding {
  /**
   * How many triangles of each part are lit: those that share a point with the other, or are nearest to it.
   */
  trianglesA: number;
  trianglesB: number;
  /** By the list of allowed pairs. */
  isAllowed: boolean;
}

export interface ReportHeader {
  /** Without their folders: a page is sent to others. */
  files: string[];
  /** The axis that points up in files of these formats. */
  up: 'y' | 'z';
  parts: ReportPart[];
  /** How many numbers each mesh has: x, y, z per vertex, three vertices per triangle. */
  meshes: { positions: number; indices: number }[];
  /** Sorted by a, then b; also those that are allowed, or not to be listed at first. */
  clashes: ReportClash[];
  /** Their clashes are missing. */
  unread: ReportUnread[];
  /** Classes to be listed at first. */
  classes: readonly ClashClass[];
  /** Of coordinates and lengths; none where no file says it. */
  unit?: Unit;
  measures: { clearance: number; tolerance: number };
  /** Pairs of parts whose boxes overlap. */
  boxPairs: number;
  threads: number;
  milliseconds: number;
  /** Of the package that made it. */
  version: string;
  /** When it was made, as ISO 8601. */
  madeAt: string;
}

export interface MeshArrays {
  positions: Float32Array;
  indices: Uint32Array;
}

/** An element that could not be read. */
export interface ReportUnread {
  name: string;
  /** As IFC's GlobalId. */
  id?: string;
  reason: string;
  /** Place in `files`. */
  file: number;
}

/** Numbers of the triangles of a clash in its two parts, ascending. */
export interface ClashTriangles {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * In bytes: the header's length as one word, the header, every mesh's arrays, every clash's arrays; all
 * little-endian.
 */
export interface ReportContent {
  header: ReportHeader;
  meshes: MeshArrays[];
  triangles: ClashTriangles[];
}
