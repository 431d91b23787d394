// Tests how the columns of a swarm's ground are assigned to nodes and moved between them. No move leaves a
// node without load, no move undoes an earlier move, and the loads become even.

import * as assert from 'uvu/assert';
import { chooseMove, chooseMoves, imbalanceOf, memberLoads } from '../../dist/cluster/swarm/balance.js';
import {
  assignAllColumns,
  assignToNewMembers,
  reassignLostColumns,
} from '../../dist/cluster/swarm/columnOwners.js';
import { Columns, subSpaces } from '../../dist/cluster/swarm/columns.js';
import { columnSpace } from '../../dist/cluster/swarm/space.js';
import { voxelSpace } from '../../dist/papers/voxels.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const make = (nodes: number, m: number): Columns =>
  new Columns({ ground: [0, 0, 10, 7], ...subSpaces(nodes), m });
const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => 4e9 + 7 * i);
// Makes loads that are concentrated in a few columns.
const skewedLoads = (columns: Columns, random: Random): Float64Array =>
  Float64Array.from({ length: columns.count }, () => Math.floor(20 * random.between(0, 1) ** -0.7));

test('the numbers of sub-spaces along the two axes are as equal as possible, and every column is in one sub-space', () => {
  assert.equal(
    [1, 2, 4, 6, 7, 16].map(count => Object.values(subSpaces(count))),
    [
      [1, 1],
      [2, 1],
      [2, 2],
      [3, 2],
      [7, 1],
      [4, 4],
    ],
  );
  const columns = make(6, 3);
  const counts = new Map<number, number>();
  for (let column = 0; column < columns.count; column++)
    counts.set(columns.subSpaceOf(column), (counts.get(columns.subSpaceOf(column)) ?? 0) + 1);
  assert.equal([...counts.values()], [9, 9, 9, 9, 9, 9]);
  assert.equal(
    [...columns.serpentine()].sort((a, b) => a - b),
    [...Array(54).keys()],
  );
  // Points outside the ground belong to the nearest column at the border of the ground.
  assert.equal(
    [columns.at(-1e9, -1), columns.at(1e9, 1e9), columns.at(10, 7), columns.at(0, 0)],
    [0, 53, 53, 0],
  );
});

test('every move takes load from the most loaded node and gives it to the least loaded one, until no move is left', () => {
  const random = createRandom(5);
  for (let round = 0; round < 300; round++) {
    const nodes = 2 + random.below(7);
    const columns = make(nodes, 2 + random.below(6));
    const members = ids(nodes);
    const loads = skewedLoads(columns, random);
    const threshold = random.between(0, 0.3);
    const owners = assignAllColumns(columns, members, loads);
    let last = Infinity;
    for (let steps = 0; ; steps++) {
      assert.ok(steps < 5000, 'the moves do not end');
      const before = memberLoads(members, owners, loads);
      const move = chooseMove(columns, members, owners, loads, threshold);
      const maximum = Math.max(...before.values());
      const minimum = Math.min(...before.values());
      if (!move) break;
      assert.ok((maximum - minimum) / maximum > threshold);
      assert.is(owners[move.column], move.from);
      assert.equal([before.get(move.from), before.get(move.to)], [maximum, minimum]);
      owners[move.column] = move.to;
      const after = memberLoads(members, owners, loads);
      const given = after.get(move.from)!;
      const received = after.get(move.to)!;
      assert.ok(
        given > 0 &&
          received > minimum &&
          Math.max(given, received) < maximum &&
          Math.min(given, received) > minimum,
      );
      // The sum of the squared loads decreases with every move, so no move can undo an earlier one.
      const squares = [...after.values()].reduce((sum, load) => sum + load * load, 0);
      assert.ok(squares < last);
      last = squares;
    }
  }
});

test('if no column has more than 5 % of the mean load, the max load is at most 15 % above the mean when moves end', () => {
  const random = createRandom(6);
  for (let round = 0; round < 100; round++) {
    const nodes = 2 + random.below(15);
    const columns = make(nodes, 8);
    const members = ids(nodes);
    const loads = Float64Array.from(
      { length: columns.count },
      (_, column) => (column % columns.width < columns.width / 3 ? 3 : 1) * (1 + random.between(0, 0.5)),
    );
    const owners = assignAllColumns(columns, members, loads);
    for (
      let move = chooseMove(columns, members, owners, loads, 0.1);
      move;
      move = chooseMove(columns, members, owners, loads, 0.1)
    )
      owners[move.column] = move.to;
    const imbalance = imbalanceOf(memberLoads(members, owners, loads).values());
    assert.ok(imbalance <= 1.15, `${nodes} nodes: ${imbalance}`);
  }
});

test('on sixteen nodes, four moves per step balance the load of a moving crowd, but one move per step does not', () => {
  const nodes = 16;
  const columns = make(nodes, 12);
  const members = ids(nodes);
  const settled = (maximum: number): number => {
    let maxImbalance = 0;
    let owners = Uint32Array.from(
      { length: columns.count },
      (_, column) => members[columns.subSpaceOf(column)],
    );
    for (let step = 0; step < 100; step++) {
      const x = columns.width * (0.3 + 0.004 * step);
      const y = columns.height * 0.4;
      const loads = Float64Array.from(
        { length: columns.count },
        (_, column) =>
          1 +
          8 *
            Math.exp(
              -(
                (((column % columns.width) - x) / 9) ** 2 +
                ((Math.floor(column / columns.width) - y) / 9) ** 2
              ),
            ),
      );
      const moves = chooseMoves(columns, members, owners, loads, 0.1);
      assert.ok(moves.length <= nodes / 4);
      owners = owners.slice();
      for (const { column, from, to } of moves.slice(0, maximum)) {
        assert.is(owners[column], from);
        owners[column] = to;
      }
      if (step >= 70)
        maxImbalance = Math.max(maxImbalance, imbalanceOf(memberLoads(members, owners, loads).values()));
    }
    return maxImbalance;
  };
  const [many, one] = [settled(4), settled(1)];
  console.log(`counted: max load / mean load ${many.toFixed(3)}, with one move per step ${one.toFixed(3)}`);
  assert.ok(many <= 1.15 && one > 1.25, `${many}, ${one}`);
  assert.is(
    chooseMoves(
      make(4, 3),
      ids(4),
      Uint32Array.from({ length: 36 }, (_, column) => ids(4)[column < 30 ? 0 : 1 + (column % 3)]),
      new Float64Array(36).fill(1),
      0.1,
    ).length,
    1,
    'four nodes: one move, as in the paper',
  );
});

test('a node that leaves keeps no column, a node that joins gets some, and all other columns keep their node', () => {
  const random = createRandom(7);
  for (let round = 0; round < 100; round++) {
    const nodes = 2 + random.below(7);
    const columns = make(nodes, 6);
    const members = ids(nodes);
    const loads = Float64Array.from({ length: columns.count }, () => random.between(0.5, 1.5));
    const owners = assignAllColumns(columns, members, loads);
    const gone = members[random.below(nodes)];
    const left = members.filter(id => id !== gone);
    const assigned = reassignLostColumns(columns, left, owners, loads);
    assert.ok(
      assigned.every((id, column) => left.includes(id) && (owners[column] === gone || owners[column] === id)),
    );
    assert.ok(imbalanceOf(memberLoads(left, assigned, loads).values()) < 1.35);
    const come = [1, 2].slice(0, 1 + random.below(2));
    const all = [...left, ...come];
    const joined = assignToNewMembers(columns, all, come, assigned, loads);
    assert.ok(joined.every((id, column) => id === assigned[column] || come.includes(id)));
    assert.ok(
      imbalanceOf(memberLoads(all, joined, loads).values()) < 1.35 && come.every(id => joined.includes(id)),
    );
  }
  // The columns are made for four sub-spaces, but there are five members.
  const columns = make(4, 6);
  const loads = new Float64Array(columns.count).fill(1);
  const owners = assignAllColumns(columns, ids(5), loads);
  assert.ok(imbalanceOf(memberLoads(ids(5), owners, loads).values()) < 1.1);
});

test('the node that owns the reference point of two overlapping boxes gets both boxes', () => {
  const random = createRandom(8);
  const columns = make(6, 4);
  const owners = Uint32Array.from({ length: columns.count }, () => random.below(6));
  for (const space of [columnSpace(columns, owners), voxelSpace(0.7, 6)]) {
    for (let round = 0; round < 5000; round++) {
      const box = (): Float64Array => {
        const low = [random.between(-2, 12), random.between(-2, 9), random.between(0, 3)];
        return Float64Array.of(...low, ...low.map(value => value + random.between(0, 2)));
      };
      const [a, b] = [box(), box()];
      const marks = [new Uint8Array(6), new Uint8Array(6)];
      if ([0, 1, 2].some(axis => a[axis] > b[3 + axis] || b[axis] > a[3 + axis])) continue;
      space.markReached(a, marks[0]);
      space.markReached(b, marks[1]);
      const owner = space.ownerAt(Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2]));
      assert.ok(marks[0][owner] && marks[1][owner]);
    }
  }
});

test.run();
