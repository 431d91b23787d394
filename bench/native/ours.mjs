// Lists pfront's entries for a comparison with native libraries, on 1 and on 2 threads. Each entry runs in
// its own process. Run `npm run build` first, and set these environment variables: MEASURE_DIR (the
// comparison's folder, with run.mjs), PEERS_DIR (the folder in which the other libraries are installed),
// MESH_BUNNY and MESH_DRAGON (the paths of two scans, OBJ or PLY, gzipped or not; default: the files in
// $MEASURE_DIR/../data/mesh). For example, this command runs the workloads w1 (two meshes) and w4 (build and
// refit):
//   node "$MEASURE_DIR/run.mjs" --add bench/native/ours.mjs --base pfront-1t --only w1,w4 --contenders
//   pfront,fclf,embree,three-mesh-bvh
// Times are medians in ms; pairs are compared by count and digest. oursContender.mjs describes what each run
// includes.
import { fileURLToPath } from 'node:url';

const js = fileURLToPath(new URL('./oursContender.mjs', import.meta.url));
export const entry = [
  { name: 'pfront-1t', js, threads: 1 },
  { name: 'pfront-2t', js, threads: 2 },
  { name: 'pfront-sorted', js, variant: 'sorted', threads: 1 },
];
