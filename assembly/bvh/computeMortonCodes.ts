// Computes a sort key for each triangle: the 30-bit Morton code of the center of its box. Each key is later
// sorted together with the number of its triangle. Each slice also writes one box that contains all its
// triangles.
import { MeshRecord, MortonJob, SliceBox } from '../records';
import { add, load4, max4, min4, mul, splat, sub } from '../simd/lanes';
import { mortonCode } from './morton';

function corner(positions: usize, vertex: u32): v128 {
  return load4(positions + <usize>vertex * 12);
}

export function computeMortonCodes(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, MortonJob.meshAt);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const indices: usize = load<u32>(mesh, MeshRecord.indicesAt);
  const codes: usize = load<u32>(jobAt, MortonJob.codesAt);
  const ids: usize = load<u32>(jobAt, MortonJob.idsAt);
  const count: u64 = load<u32>(mesh, MeshRecord.triangleCount);
  const sliceCount: u64 = load<u32>(jobAt, MortonJob.sliceCount);
  const center = load4(mesh, MeshRecord.centerX);
  const scale = v128.load32_splat(mesh, MeshRecord.scale);
  const offset = load4(jobAt, MortonJob.offset);
  const factor = v128.load32_splat(jobAt, MortonJob.factor);
  const top = splat(1023);
  for (let slice: u64 = begin; slice < end; slice++) {
    let low = splat(Infinity);
    let high = splat(-Infinity);
    const last = <u32>(((slice + 1) * count) / sliceCount);
    for (let id = <u32>((slice * count) / sliceCount); id < last; id++) {
      const index = indices + <usize>id * 12;
      const a = corner(positions, load<u32>(index));
      const b = corner(positions, load<u32>(index, 4));
      const c = corner(positions, load<u32>(index, 8));
      const boxLow = mul(sub(min4(a, min4(b, c)), center), scale);
      const boxHigh = mul(sub(max4(a, max4(b, c)), center), scale);
      low = min4(low, boxLow);
      high = max4(high, boxHigh);
      const place = mul(sub(add(boxLow, boxHigh), offset), factor);
      // Adding 2^23 to a float rounds it to an integer, which is then in the low bits. The unused lane is
      // ignored.
      store<u32>(
        codes + ((<usize>id) << 2),
        mortonCode(add(min4(max4(splat(0), place), top), splat(8388608))),
      );
      store<u32>(ids + ((<usize>id) << 2), id);
    }
    const box = <usize>load<u32>(jobAt, MortonJob.boxesAt) + <usize>slice * SliceBox.SIZE;
    v128.store(box, low, SliceBox.low);
    v128.store(box, high, SliceBox.high);
  }
}
