// The landing page: a building rotates slowly. In every frame, the page finds the parts of the building that
// clash, and their contact curves.
import type { Engine } from 'pfront';
import { building } from 'pfront/samples';
import { createPlayButton } from '../shell/controls.js';
import { curveOf } from '../shell/curve.js';
import { element, formatCount, formatMilliseconds, setText } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { BuildingView } from './buildingView.js';
import { rotateBuilding } from './rotateBuilding.js';

const RADIANS_A_SECOND = 0.12;
const FIRST_ANGLE = 0.55;

interface Found {
  /** Parts that clash. */
  parts: Set<number>;
  clashes: number;
  trianglePairs: number;
  /** x, y, z of both ends of each segment of all contact curves. */
  curves: number[];
  /** Number of queries, and their total time in milliseconds. */
  queryCount: number;
  milliseconds: number;
}

void start((engine: Engine) => {
  const model = building();
  const stage = new Stage(element('view'), 'z');
  const view = new BuildingView(stage, model);
  const play = createPlayButton();
  const meshes = model.meshes.map(mesh => engine.createMesh(mesh));
  const scene = engine.createScene();
  for (const { mesh } of model.parts) scene.add(meshes[mesh]!);
  let angle = FIRST_ANGLE;
  let mean = 0;
  let isFound = false;

  function search(matrices: Float64Array): Found {
    const begin = performance.now();
    scene.setTransforms(matrices);
    const { count, a, b, stats } = scene.detect().copy();
    const pairs = Array.from(
      { length: count },
      (_, i) => [scene.slotOf(a[i]!), scene.slotOf(b[i]!)] as const,
    );
    const found: Found = {
      parts: new Set(pairs.flat()),
      clashes: count,
      trianglePairs: 0,
      curves: [],
      queryCount: stats.tested + count,
      milliseconds: 0,
    };
    for (const [first, second] of pairs) {
      const segments = engine.query(meshes[model.parts[first]!.mesh]!, meshes[model.parts[second]!.mesh]!, {
        transformA: matrices.subarray(16 * first, 16 * first + 16),
        transformB: matrices.subarray(16 * second, 16 * second + 16),
        want: 'segments',
      });
      found.trianglePairs += segments.count;
      for (const value of curveOf(segments)) found.curves.push(value);
    }
    found.milliseconds = performance.now() - begin;
    return found;
  }

  setText('parts', formatCount(model.parts.length));
  startLoop(
    {
      frame(seconds) {
        let queryCount = 0;
        if (play.isOn || !isFound) {
          isFound = true;
          angle += RADIANS_A_SECOND * seconds;
          const matrices = rotateBuilding(model, angle);
          const found = search(matrices);
          view.move(matrices);
          view.highlight(found.parts);
          view.showCurves(found.curves);
          mean += (mean === 0 ? 1 : 0.1) * (found.milliseconds - mean);
          setText('clashes', formatCount(found.clashes));
          setText('triangle-pairs', formatCount(found.trianglePairs));
          setText('milliseconds', formatMilliseconds(mean));
          queryCount = found.queryCount;
        }
        stage.render();
        return queryCount;
      },
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    showError,
  );
});
