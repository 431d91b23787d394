// What every reader returns: named, placed triangle meshes; and what it throws when a file cannot be read whole.
import { CollisionError } from '../../errors.js';
import type { Unit } from '../units.js';

export type Up = 'y' | 'z';

/** One body of a file: a mesh in its own frame and its place in the world. Parts that show one mesh share its arrays. */
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

/** The file cannot be read, or not as a whole. The message is one line and says where, `fix` says what to do. */
export class InvalidFile extends CollisionError {
  constructor(message: string, fix: string) { super('InvalidFile', message, fix); }
}

export const EXPORT_AGAIN = 'Export the file again, or repair it in the program that wrote it.';

// Two to the 27th: more than one engine's memory can hold, small enough that a short file naming the same data over and over ends here.
const LARGEST_ARRAY = 1 << 27;

/** A fresh identity matrix. */
export function identity(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** Quotes a piece of a file for a message: one line, printable, short. */
export function quote(text: string): string {
  const clean = text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  return `"${clean.length > 40 ? `${clean.slice(0, 37)}...` : clean}"`;
}

/** Gives every name once: `Bolt`, `Bolt (2)`, `Bolt (3)`. */
export function uniqueNames(names: string[]): string[] {
  const taken = new Set(names);
  const seen = new Map<string, number>();
  return names.map((name) => {
    let number = (seen.get(name) ?? 0) + 1;
    let unique = name;
    if (number > 1) {
      while (taken.has(unique = `${name} (${number})`)) number++;
      taken.add(unique);
    }
    seen.set(name, number);
    return unique;
  });
}

/** A list of numbers that doubles as it grows, so that no header's count is trusted with memory. */
export class GrowingList<Numbers extends Float32Array | Uint32Array> {
  length = 0;
  private values: Numbers;

  constructor(private readonly make: (length: number) => Numbers) {
    this.values = make(64);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index];
  }

  toArray(): Numbers {
    return this.values.slice(0, this.length) as Numbers;
  }

  private grow(): void {
    if (this.length >= LARGEST_ARRAY) {
      throw new InvalidFile(`holds more than ${LARGEST_ARRAY} numbers of one kind`, 'Split the file into smaller ones.');
    }
    const larger = this.make(this.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}

export const growingFloats = () => new GrowingList((length) => new Float32Array(length));
export const growingIndices = () => new GrowingList((length) => new Uint32Array(length));

/** Cuts meshes out of one vertex list: keeps only the vertices that the triangles name, in the order of first use. */
export class VertexPicker {
  private readonly newIndex: Uint32Array;
  private readonly pickedFor: Uint32Array;
  private pick = 0;

  /** positions: x, y, z per vertex of the whole file. */
  constructor(private readonly positions: Float32Array) {
    this.newIndex = new Uint32Array(positions.length / 3);
    this.pickedFor = new Uint32Array(positions.length / 3);
  }

  mesh(indices: Uint32Array): { positions: Float32Array; indices: Uint32Array } {
    const pick = ++this.pick;
    const own = new Uint32Array(indices.length);
    const picked = growingFloats();
    for (let i = 0; i < indices.length; i++) {
      const vertex = indices[i];
      if (this.pickedFor[vertex] !== pick) {
        this.pickedFor[vertex] = pick;
        this.newIndex[vertex] = picked.length / 3;
        for (let axis = 0; axis < 3; axis++) picked.push(this.positions[3 * vertex + axis]);
      }
      own[i] = this.newIndex[vertex];
    }
    return { positions: picked.toArray(), indices: own };
  }
}
