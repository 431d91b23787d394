// The data of an HTML clash report: a JSON header, followed by binary arrays. The command `pfront clash`
// writes the data into the report, and the script of the report reads it.

import type { Unit } from '../formats/units.js';
import type { ClashClass, Finding } from './clashClasses.js';

export interface ReportPart {
  name: string;
  /** Index of `files`. */
  file: number;
  /** Index of `meshes`. */
  mesh: number;
  /** 4x4 matrix, column-major, from the mesh to the coordinates of the files. */
  transform: number[];
}

export interface ReportClash extends Finding {
  /**
   * Number of highlighted triangles of each part: the triangles that intersect the other part, or, if the
   * parts are apart, the triangle nearest to the other part.
   */
  triangleCountA: number;
  triangleCountB: number;
  /** Whether the list of allowed pairs allows this clash. */
  isAllowed: boolean;
  /** The IFC relation of the two elements, if it excludes the clash from the list. */
  relation?: string;
}

export interface ReportHeader {
  /** File names without folders. A report may be sent to other people, so it shows no local paths. */
  files: string[];
  /** The up axis of the 3D view. */
  up: 'y' | 'z';
  parts: ReportPart[];
  /** Lengths of each mesh's arrays: x, y, z per vertex and three indices per triangle. */
  meshes: { positions: number; indices: number }[];
  /**
   * All clashes, sorted by a, then b: also allowed clashes, and clashes of classes that are hidden at first.
   */
  clashes: ReportClash[];
  /** Elements that could not be read. Clashes of these elements are missing. */
  unread: ReportUnread[];
  /** The classes whose clashes the table lists when the page is opened. */
  classes: readonly ClashClass[];
  /** Unit of coordinates and lengths; undefined if no file defines one. */
  unit?: Unit;
  measures: { clearance: number; tolerance: number };
  /** Number of pairs of parts whose boxes overlap. */
  boxPairs: number;
  threads: number;
  milliseconds: number;
  /** Version of the package that wrote the report. */
  version: string;
  /** Creation time in ISO 8601. */
  createdAt: string;
}

export interface MeshArrays {
  positions: Float32Array;
  indices: Uint32Array;
}

/** An element that could not be read. */
export interface ReportUnread {
  name: string;
  /** Identifier, such as the GlobalId of IFC. */
  id?: string;
  reason: string;
  /** Index of `files`. */
  file: number;
}

/** Indices of the highlighted triangles in each of the two parts of a clash, ascending. */
export interface ClashTriangles {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * The content of a report. It is stored as little-endian bytes: the length of the header (uint32), the
 * header, the arrays of every mesh, and the arrays of every clash.
 */
export interface ReportContent {
  header: ReportHeader;
  meshes: MeshArrays[];
  triangles: ClashTriangles[];
}
