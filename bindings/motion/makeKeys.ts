// Creates a KeyedValue (a value that changes over time) from its stored keys.
import {
  type ControlPoints,
  constantSegment,
  cubicSegment,
  type KeyData,
  type KeyedValue,
  Keys,
  linearSegment,
  type Segment,
} from './keys.js';
import {
  axisRotation,
  axisRotationSegment,
  cubicRotationSegment,
  slerpSegment,
  unit,
} from './rotationKeys.js';

/**
 * Returns the value that the keys describe.
 *
 * @param refuse For `cubicRotation` only: called with the index of a key if the quaternion curve from this key
 *   to the next may pass so near to zero that the curve does not determine a rotation. The default throws a
 *   RangeError.
 */
export function makeKeys(data: KeyData, refuse: (key: number) => never = refuseKey): KeyedValue {
  const { interpolation, times, values, axis } = data;
  const isCubic = interpolation === 'cubic' || interpolation === 'cubicRotation';
  const size = values.length / times.length / (isCubic ? 3 : 1);
  const read = (slot: number): number[] => [...values.subarray(size * slot, size * (slot + 1))];
  const stored = (key: number): number[] => read(isCubic ? 3 * key + 1 : key);
  const durationOf = (key: number): number => times[key + 1] - times[key];
  const pointsOf = (key: number): ControlPoints => {
    const third = durationOf(key) / 3;
    const [p, q] = [stored(key), stored(key + 1)];
    const [leaving, entering] = [read(3 * key + 2), read(3 * key + 3)];
    return [
      p,
      p.map((value, i) => value + third * leaving[i]),
      q.map((value, i) => value - third * entering[i]),
      q,
    ];
  };
  const make = (valueAt: (key: number) => number[], makeSegment: (key: number) => Segment): Keys =>
    new Keys(data, valueAt, makeSegment);
  switch (interpolation) {
    case 'linear':
      return make(stored, key => linearSegment(stored(key), stored(key + 1), durationOf(key)));
    case 'step':
      return make(stored, key => constantSegment(stored(key)));
    case 'cubic':
      return make(stored, key => cubicSegment(pointsOf(key), durationOf(key)));
    case 'slerp':
      return make(stored, key => slerpSegment(stored(key), stored(key + 1), durationOf(key)));
    case 'cubicRotation':
      return make(
        key => unit(stored(key)),
        key => cubicRotationSegment(pointsOf(key), durationOf(key)) ?? refuse(key),
      );
    case 'axisRotation':
      return make(
        key => axisRotation(axis!, values[key]),
        key => axisRotationSegment(axis!, values[key], values[key + 1], durationOf(key)),
      );
  }
}

function refuseKey(key: number): never {
  throw new RangeError(`the rotation between keys ${key} and ${key + 1} is not determined`);
}
