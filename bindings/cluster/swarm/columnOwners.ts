// Assigns columns to members as they join and leave: each member gets about the same load, in runs of
// neighboring columns.
import { memberLoads } from './balance.js';
import type { Columns } from './columns.js';

/**
 * Assigns all columns: one sub-space per member if their numbers match, otherwise runs of neighboring columns
 * of equal load.
 */
export function assignAllColumns(
  columns: Columns,
  members: readonly number[],
  loads: Float64Array,
): Uint32Array {
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

/** Reassigns the columns of nodes that are no longer members to the members with the least load. */
export function reassignLostColumns(
  columns: Columns,
  members: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
): Uint32Array {
  const assigned = owners.slice();
  const weights = weightsOf(loads);
  const sums = memberLoads(members, owners, weights);
  const share = weights.reduce((sum, weight) => sum + weight, 0) / members.length;
  const leastLoaded = (): number =>
    members.reduce((best, id) => (sums.get(id)! < sums.get(best)! ? id : best));
  let receiver = leastLoaded();
  for (const column of columns.serpentine()) {
    if (sums.has(owners[column])) continue;
    if (sums.get(receiver)! >= share) receiver = leastLoaded();
    assigned[column] = receiver;
    sums.set(receiver, sums.get(receiver)! + weights[column]);
  }
  return assigned;
}

/** Gives new members columns of the most loaded members, until they have their share. */
export function assignToNewMembers(
  columns: Columns,
  members: readonly number[],
  newMembers: readonly number[],
  owners: Uint32Array,
  loads: Float64Array,
): Uint32Array {
  const assigned = owners.slice();
  const weights = weightsOf(loads);
  const share = weights.reduce((sum, weight) => sum + weight, 0) / members.length;
  // Each column given away is the giver's next one along the serpentine order, so that the receiver's columns
  // are adjacent.
  const order = columns.serpentine();
  for (const receiver of newMembers) {
    const sums = memberLoads(members, assigned, weights);
    for (;;) {
      const giver = members.reduce((best, id) => (sums.get(id)! > sums.get(best)! ? id : best));
      const column = giver === receiver ? undefined : order.find(place => assigned[place] === giver);
      if (column === undefined || sums.get(receiver)! + weights[column] / 2 > share) break;
      assigned[column] = receiver;
      sums.set(receiver, sums.get(receiver)! + weights[column]);
      sums.set(giver, sums.get(giver)! - weights[column]);
    }
  }
  return assigned;
}

/** Returns the columns whose owner differs between two assignments, with the new owners. */
export function ownerChanges(
  before: Uint32Array,
  after: Uint32Array,
): { columns: Uint32Array; owners: Uint32Array } {
  const columns = Uint32Array.from(after.keys()).filter(column => before[column] !== after[column]);
  return { columns, owners: columns.map(column => after[column]) };
}

// Columns without a load get a small weight, so that they are distributed evenly, too.
function weightsOf(loads: Float64Array): Float64Array {
  const total = loads.reduce((sum, load) => sum + load, 0);
  return loads.map(load => load + (Math.max(total, 1) / loads.length) * 0.01);
}
