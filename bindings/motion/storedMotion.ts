// Stores the motion of frames as plain data and lists of doubles, and reads it again.
import type { Frame, FrameMotion } from './frames.js';
import type { Interpolation, KeyedValue } from './keys.js';
import { makeKeys } from './makeKeys.js';

/** The keys of a value. Their lists of doubles are stored elsewhere and given by their indices. */
export interface StoredKeys {
  interpolation: Interpolation;
  axis?: readonly number[];
  /** Indices of the lists of doubles. */
  times: number;
  values: number;
}

/** A constant placement, or a motion. */
export type StoredFrame = { parent?: number } & (
  | { matrix: number[] }
  | {
      translation: readonly number[] | StoredKeys;
      rotation: readonly number[] | StoredKeys;
      scale: readonly number[];
    }
);

/** Collects lists of doubles. The same array is stored only once, even if it is added several times. */
export class DoubleLists {
  readonly lists: Float64Array[] = [];
  private readonly indices = new Map<Float64Array, number>();

  /** Returns the index of a list. */
  add(list: Float64Array): number {
    let index = this.indices.get(list);
    if (index === undefined) this.indices.set(list, (index = this.lists.push(list) - 1));
    return index;
  }
}

/** Returns the data of a frame, from which `readFrame` makes the same frame. */
export function storeFrame({ parent, placement }: Frame, doubles: DoubleLists): StoredFrame {
  if (placement instanceof Float64Array) return { parent, matrix: [...placement] };
  const store = (value: FrameMotion['translation']): readonly number[] | StoredKeys => {
    if (!('data' in value)) return value;
    const { interpolation, axis, times, values } = value.data;
    return { interpolation, axis, times: doubles.add(times), values: doubles.add(values) };
  };
  const { translation, rotation, scale } = placement;
  return { parent, translation: store(translation), rotation: store(rotation), scale };
}

/** Makes a frame from its data. */
export function readFrame(stored: StoredFrame, doubles: readonly Float64Array[]): Frame {
  const { parent } = stored;
  if ('matrix' in stored) return { parent, placement: Float64Array.from(stored.matrix) };
  const read = (value: readonly number[] | StoredKeys): readonly number[] | KeyedValue =>
    'times' in value
      ? makeKeys({ ...value, times: doubles[value.times], values: doubles[value.values] })
      : value;
  const { translation, rotation, scale } = stored;
  return { parent, placement: { translation: read(translation), rotation: read(rotation), scale } };
}
