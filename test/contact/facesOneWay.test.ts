// Tests facesOneWay, which tells whether all shells of a mesh face in the same direction. One of the shells has
// so many triangles that its volume is less than the rounding error of the sum that computes it. The oracle
// sums the volumes in integers.
import * as assert from 'uvu/assert';
import { facesOneWay } from '../../dist/contact/volume/facesOneWay.js';
import { toIntegers } from '../oracle/integers.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { block, insideOut, type Solid } from './solids.js';

interface Shell {
  positions: number[];
  indices: number[];
}

// Makes a thin shell that faces outward, between a square at height 1 and a flat pyramid below it. The square
// contains a grid of n x n tiny squares. A triangle connects one side of the square with the origin. Two more
// triangles cover the halves of this triangle and face the opposite way. These three triangles come first, so
// that volumes are measured from the origin.
function pillow(n: number): Shell {
  const positions: number[] = [];
  const indices: number[] = [];
  const add = (x: number, y: number, z: number): number => positions.push(x, y, z) / 3 - 1;
  // The volume of the cone over a small triangle is just too small to change a sum of 1 or more.
  const cell = Math.sqrt(0.9 * 2 ** -53);
  const apex = add(0, 0, 0);
  const corners = [add(-0.5, -0.5, 1), add(0.5, -0.5, 1), add(0.5, 0.5, 1), add(-0.5, 0.5, 1)];
  const middle = add(0, -0.5, 1);
  indices.push(apex, corners[1], corners[0], apex, corners[0], middle, apex, middle, corners[1]);
  const first = positions.length / 3;
  for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) add((i - n / 2) * cell, (j - n / 2) * cell, 1);
  const at = (i: number, j: number): number => first + i * (n + 1) + j;
  for (let k = 0; k < 4; k++) {
    const side = Array.from({ length: n + 1 }, (_, i) => [at(i, 0), at(n, i), at(n - i, n), at(0, n - i)][k]);
    indices.push(corners[k], corners[(k + 1) % 4], side[n]);
    for (let i = 0; i < n; i++) indices.push(corners[k], side[i + 1], side[i]);
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      indices.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  const low = add(0, 0, 1 - 2 ** -39);
  indices.push(corners[1], middle, low, middle, corners[0], low);
  for (let k = 1; k < 4; k++) indices.push(corners[(k + 1) % 4], corners[k], low);
  return { positions, indices };
}

// Returns the sign of the exact volume of a closed shell: 1 if it faces outward.
function directionOf({ positions, indices }: Shell | Solid): number {
  const whole = toIntegers(positions);
  let volume = 0n;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(corner => {
      const from = 3 * indices[i + corner];
      return whole.slice(from, from + 3);
    });
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return volume > 0n ? 1 : volume < 0n ? -1 : 0;
}

test('shells that face in different directions are found, even if the computed volume of one shell may be a rounding error', async () => {
  const shell = pillow(256);
  const cube = block([1, 1, 1], [1.125, 1.125, 1.125]);
  await withEngine({ threads: 1 }, engine => {
    for (const other of [cube, insideOut(cube)]) {
      const isSame = directionOf(other) === directionOf(shell);
      const count = shell.positions.length / 3;
      const mesh = engine.createMesh({
        positions: Float64Array.from([...shell.positions, ...other.positions]),
        indices: Uint32Array.from([...shell.indices, ...Array.from(other.indices, vertex => vertex + count)]),
      });
      // If the directions are the same, `false` is allowed too, because the volume is not accurate enough.
      assert.ok(isSame || !facesOneWay(mesh), `directions ${directionOf(shell)}, ${directionOf(other)}`);
      mesh.dispose();
    }
  });
});

test.run();
