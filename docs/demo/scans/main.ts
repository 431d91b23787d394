// The scans page of the demo: one mesh moves through another and back. A chart shows the number of nodes of
// the front, which are the pairs of tree nodes at which a query starts.
import type { Engine } from 'pfront';
import type { Scene } from 'pfront/samples';
import { createPlayButton, createSelect, createSlider } from '../shell/controls.js';
import { element, formatCount, formatMilliseconds, input, setText } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { chooseBackend } from './backendChoice.js';
import { PairQuery, type QueryResult } from './pairQuery.js';
import { type Shape, STEPS, scanPair } from './pairs.js';
import { PairView } from './pairView.js';

/** Seconds that the moving mesh takes from one end of its path to the other. */
const PASS_SECONDS = 12;
const SHOW_EVERY = 120;

void start((first: Engine) => {
  const stage = new Stage(element('view'), 'y');
  const view = new PairView(stage);
  const chart = new TimeChart(element('chart'), [
    { label: 'Front nodes', color: 'series-a', axis: 'left' },
    { label: 'Milliseconds', color: 'series-c', axis: 'right' },
  ]);
  const play = createPlayButton();
  const coherence = input('coherence');
  const place = createSlider('place', value => `${Math.round(100 * value)} %`);
  const parts = createSlider('parts', String);
  const shape = createSelect<Shape>('shape', change);
  const detail = createSelect('detail', change);
  let pair: Scene;
  let pairQuery: PairQuery;
  let direction = 1;
  let shownAt = 0;

  function change(): void {
    pair = scanPair(shape.value, Number(detail.value));
    pairQuery.change(pair.meshes);
    view.change(pair, STEPS);
    setText('triangles', formatCount(pair.meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0)));
  }

  function move(seconds: number): void {
    const next = place.value + (direction * seconds) / PASS_SECONDS;
    if (next <= 0 || next >= 1) direction = next <= 0 ? 1 : -1;
    place.set(next);
  }

  function showResult({ matrices, hits, frontNodes, time }: QueryResult): void {
    const now = performance.now();
    view.move(matrices, hits);
    chart.add([frontNodes, time]);
    if (now - shownAt <= SHOW_EVERY) return;
    shownAt = now;
    setText('triangle-pairs', formatCount(hits.count));
    setText('milliseconds', formatMilliseconds(time));
    setText('front-nodes', formatCount(frontNodes));
    setText(
      'parts-hint',
      pairQuery.isOnGpu
        ? 'A GPU uses no work lists: each node of the front is a separate work item.'
        : partsHint(parts.value, first.info.threads),
    );
  }

  chooseBackend(first, engine => {
    pairQuery = new PairQuery(engine);
    input('parts').disabled = pairQuery.isOnGpu;
    change();
  });
  startLoop(
    {
      frame(seconds) {
        if (play.isOn) move(seconds);
        const matrices = pair.frame(STEPS * place.value);
        const answer = pairQuery.query(matrices, {
          parts: parts.value,
          coherence: coherence.checked ? 'on' : 'off',
        });
        if (answer) showResult(answer);
        stage.render();
        return answer ? 1 : 0;
      },
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    showError,
  );
});

function partsHint(parts: number, threads: number): string {
  if (parts === 1) return 'A single work list needs no front: the query starts at the pair of roots.';
  if (parts <= threads) return `Each of the ${parts} work lists runs on its own thread.`;
  return `There are more work lists than threads (${threads}), so threads run several lists one after the other.`;
}
