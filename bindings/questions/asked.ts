// Two placed meshes -> their surfaces and the triangles that meet, as the engine's own fronts find them.
import type { EngineHost } from '../feature.js';
import { PairRecord } from '../layout.js';
import type { Mesh } from '../mesh.js';
import type { QueryOptions } from '../options.js';
import type { StartingFront } from '../systems/startingFront.js';
import type { TrianglesThatMeet } from './overlap.js';
import { Surface } from './surface.js';

/** Where two meshes are; both may be left out. */
export type Placements = Pick<QueryOptions, 'transformA' | 'transformB'>;

/** Two placed meshes and all their triangles that meet, sorted. */
export interface Asked { a: Surface; b: Surface; pairs: TrianglesThatMeet }

/** Fewer leaves than this are not worth a second thread. */
const FEW_LEAVES = 512;

/** fronts: kept from question to question of the same two meshes. @throws InvalidTransform, Unsupported, Disposed, Capacity */
export function askPairs(host: EngineHost, a: Mesh, b: Mesh, placements: Placements, fronts: (StartingFront | undefined)[]): Asked {
  const { backend: { arena, pool }, writer } = host;
  const surfaces: Surface[] = [];
  host.run('run', (system) => {
    const trees = writer.write(system, [{ a, b, ...placements }]), record = system.pairs.at, { at } = PairRecord;
    const rows = (placed: number, placement: number): Float64Array | undefined =>
      arena.u32[(record + placed) / 4] ? arena.f64.slice((record + placement) / 8, (record + placement) / 8 + 12) : undefined;
    const [first, second] = [rows(at.placedA, at.placementA), rows(at.placedB, at.placementB)];
    const isSwapped = writer.swapped[0] === 1;
    surfaces[0] = new Surface(a, isSwapped ? second : first);
    surfaces[1] = new Surface(b, isSwapped ? first : second);
    return trees;
  }, { parts: host.owns(a) && host.owns(b) && a.leafCount + b.leafCount < FEW_LEAVES ? 1 : pool.threadCount }, fronts);
  const { aAt, bAt, count } = host.join(1, writer.swapped);
  const list = (at: number): Uint32Array => arena.u32.slice(at / 4, at / 4 + count);
  return { a: surfaces[0]!, b: surfaces[1]!, pairs: { a: list(aAt), b: list(bAt) } };
}
