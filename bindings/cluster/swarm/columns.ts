// Divides the ground into sub-spaces of m x m columns each (Du, Liu and Suzumura, section 4.1), and finds the
// column of a point. A column is a rectangle in x and y, and has no bounds in z.
import { ClusterError } from '../errors.js';

/**
 * A division of the ground. ground: minimum x, minimum y, maximum x, maximum y. across, along: the numbers of
 * sub-spaces along x and y. m: each sub-space has m x m columns.
 */
export interface Grid {
  ground: readonly [number, number, number, number];
  across: number;
  along: number;
  m: number;
}

/** The maximum number of columns of one run. */
const MAX_COLUMNS = 2 ** 18;

/**
 * Splits a number of sub-spaces into two factors that are as close to each other as possible. `across` is the
 * larger factor.
 */
export function subSpaces(count: number): { across: number; along: number } {
  let across = Math.floor(Math.sqrt(count));
  while (count % across !== 0) across--;
  return { across: count / across, along: across };
}

export class Columns {
  readonly grid: Grid;
  /** The number of columns along x. */
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
    if (!(this.count <= MAX_COLUMNS))
      throw new ClusterError(
        `the ground has ${this.width} x ${this.height} columns, more than the maximum of ${MAX_COLUMNS}`,
        'set fewer columns per node',
      );
    const [lowX, lowY, highX, highY] = grid.ground;
    if (!(highX > lowX && highY > lowY && Number.isFinite(highX - lowX) && Number.isFinite(highY - lowY)))
      throw new ClusterError(
        `the ground extends from ${lowX}, ${lowY} to ${highX}, ${highY}`,
        'use a ground whose extent is finite and greater than 0',
      );
    this.scaleX = this.width / (highX - lowX);
    this.scaleY = this.height / (highY - lowY);
  }

  /**
   * Returns the index along x of the columns that contain a coordinate. columnY does the same along y. The
   * outermost columns extend to infinity.
   */
  columnX(x: number): number {
    return Math.max(0, Math.min(this.width - 1, Math.floor((x - this.grid.ground[0]) * this.scaleX)));
  }
  columnY(y: number): number {
    return Math.max(0, Math.min(this.height - 1, Math.floor((y - this.grid.ground[1]) * this.scaleY)));
  }
  at(x: number, y: number): number {
    return this.columnY(y) * this.width + this.columnX(x);
  }

  /** Returns the index of the sub-space that contains a column. */
  subSpaceOf(column: number): number {
    const { m, across } = this.grid;
    return Math.floor(Math.floor(column / this.width) / m) * across + Math.floor((column % this.width) / m);
  }

  /**
   * Returns the columns after each column is split into four. The sub-spaces stay the same. @throws
   * CollisionError 'Cluster'
   */
  refine(): Columns {
    return new Columns({ ...this.grid, m: 2 * this.grid.m });
  }

  /**
   * Converts a list with a value for each of these columns to a list for the columns of `refine()`: all four
   * quarters of a column get the value of the column.
   */
  refineValues<List extends Uint32Array | Float64Array>(values: List): List {
    const { width } = this;
    const spread = new (values.constructor as new (length: number) => List)(4 * values.length);
    for (let i = 0; i < spread.length; i++)
      spread[i] = values[Math.floor(i / (4 * width)) * width + ((i % (2 * width)) >> 1)];
    return spread;
  }

  /** Returns all columns, row by row in alternating directions, so that successive columns are neighbors. */
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
