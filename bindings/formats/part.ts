// What every reader returns: named, placed triangle meshes; and what it throws when a file cannot be read
// whole.
import { CollisionError } from '../core/errors.js';
import type { Unit } from './units.js';

export type Up = 'y' | 'z';

/**
 * One body of a file: a mesh in its own frame and its place in the world. Parts that show one mesh share its
 * arrays.
 */
export interface Part {
  name: string;
  /** x, y, z per vertex. */
  positions: Float32Array;
  /** Three vertex numbers per triangle. */
  indices: Uint32Array;
  /** 16 doubles, column-major, last row 0 0 0 1. */
  transform: Float64Array;
  /** What its coordinates are, where the file says so. */
  unit?: Unit;
  /** Which axis points up, where its format says so. */
  up?: Up;
  /** What kind of thing it is, as IFC has it: IfcWall. */
  type?: string;
  /** The name that it keeps from export to export: IFC's GlobalId. */
  id?: string;
}

/** Hears what is wrong with a file that can be read all the same, and what to do. */
export type Tell = (message: string, fix: string) => void;

/** An element of a file that could not be read: its clashes are not found. */
export interface Unread {
  /** As its part's name would be; the number of its record where it is no element. */
  name: string;
  type?: string;
  id?: string;
  reason: string;
  /** Some of it is a part all the same. */
  isPartial?: boolean;
}

/**
 * The file cannot be read, or not as a whole. The message is one line and says where, `fix` says what to do.
 */
export class InvalidFile extends CollisionError {
  constructor(message: string, fix: string) {
    super('InvalidFile', message, fix);
  }
}

export const EXPORT_AGAIN = 'Export the file again, or repair it in the program that wrote it.';

/** A fresh identity matrix. */
export function identity(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** Quotes a piece of a file for a message: one line, printable, short. */
export function quote(text: string): string {
  const clean = text.slice(0, 64).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  return `"${clean.length > 40 ? `${clean.slice(0, 37)}...` : clean}"`;
}
