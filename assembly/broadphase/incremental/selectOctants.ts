// Selects the octants that lie inside an octant of a moved box or contain an octant of a moved box. Only the
// boxes of these octants can overlap a moved box. Each slice writes its selected octants to the front of its
// range of the output. Uses the results of `findMovedOctants`. Octants are sorted in pre-order: an octant
// comes after the octants that contain it and before the octants that it contains.
import { NOTHING, OctantCounts, OctreeJob } from '../../records';
import { AFTER_ALL, maxKeyWithin, octantFrom } from '../octree/octants';

export function selectOctants(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, OctreeJob.keysAt);
  const ids: usize = load<u32>(jobAt, OctreeJob.idsAt);
  const moved: usize = load<u32>(jobAt, OctreeJob.movedAt);
  const toKeys: usize = load<u32>(jobAt, OctreeJob.toKeysAt);
  const toIds: usize = load<u32>(jobAt, OctreeJob.toIdsAt);
  for (let slice = begin; slice < end; slice++) {
    const counts = <usize>load<u32>(jobAt, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE;
    const first = octantFrom(jobAt, slice);
    const last = octantFrom(jobAt, <u64>slice + 1);
    const later = firstMovedFrom(jobAt, slice + 1);
    let next = firstMovedFrom(jobAt, slice);
    let nextKey = keyAt(keys, next);
    let movedEnd = endBefore(jobAt, slice);
    let top = (<usize>first) << 2;
    for (let i = first; i < last; i++) {
      const key = load<u32>(keys + ((<usize>i) << 2));
      store<u32>(toKeys + top, key);
      store<u32>(toIds + top, load<u32>(ids + ((<usize>i) << 2)));
      if (key <= movedEnd || nextKey <= maxKeyWithin(key)) top += 4;
      if (i != next) continue;
      movedEnd = max(movedEnd, maxKeyWithin(key));
      do next++;
      while (next < last && load<u8>(moved + <usize>load<u32>(ids + ((<usize>next) << 2))) == 0);
      if (next == last) next = later;
      nextKey = keyAt(keys, next);
    }
    store<u32>(counts, <u32>(top >> 2) - first, OctantCounts.selected);
  }
}

// Returns the index of the first octant that belongs to a moved box, in this slice or a later slice. Returns
// NOTHING if there is no such octant.
function firstMovedFrom(job: usize, slice: u32): u32 {
  const sliceCount = load<u32>(job, OctreeJob.sliceCount);
  let next = NOTHING;
  for (; slice < sliceCount && next == NOTHING; slice++)
    next = load<u32>(
      <usize>load<u32>(job, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE,
      OctantCounts.firstMoved,
    );
  return next;
}

// Considers the octants of moved boxes in all earlier slices. Returns an upper bound of the keys of all octants
// that lie inside one of them.
function endBefore(job: usize, slice: u32): u32 {
  let end: u32 = 0;
  for (let other: u32 = 0; other < slice; other++)
    end = max(
      end,
      load<u32>(
        <usize>load<u32>(job, OctreeJob.countsAt) + <usize>other * OctantCounts.SIZE,
        OctantCounts.movedEnd,
      ),
    );
  return end;
}

function keyAt(keys: usize, i: u32): u32 {
  return i == NOTHING ? AFTER_ALL : load<u32>(keys + ((<usize>i) << 2));
}
