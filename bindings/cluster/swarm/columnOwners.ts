// Assigns the columns of the ground to the members (nodes) of a swarm, which is a simulation of moving bodies.
// This is done at the start, and when members join or leave. Each member gets runs of neighboring columns with
// about the same total load.
import { memberLoads } from './balance.js';
import type { Columns } from './columns.js';

/**
 * Assigns all columns. If there are as many sub-spaces as members, each member gets one sub-space. Otherwise,
 * each member gets a run of neighboring columns, and all runs have about equal load.
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

/** Assigns the columns of nodes that are no longer members to the least loaded members. */
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
  const minLoadMember = (): number =>
    members.reduce((best, id) => (sums.get(id)! < sums.get(best)! ? id : best));
  let receiver = minLoadMember();
  for (const column of columns.serpentine()) {
    if (sums.has(owners[column])) continue;
    if (sums.get(receiver)! >= share) receiver = minLoadMember();
    assigned[column] = receiver;
    sums.set(receiver, sums.get(receiver)! + weights[column]);
  }
  return assigned;
}

/**
 * Moves columns from the most loaded members to new members, until each new member has about the mean load.
 */
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
  // A giver gives away its columns in serpentine order, so that most of the columns that a receiver gets from
  // one giver are neighbors.
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

/** Returns the columns whose owner differs between two assignments, and their new owners. */
export function ownerChanges(
  before: Uint32Array,
  after: Uint32Array,
): { columns: Uint32Array; owners: Uint32Array } {
  const columns = Uint32Array.from(after.keys()).filter(column => before[column] !== after[column]);
  return { columns, owners: columns.map(column => after[column]) };
}

// Returns the loads plus a small weight for each column, so that columns without load are distributed evenly.
function weightsOf(loads: Float64Array): Float64Array {
  const total = loads.reduce((sum, load) => sum + load, 0);
  return loads.map(load => load + (Math.max(total, 1) / loads.length) * 0.01);
}
