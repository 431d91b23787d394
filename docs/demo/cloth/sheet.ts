// Creates a flat square sheet of cloth: a mesh, and the springs between its vertices.
import type { MeshData } from 'pfront/samples';

/** Side length of the sheet, and height of the sheet above the center of the ball, in meters. */
const SIDE = 2.7;
const HEIGHT = 0.6;
/** Rotation and offset of the sheet, so that it does not fall symmetrically. */
const ANGLE = 0.35;
const OFFSET = 0.06;
/** Compliance of structural, shear and bending springs. */
const COMPLIANCE = { structural: 2e-7, shear: 4e-6, bend: 4e-4 };

/** The springs. Spring i connects the vertices a[i] and b[i]; length[i] is its rest length. */
export interface Springs {
  a: Uint32Array;
  b: Uint32Array;
  length: Float64Array;
  compliance: Float64Array;
}

/** Returns a sheet with `side` x `side` vertices. */
export function makeSheet(side: number): { mesh: MeshData; springs: Springs } {
  const positions = new Float32Array(3 * side * side);
  const indices: number[] = [];
  const [cos, sin] = [Math.cos(ANGLE), Math.sin(ANGLE)];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = SIDE * (column / (side - 1) - 0.5);
      const y = SIDE * (row / (side - 1) - 0.5);
      const a = row * side + column;
      positions.set([cos * x - sin * y + OFFSET, sin * x + cos * y, HEIGHT], 3 * a);
      if (row === side - 1 || column === side - 1) continue;
      const [b, c, d] = [a + 1, a + side, a + side + 1];
      indices.push(...((row + column) % 2 === 0 ? [a, b, d, a, d, c] : [a, b, c, b, d, c]));
    }
  }
  return { mesh: { positions, indices: Uint32Array.from(indices) }, springs: springsOf(side) };
}

function springsOf(side: number): Springs {
  const a: number[] = [];
  const b: number[] = [];
  const length: number[] = [];
  const compliance: number[] = [];
  const step = SIDE / (side - 1);
  const join = (row: number, column: number, rows: number, columns: number, value: number): void => {
    const toRow = row + rows;
    const toColumn = column + columns;
    if (toRow >= side || toColumn < 0 || toColumn >= side) return;
    a.push(row * side + column);
    b.push(toRow * side + toColumn);
    length.push(step * Math.hypot(rows, columns));
    compliance.push(value);
  };
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      join(row, column, 0, 1, COMPLIANCE.structural);
      join(row, column, 1, 0, COMPLIANCE.structural);
      join(row, column, 1, 1, COMPLIANCE.shear);
      join(row, column, 1, -1, COMPLIANCE.shear);
      join(row, column, 0, 2, COMPLIANCE.bend);
      join(row, column, 2, 0, COMPLIANCE.bend);
    }
  }
  return {
    a: Uint32Array.from(a),
    b: Uint32Array.from(b),
    length: Float64Array.from(length),
    compliance: Float64Array.from(compliance),
  };
}
