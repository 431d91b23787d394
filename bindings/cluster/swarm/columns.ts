// A ground cut into sub-spaces, each of m x m columns (Du, Liu and Suzumura s4.1) -> which column a point is
// in, and which a box reaches.
import { ClusterError } from '../errors.js';

/** Sub-spaces side by side, and m. */
export interface Grid {
  ground: readonly [number, number, number, number];
  across: number;
  along: number;
  m: number;
}

/** Of one run. */
const MOST_COLUMNS = 2 ** 18;

/** As nearly square as it goes. */
export function subSpaces(count: number): { across: number; along: number } {
  let across = Math.floor(Math.sqrt(count));
  while (count % across !== 0) across--;
  return { across: count / across, along: across };
}

export class Columns {
  readonly grid: Grid;
  /** Columns side by side. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
  private readonly scaleX: number;
  private readonly scaleY: number;

  /** @throws CollisionError 'Cluster' */
  constructor(grid: Grid) {
    this.grid = grid;
    this.width = grid.across * grid.m;
    this.height = grid.along * grid.m;
    this.count = this.width * this.height;
    if (!(this.count <= MOST_COLUMNS))
      throw new ClusterError(
        `${this.width} x ${this.height} columns, and ${MOST_COLUMNS} are the most`,
        'ask for fewer columns a node',
      );
    const [lowX, lowY, highX, highY] = grid.ground;
    if (!(highX > lowX && highY > lowY && Number.isFinite(highX - lowX) && Number.isFinite(highY - lowY)))
      throw new ClusterError(
        `the ground goes from ${lowX}, ${lowY} to ${highX}, ${highY}`,
        'let it have an extent, in finite numbers',
      );
    this.scaleX = this.width / (highX - lowX);
    this.scaleY = this.height / (highY - lowY);
  }

  /** From the left, and from the bottom; the outermost go on without end. */
  placeX(x: number): number {
    return Math.max(0, Math.min(this.width - 1, Math.floor((x - this.grid.ground[0]) * this.scaleX)));
  }
  placeY(y: number): number {
    return Math.max(0, Math.min(this.height - 1, Math.floor((y - this.grid.ground[1]) * this.scaleY)));
  }
  at(x: number, y: number): number {
    return this.placeY(y) * this.width + this.placeX(x);
  }

  /** The sub-space that a column began in. */
  subSpaceOf(column: number): number {
    const { m, across } = this.grid;
    return Math.floor(Math.floor(column / this.width) / m) * across + Math.floor((column % this.width) / m);
  }

  /** Each cut in four; sub-spaces stay. @throws CollisionError 'Cluster' */
  finer(): Columns {
    return new Columns({ ...this.grid, m: 2 * this.grid.m });
  }

  /** What columns have -> what those of `finer` have: all four parts the same. */
  spread<List extends Uint32Array | Float64Array>(values: List): List {
    const { width } = this;
    const spread = new (values.constructor as new (length: number) => List)(4 * values.length);
    for (let part = 0; part < spread.length; part++)
      spread[part] = values[Math.floor(part / (4 * width)) * width + ((part % (2 * width)) >> 1)];
    return spread;
  }

  /** All columns, neighbors after each other: row by row, there and back. */
  serpentine(): Uint32Array {
    const order = new Uint32Array(this.count);
    for (let i = 0; i < order.length; i++) {
      const row = Math.floor(i / this.width);
      const place = i % this.width;
      order[i] = row * this.width + (row % 2 === 0 ? place : this.width - 1 - place);
    }
    return order;
  }
}
