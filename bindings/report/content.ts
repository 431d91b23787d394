// The data of an HTML clash report: a JSON header, followed by binary arrays. The command `pfront clash`
// writes the data into the report, and the script of the report reads it.

import type { Up } from '../formats/part.js';
import type { Unit } from '../formats/units.js';
import type { BcfComment, Status } from './bcf/topic.js';
import type { Point } from './bounds.js';
import type { ReportChange } from './changes.js';
import type { ClashClass, Finding } from './clashClasses.js';

export interface ReportPart {
  name: string;
  /** Identifier, such as the GlobalId of IFC. */
  id?: string;
  /** The type of the element. Only parts of IFC files have this field and the next three. */
  type?: string;
  objectType?: string;
  storey?: string;
  layer?: string;
  /** The names of the assemblies in a STEP or IGES file, outermost first, separated by slashes. */
  assembly?: string;
  /** The color that the file gives to the part, as `#rrggbb`. */
  color?: string;
  /** Index into `files`. */
  file: number;
  /** Index into `meshes`. */
  mesh: number;
  /** 4x4 matrix, column-major, from the mesh to the coordinates of the files. */
  transform: number[];
}

/** Two parts that are in contact, that are near each other, or of which one lies inside the other. */
export interface ScenePair extends ContactLengths {
  /** The two parts, as indices into the list of parts. */
  a: number;
  b: number;
  /** A point of the contact, in the coordinates of the files. */
  point: Point;
  /** The part that lies inside the other part, if one does. */
  inner?: 'a' | 'b';
}

/** What the 3D view of a page shows: parts, and pairs of parts that are in contact or near each other. */
export interface SceneHeader {
  /** File names without folders. A report may be sent to other people, so it shows no local paths. */
  files: string[];
  /** The up axis of the scene. */
  up: Up;
  parts: ReportPart[];
  /** Lengths of each mesh's arrays: x, y, z per vertex and three indices per triangle. */
  meshes: { positions: number; indices: number }[];
  clashes: ScenePair[];
  /** Lengths of lists of doubles, if the page stores any. */
  doubles?: number[];
  /** Unit of coordinates and lengths; undefined if no file defines one. */
  unit?: Unit;
}

/**
 * A contact region of a clash. `point` is a point of the region or next to it, in the coordinates of the files.
 */
export interface ReportRegion
  extends Pick<Finding, 'overlapDepth' | 'volume' | 'contactLength' | 'contactArea' | 'depth'> {
  point: Point;
}

/** The contact regions of a clash: their number, and the deepest ones. */
export interface ReportRegions {
  count: number;
  list: ReportRegion[];
}

/** A clash of an earlier run that this run does not list. */
export interface EarlierClash {
  class: ClashClass;
  partA: { name: string; id?: string };
  partB: { name: string; id?: string };
}

/** The comparison of a run with an earlier run. */
export interface ReportComparison {
  /** The name of the file with the earlier run, without folders. */
  baseline: string;
  /** Clashes that no longer exist. */
  resolved: EarlierClash[];
  /** Clashes that were not found, and that involve an element that could not be read. */
  unchecked: EarlierClash[];
}

export interface ReportClash extends Finding, ScenePair, Partial<ReportChange> {
  /** Identifies the pair of parts in each run on the same model: the GUID of its BCF topic. */
  guid: string;
  inner?: 'a' | 'b';
  /**
   * Number of triangles of each part that intersect the other part. In the class clearance it is 1, for the
   * triangle that is nearest to the other part.
   */
  triangleCountA: number;
  triangleCountB: number;
  /** Whether the list of allowed pairs allows this clash. */
  isAllowed: boolean;
  /** The IFC relation of the two elements, if it excludes the clash from the list. */
  relation?: string;
  /** Present only if the run measured the regions, and the surfaces share a point. */
  regions?: ReportRegions;
}

/** The groups of the clashes that the run lists. The other clashes are in no group. */
export interface ReportGroups {
  /** The property by which clashes are grouped, such as `type`. */
  by: string;
  /** Sorted by their worst clash. `clashes` are indices into the list of clashes, worst first. */
  list: { name: string; clashes: number[] }[];
}

/** What users have said about a clash. */
export interface Review {
  status: Status;
  comments: BcfComment[];
  /** The time when the status was set, in ISO 8601. */
  statusAt?: string;
  /** The GUIDs of comments that were deleted. */
  removed?: string[];
}

export interface ReportHeader extends SceneHeader {
  /** The time of the last change of each file, in ISO 8601. */
  fileDates: string[];
  /** Identifies the model: the same in each run on the same files. */
  guid: string;
  /**
   * All clashes, sorted by a, then b, including allowed clashes, and clashes of classes that are hidden at
   * first.
   */
  clashes: ReportClash[];
  /** Undefined if the run does not group clashes. */
  groups?: ReportGroups;
  /** The comparison with an earlier run. With it, each listed clash has a `change`. */
  comparison?: ReportComparison;
  /** The reviews of clashes, by the GUID of the clash. Only a page that the browser saved has them. */
  reviews?: Record<string, Review>;
  /** Elements that could not be read. Clashes of these elements are missing. */
  unread: ReportUnread[];
  /** The classes whose clashes the table lists when the page is opened. */
  classes: readonly ClashClass[];
  measures: { clearance: number; tolerance: number };
  /** The linear deflection of STEP and IGES files, in mm; undefined if there is none. */
  deflection?: number | undefined;
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
  /** Index into `files`. */
  file: number;
}

/**
 * What the two parts of a clash share. Each point is three numbers, in the coordinates of the files but
 * relative to the point of the clash.
 */
export interface ContactArrays {
  /** Number of points of each curve. */
  lineLengths: Uint32Array;
  /** Points of the curves along which the surfaces cross or touch. */
  linePoints: Float32Array;
  /** Corners of triangles that cover the regions in which the surfaces are coplanar. */
  regionCorners: Float32Array;
  /** Points on no curve and in no region. */
  singlePoints: Float32Array;
}

/** The names of the arrays of a contact, in the order in which they are stored. */
export const CONTACT_ARRAYS = [
  'lineLengths',
  'linePoints',
  'regionCorners',
  'singlePoints',
] as const satisfies readonly (keyof ContactArrays)[];

/** Lengths of the arrays of a contact. */
export type ContactLengths = Record<(typeof CONTACT_ARRAYS)[number], number>;

/** The contact of a clash, as `findContacts` returns it. */
export interface ClashContact
  extends ContactArrays,
    Pick<ReportClash, 'point' | 'triangleCountA' | 'triangleCountB'> {}

/**
 * The content of a page. It is stored as little-endian bytes: the length of the header (uint32), the header,
 * the arrays of every mesh, the arrays of the contact of every clash, and the lists of doubles.
 */
export interface SceneContent {
  header: SceneHeader;
  meshes: MeshArrays[];
  contacts: ContactArrays[];
  doubles?: Float64Array[];
}

/** The content of a report of clashes. */
export interface ReportContent extends SceneContent {
  header: ReportHeader;
}
