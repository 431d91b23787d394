// Defines what readers of mesh files return (named and placed triangle meshes), and the error that these
// readers throw.
import { CollisionError } from '../core/errors.js';
import type { Unit } from './units.js';

/** The axis that points up. */
export type Up = 'y' | 'z';

/**
 * One body of a file: a mesh in its own coordinate frame, and the placement of this frame in the world. Parts
 * with the same mesh share the arrays `positions` and `indices`.
 */
export interface Part {
  name: string;
  /** x, y, z of each vertex, in the part's own coordinate frame. */
  positions: Float32Array;
  /** Three vertex indices for each triangle. */
  indices: Uint32Array;
  /**
   * The largest amount by which rounding changed a coordinate of `exact`, or of `positions` if the part has no
   * `exact`; undefined or 0 if nothing was rounded.
   */
  rounding?: number;
  /** From the part's frame to the world: 16 doubles, column-major, last row 0 0 0 1. */
  transform: Float64Array;
  /**
   * The vertices in doubles, if they were requested. Undefined if `positions` has the same coordinates in the
   * same frame. Parts that share `positions` also share these vertices.
   */
  exact?: ExactVertices;
  /** Index of the node that places the part, if the nodes of a glTF file were requested. */
  node?: number | undefined;
  /** The unit of the coordinates, if the file declares it. */
  unit?: Unit;
  /** The axis that points up, if the file format defines it. */
  up?: Up;
  /**
   * The color that covers the largest area of the part in a STEP or IGES file, in sRGB, as `#rrggbb`;
   * undefined if the file does not define it.
   */
  color?: string;
  /**
   * The names of the assemblies that contain the part in a STEP or IGES file, outermost first, separated by
   * slashes, such as `machine/gearbox`.
   */
  assembly?: string;
  /** The type of the element in an IFC file, such as IfcWall. */
  type?: string;
  /** An identifier that is the same in every export: IFC's GlobalId. */
  id?: string;
  /**
   * The name of the type object of the element in an IFC file, such as `Basic Wall:Interior - 92mm`. If there
   * is no type object, or it has no name: the element's attribute ObjectType.
   */
  objectType?: string;
  /**
   * The name of the building storey, or of the part of a bridge, road or other facility, that contains the
   * element in an IFC file.
   */
  storey?: string;
  /** The presentation layers of the element in an IFC file, separated by commas. */
  layer?: string;
  /** The systems of the element in an IFC file, separated by commas. */
  system?: string;
  /**
   * The properties and quantities of the element in an IFC file, if they were requested. The keys are
   * `SET.PROPERTY`, such as `Pset_WallCommon.LoadBearing`.
   */
  properties?: Record<string, string>;
  /** In an IFC file: the class of the element and all classes that it inherits from, in upper case. */
  bases?: string[];
  /** How the element is linked to other elements of the same IFC file. */
  links?: ElementLinks;
}

/**
 * The vertices of a part in doubles, and the placement of their frame in the world. The coordinates are the
 * numbers in the file, except that CAD coordinates are rounded (see roundCadCoordinate), and values whose
 * magnitude is less than MIN_DOUBLE or greater than MAX_FLOAT are rounded to float32.
 */
export interface ExactVertices {
  /** x, y, z of each vertex. */
  positions: Float64Array;
  transform: Float64Array;
}

/** Returns the most precise vertices of a part, and their placement. */
export const exactVerticesOf = ({
  positions,
  transform,
  exact,
}: Pick<Part, 'positions' | 'transform' | 'exact'>): Pick<Part, 'transform'> & {
  positions: Float32Array | Float64Array;
} => exact ?? { positions, transform };

/** Returns the placements of the most precise vertices of two parts, as options of a query. */
export const placementsOf = (a: Part, b: Part): { transformA: Float64Array; transformB: Float64Array } => ({
  transformA: exactVerticesOf(a).transform,
  transformB: exactVerticesOf(b).transform,
});

/** Returns a copy of a part, with `change` applied to each of its placements. */
export const mapTransforms = <Kind extends Part>(
  part: Kind,
  change: (transform: Float64Array) => Float64Array,
): Kind => ({
  ...part,
  transform: change(part.transform),
  ...(part.exact ? { exact: { ...part.exact, transform: change(part.exact.transform) } } : {}),
});

/**
 * The relations of an IFC element to other elements. Elements are identified by numbers that are unique in the
 * file.
 */
export interface ElementLinks {
  record: number;
  /** The element whose hole (IfcRelVoidsElement) this element fills (IfcRelFillsElement). */
  host?: number;
  /**
   * The outermost assembly (IfcRelAggregates) of which this element is a piece; the element itself if it has
   * pieces, but is not a piece of another element.
   */
  assembly?: number;
}

/** Receives a warning about a file that can be read, and advice on how to fix the file. */
export type WarningHandler = (message: string, fix: string) => void;

/** An element that could not be read, or not completely. Clashes of its missing triangles are not found. */
export interface Unread {
  /**
   * The name that the part of the element would have. If the element's record in an IFC file has no valid
   * GlobalId: the type and number of this record.
   */
  name: string;
  type?: string;
  id?: string;
  reason: string;
  /** True if the element was read incompletely: the list of parts contains what was read. */
  isPartial?: boolean;
  /** True if it is unknown which parts of the file are missing or incomplete. */
  isAnyPart?: boolean;
}

/**
 * The error for a file that cannot be read, or cannot be read completely. The message is one line and names
 * the place in the file; `fix` says what to do.
 */
export class InvalidFile extends CollisionError {
  constructor(message: string, fix: string) {
    super('InvalidFile', message, fix);
  }
}

export const EXPORT_AGAIN = 'Export the file again, or repair it in the program that wrote it.';

/** Returns a new identity matrix. */
export function identity(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** Returns a piece of a file in quotes, for a message: one line of at most 40 printable characters. */
export function quote(text: string): string {
  return `"${oneLine(text)}"`;
}

/** Returns a piece of a file for a message: one line of at most 40 printable characters. */
export function oneLine(text: string): string {
  const clean = text.slice(0, 64).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  return clean.length > 40 ? `${clean.slice(0, 37)}...` : clean;
}
