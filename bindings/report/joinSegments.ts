// Joins segments that share ends into polylines, so that each point of a curve is stored once.

/** Polylines and single points, three numbers for each point. */
export interface Lines {
  /** Number of points of each polyline. */
  lineLengths: Uint32Array;
  linePoints: Float32Array;
  /** Points that are on no polyline and at no corner of a triangle of a coplanar region. */
  singlePoints: Float32Array;
}

/**
 * Joins segments at equal ends. A segment that occurs several times is used once. A segment without length
 * becomes a single point.
 *
 * @param segments - Six float32 numbers for each segment.
 * @param singles - Three float32 numbers for each single point.
 * @param corners - Corners of the triangles of coplanar regions. No single point is returned at a corner.
 */
export function joinSegments(segments: number[], singles: number[], corners: number[]): Lines {
  const numberOf = new Map<string, number>();
  const points: number[] = [];
  const neighbors: Set<number>[] = [];
  const pointAt = (list: number[], at: number): number => {
    const key = `${list[at]},${list[at + 1]},${list[at + 2]}`;
    let number = numberOf.get(key);
    if (number === undefined) {
      numberOf.set(key, (number = neighbors.length));
      points.push(list[at], list[at + 1], list[at + 2]);
      neighbors.push(new Set());
    }
    return number;
  };
  for (let at = 0; at < segments.length; at += 6) {
    const [from, to] = [pointAt(segments, at), pointAt(segments, at + 3)];
    if (from === to) continue;
    neighbors[from].add(to);
    neighbors[to].add(from);
  }
  for (let at = 0; at < singles.length; at += 3) pointAt(singles, at);
  const isSingle = neighbors.map(({ size }) => size === 0);
  for (let at = 0; at < corners.length; at += 3) {
    const known = numberOf.get(`${corners[at]},${corners[at + 1]},${corners[at + 2]}`);
    if (known !== undefined) isSingle[known] = false;
  }
  const lines = walk(neighbors);
  const coordinates = (numbers: number[]): Float32Array =>
    Float32Array.from(numbers.flatMap(number => points.slice(3 * number, 3 * number + 3)));
  return {
    lineLengths: Uint32Array.from(lines, ({ length }) => length),
    linePoints: coordinates(lines.flat()),
    singlePoints: coordinates([...isSingle.keys()].filter(number => isSingle[number])),
  };
}

// Divides the edges of a graph into paths. The first paths start at the ends of curves and at forks. The edges
// that then remain form closed curves.
function walk(neighbors: Set<number>[]): number[][] {
  const paths: number[][] = [];
  const follow = (start: number): void => {
    while (neighbors[start].size > 0) {
      const path = [start];
      for (let at = start; neighbors[at].size > 0; ) {
        const [next] = neighbors[at];
        neighbors[at].delete(next);
        neighbors[next].delete(at);
        path.push(next);
        at = next;
      }
      paths.push(path);
    }
  };
  neighbors.forEach(({ size }, number) => {
    if (size !== 2) follow(number);
  });
  neighbors.forEach((_, number) => follow(number));
  return paths;
}
