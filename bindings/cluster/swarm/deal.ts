// Who owns which column as members come and go: each about the same load, in runs of neighbors.
import { loadsOf } from './balance.js';
import type { Columns } from './columns.js';

/** A sub-space each, where there are as many; else runs of neighboring columns of the same load. */
export function dealAll(columns: Columns, members: readonly number[], loads: Float64Array): Uint32Array {
  const { across, along } = columns.grid;
  if (members.length === across * along)
    return Uint32Array.from({ length: columns.count }, (_, column) => members[columns.subSpaceOf(column)]);
  const owners = new Uint32Array(columns.count);
  const weights = weightsOf(loads);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  for (const column of columns.serpentine()) {
    owners[column] =
      members[
        Math.min(members.length - 1, Math.floor(((before + weights[column] / 2) / total) * members.length))
      ];
    before += weights[column];
  }
  return owners;
}

/** Columns of those that are not among the members go to those that have least. */
export function dealGone(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
): Uint32Array {
  const dealt = owners.slice();
  const weights = weightsOf(loads);
  const sums = loadsOf(members, owners, weights);
  const share = weights.reduce((sum, weight) => sum + weight, 0) / members.length;
  const poorest = (): number =>
    members.reduce((least, id) => (sums.get(id)! < sums.get(least)! ? id : least));
  let taker = poorest();
  for (const column of columns.serpentine()) {
    if (sums.has(owners[column])) continue;
    if (sums.get(taker)! >= share) taker = poorest();
    dealt[column] = taker;
    sums.set(taker, sums.get(taker)! + weights[column]);
  }
  return dealt;
}

/** Members that have come are given columns of those that have most, until they have their share. */
export function dealCome(
  columns: Columns,
  members: readonly number[],
  come: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
): Uint32Array {
  const dealt = owners.slice();
  const weights = weightsOf(loads);
  const share = weights.reduce((sum, weight) => sum + weight, 0) / members.length;
  // A column each gives away is the next of its own along the way: what is taken lies together.
  const way = columns.serpentine();
  for (const taker of come) {
    const sums = loadsOf(members, dealt, weights);
    for (;;) {
      const giver = members.reduce((most, id) => (sums.get(id)! > sums.get(most)! ? id : most));
      const column = giver === taker ? undefined : way.find(place => dealt[place] === giver);
      if (column === undefined || sums.get(taker)! + weights[column] / 2 > share) break;
      dealt[column] = taker;
      sums.set(taker, sums.get(taker)! + weights[column]);
      sums.set(giver, sums.get(giver)! - weights[column]);
    }
  }
  return dealt;
}

/** Before, and after: what has changed hands. */
export function changes(
  before: Uint32Array,
  after: Uint32Array,
): { columns: Uint32Array; owners: Uint32Array } {
  const columns = Uint32Array.from(after.keys()).filter(column => before[column] !== after[column]);
  return { columns, owners: columns.map(column => after[column]) };
}

// Columns without a load are worth a little: they too are dealt evenly.
function weightsOf(loads: Float64Array): Float64Array {
  const total = loads.reduce((sum, load) => sum + load, 0);
  return loads.map(load => load + (Math.max(total, 1) / loads.length) * 0.01);
}
