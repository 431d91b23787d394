// Writes a BuildRecord (normalized box and triangle number) for each triangle of a mesh. Each slice also
// writes one box that contains all its triangles.
import { BoundTrianglesJob, BuildRecord, MeshRecord, SliceBox } from '../records';
import { load4, max4, min4, mul, sub } from '../simd/lanes';

function corner(positions: usize, vertex: u32): v128 {
  return load4(positions + <usize>vertex * 12);
}

export function boundTriangles(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, BoundTrianglesJob.meshAt);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const indices: usize = load<u32>(mesh, MeshRecord.indicesAt);
  const count: u64 = load<u32>(mesh, MeshRecord.triangleCount);
  const sliceCount: u64 = load<u32>(jobAt, BoundTrianglesJob.sliceCount);
  const center = load4(mesh, MeshRecord.centerX);
  const scale = v128.load32_splat(mesh, MeshRecord.scale);
  for (let slice: u64 = begin; slice < end; slice++) {
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    const last = <u32>(((slice + 1) * count) / sliceCount);
    for (let id = <u32>((slice * count) / sliceCount); id < last; id++) {
      const index = indices + <usize>id * 12;
      const a = corner(positions, load<u32>(index));
      const b = corner(positions, load<u32>(index, 4));
      const c = corner(positions, load<u32>(index, 8));
      // Rounding is monotonic, so normalizing the box gives the same result as normalizing the corners.
      const boxLow = mul(sub(min4(a, min4(b, c)), center), scale);
      const boxHigh = mul(sub(max4(a, max4(b, c)), center), scale);
      low = min4(low, boxLow);
      high = max4(high, boxHigh);
      const record: usize =
        <usize>load<u32>(jobAt, BoundTrianglesJob.recordsAt) + <usize>id * BuildRecord.SIZE;
      v128.store(record, i32x4.replace_lane(boxLow, 3, id), BuildRecord.minX);
      // The unused lane holds an ordinary float, because sums with denormal floats are slow.
      v128.store(record, f32x4.replace_lane(boxHigh, 3, 1), BuildRecord.maxX);
    }
    const box: usize = <usize>load<u32>(jobAt, BoundTrianglesJob.boxesAt) + <usize>slice * SliceBox.SIZE;
    v128.store(box, low, SliceBox.low);
    v128.store(box, high, SliceBox.high);
  }
}
