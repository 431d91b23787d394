// Boxes -> the pairs that overlap: sort and sweep along the axis on which the boxes spread most, serial.

export interface BoxPairs {
  count: number;
  /** Smaller box number of each pair, rising. */
  a: Uint32Array;
  /** Greater box number of each pair, rising where `a` is equal. */
  b: Uint32Array;
}

/** boxes: 6 floats each, least x, y, z, then greatest. Closed: touching boxes overlap; a box whose least is above its greatest overlaps none. */
export function overlappingPairs(boxes: Float32Array): BoxPairs {
  const boxCount = boxes.length / 6;
  const axis = widestAxis(boxes);
  const order = Uint32Array.from({ length: boxCount }, (_, box) => box).filter((box) => boxes[6 * box + axis] <= boxes[6 * box + axis + 3]);
  order.sort((a, b) => compare(boxes[6 * a + axis], boxes[6 * b + axis]));
  // A pair is one double, a * boxCount + b: exact up to 2^26 boxes, and sorted natively.
  let keys = new Float64Array(1024);
  let count = 0;
  for (let i = 0; i < order.length; i++) {
    const first = order[i], end = boxes[6 * first + axis + 3];
    for (let j = i + 1; j < order.length; j++) {
      const second = order[j];
      if (!(boxes[6 * second + axis] <= end)) break;
      if (!overlap(boxes, 6 * first, 6 * second)) continue;
      if (count === keys.length) keys = doubled(keys);
      keys[count++] = first < second ? first * boxCount + second : second * boxCount + first;
    }
  }
  return unpack(keys.subarray(0, count).sort(), boxCount);
}

function overlap(boxes: Float32Array, a: number, b: number): boolean {
  return boxes[a] <= boxes[b + 3] && boxes[b] <= boxes[a + 3]
    && boxes[a + 1] <= boxes[b + 4] && boxes[b + 1] <= boxes[a + 4]
    && boxes[a + 2] <= boxes[b + 5] && boxes[b + 2] <= boxes[a + 5];
}

// Greatest variance of the centres; boxes that reach to infinity do not take part.
function widestAxis(boxes: Float32Array): number {
  let widest = 0, greatest = -1;
  for (let axis = 0; axis < 3; axis++) {
    let count = 0, mean = 0, squares = 0;
    for (let at = axis; at < boxes.length; at += 6) {
      const center = (boxes[at] + boxes[at + 3]) / 2;
      if (!Number.isFinite(center)) continue;
      const step = center - mean;
      mean += step / ++count;
      squares += step * (center - mean);
    }
    if (squares > greatest) { greatest = squares; widest = axis; }
  }
  return widest;
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function doubled(keys: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(keys.length * 2);
  larger.set(keys);
  return larger;
}

function unpack(keys: Float64Array, boxCount: number): BoxPairs {
  const a = new Uint32Array(keys.length), b = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    a[i] = Math.floor(keys[i] / boxCount);
    b[i] = keys[i] - a[i] * boxCount;
  }
  return { count: keys.length, a, b };
}
