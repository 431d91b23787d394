// The scans page: one mesh goes through another and back, and the front is charted.
import type { Engine, Mesh } from 'pfront';
import type { Scene } from 'pfront/scenes';
import { choice, playing, range } from '../shell/controls.js';
import { count, element, input, milliseconds, show } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { fail, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { scanPair, STEPS, type Shape } from './pairs.js';
import { PairView } from './pairView.js';

/** Seconds from one side to the other. */
const WAY_SECONDS = 12;
const SHOW_EVERY = 120;

void start((engine: Engine) => {
  const stage = new Stage(element('view'), 'y'), view = new PairView(stage);
  const chart = new TimeChart(element('chart'), [
    { label: 'Front nodes', colour: 'series-a', axis: 'left' }, { label: 'Milliseconds', colour: 'series-c', axis: 'right' },
  ]);
  const play = playing(), coherence = input('coherence');
  const place = range('place', (value) => `${Math.round(100 * value)} %`), parts = range('parts', String);
  const shape = choice<Shape>('shape', change), detail = choice('detail', change);
  let pair: Scene, meshes: Mesh[] = [], way = 1, shownAt = 0;

  function change(): void {
    for (const mesh of meshes) mesh.dispose();
    pair = scanPair(shape.value, Number(detail.value));
    meshes = pair.meshes.map((mesh) => engine.createMesh(mesh));
    view.change(pair, STEPS);
    show('triangles', count(pair.meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0)));
  }

  function move(seconds: number): void {
    const next = place.value + (way * seconds) / WAY_SECONDS;
    if (next <= 0 || next >= 1) way = next <= 0 ? 1 : -1;
    place.set(next);
  }

  change();
  startLoop({
    frame(seconds) {
      if (play.isOn) move(seconds);
      const matrices = pair.frame(STEPS * place.value);
      const hits = engine.query(meshes[0]!, meshes[1]!, {
        transformA: matrices.subarray(0, 16), transformB: matrices.subarray(16, 32), parts: parts.value, coherence: coherence.checked ? 'on' : 'off',
      });
      const { frontNodes, milliseconds: time } = hits.stats, now = performance.now();
      view.move(matrices, hits);
      chart.add([frontNodes, time]);
      if (now - shownAt > SHOW_EVERY) {
        shownAt = now;
        show('triangle-pairs', count(hits.count));
        show('milliseconds', milliseconds(time));
        show('front-nodes', count(frontNodes));
        show('parts-hint', partsHint(parts.value, engine.info.threads));
      }
      stage.render();
      return 1;
    },
    onSlow: () => { stage.lowerResolution(); },
  }, fail);
});

function partsHint(parts: number, threads: number): string {
  if (parts === 1) return 'One list needs no front: the roots are the whole of it.';
  if (parts <= threads) return `Each of the ${parts} lists runs on a thread of its own.`;
  return `More lists than the ${threads === 1 ? 'one thread' : `${threads} threads`} here: they run in turn, as on ${parts} equal threads.`;
}
