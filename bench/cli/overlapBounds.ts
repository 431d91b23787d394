// Counts the hard clashes of the sample models. Also counts the clashes whose lower and upper bound of the
// overlap depth are within 1 % of each other, and does the same for the separation and for the volume. The
// overlap has a depth only if both parts are closed. Some parts that touch in the model overlap because of
// rounding to float32. So clashes whose overlap depth exceeds the rounding error are also counted separately.
import { existsSync } from 'node:fs';
import { readOptions } from '../../dist/cli/clash/options.js';
import { maxCoordinate } from '../../dist/cli/clash/roundingNoise.js';
import { search } from '../../dist/cli/clash/search.js';
import { dataPath } from '../../test/support/data.js';
import { isQuick, Report } from '../support/report.js';

/** Each model: its name, its files, and further options of `pfront clash`. */
const MODELS: [name: string, files: string[], ...options: string[]][] = [
  ['boolean-28parts', ['assembly/boolean-28parts.glb']],
  ['2CylinderEngine', ['assembly/2CylinderEngine.glb']],
  ['duplex', ['bim/duplex.ifc.gz']],
  ['ipc-two-cubes', ['mesh/ipc-two-cubes-intersecting.ply.gz'], '--split', 'components'],
  ['fcl-env, fcl-rob', ['mesh/fcl-env.obj.gz', 'mesh/fcl-rob.obj.gz']],
  ['manifold-Cray', ['mesh/manifold-Cray_left.obj.gz', 'mesh/manifold-Cray_right.obj.gz']],
  [
    'manifold-Havocglass8',
    ['mesh/manifold-Havocglass8_left.obj.gz', 'mesh/manifold-Havocglass8_right.obj.gz'],
  ],
  [
    'manifold-self_intersect',
    ['mesh/manifold-self_intersectA.obj.gz', 'mesh/manifold-self_intersectB.obj.gz'],
  ],
];
const IDLE = { begin() {}, step() {}, end() {} };
/** Bounds are close if the upper bound exceeds the lower one by at most this share. */
const SHARE = 0.01;
/** Rounding to float32 changes a coordinate by at most this share. */
const FLOAT32_ERROR = 2 ** -24;

interface Bounds {
  lower: number;
  upper: number;
}
const isClose = (bounds: Bounds | undefined): boolean =>
  bounds !== undefined && bounds.upper <= bounds.lower * (1 + SHARE);

const report = new Report('overlapBounds');
const totals = { 'all models': [0, 0, 0], 'all models, deeper than rounding': [0, 0, 0] };
for (const [scene, files, ...options] of isQuick ? MODELS.slice(0, 1) : MODELS) {
  if (!existsSync(dataPath(files[0]!))) continue;
  const { listed, parts } = await search(
    readOptions([...files.map(dataPath), ...options, '--classes', 'hard']),
    IDLE,
  );
  // Parts with the same triangles are not measured, but reported as duplicates.
  const hard = listed.filter(({ isDuplicate }) => !isDuplicate);
  const closed = hard.filter(({ overlapDepth }) => overlapDepth);
  const measured = closed.filter(({ volume }) => volume);
  const add = (measure: string, median: number): void =>
    report.add({ scene, measure, variant: 'pfront', unit: 'count', n: 1, median });
  const countClose = (name: 'overlapDepth' | 'separation' | 'volume'): number =>
    hard.filter(({ [name]: bounds }) => isClose(bounds)).length;
  add('hard clashes', hard.length);
  add('hard clashes with a depth', closed.length);
  add('depth within 1 %', countClose('overlapDepth'));
  add('separation within 1 %', countClose('separation'));
  add('hard clashes with a volume', measured.length);
  add('volume within 1 %', countClose('volume'));
  const rounding = FLOAT32_ERROR * maxCoordinate(parts);
  for (const [name, some] of [
    ['all models', closed],
    ['all models, deeper than rounding', closed.filter(({ overlapDepth }) => overlapDepth!.upper > rounding)],
  ] as const) {
    totals[name][0] += some.length;
    totals[name][1] += some.filter(
      ({ overlapDepth, volume }) => isClose(overlapDepth) && (!volume || isClose(volume)),
    ).length;
    totals[name][2] += some.filter(({ separation }) => isClose(separation)).length;
  }
}
for (const [scene, [measured, close, separated]] of Object.entries(totals))
  for (const [measure, count] of [
    ['depth and volume within 1 %', close],
    ['separation within 1 %', separated],
  ] as const)
    if (measured! > 0)
      report.add({
        scene,
        measure,
        variant: 'pfront',
        unit: 'share',
        n: measured!,
        median: count! / measured!,
        note: `${count} of ${measured} hard clashes with a depth`,
      });
report.save();
