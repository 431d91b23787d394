// The measures page of the demo: one body moves through another and back. The page shows their distance,
// contact curve and penetration depth.
import type { Engine, PairClass } from 'pfront';
import type { Scene } from 'pfront/samples';
import { createPlayButton, createSelect, createSlider } from '../shell/controls.js';
import { element, formatCount, formatMilliseconds, setText } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { MeasuresView } from './measuresView.js';
import { type Measures, PairMeasurement } from './pairMeasurement.js';
import { measuredPair, type Shape, STEPS } from './pairs.js';

/** Seconds that the moving body takes from one end of its path to the other. */
const PASS_SECONDS = 16;
const SHOW_EVERY = 120;

const words: Record<PairClass, { name: string; hint: string }> = {
  apart: { name: 'Apart', hint: 'The distance is greater than the clearance.' },
  clearance: {
    name: 'Within the clearance',
    hint: 'The bodies do not touch, but their distance is at most the clearance.',
  },
  touch: { name: 'Touching', hint: 'The bodies touch at points or along lines, without penetration.' },
  coplanar: { name: 'Coplanar', hint: 'The bodies touch along faces, without penetration.' },
  hard: {
    name: 'Penetrating',
    hint: 'The bodies penetrate each other. The dashed line shows how far the moving body must move to separate.',
  },
  contained: {
    name: 'Contained',
    hint: 'One body lies entirely inside the other, and their surfaces do not touch.',
  },
};

void start((engine: Engine) => {
  const stage = new Stage(element('view'), 'y');
  const view = new MeasuresView(stage);
  const measuring = new PairMeasurement(engine);
  const chart = new TimeChart(element('chart'), [
    { label: 'Distance', color: 'series-a', axis: 'left' },
    { label: 'Penetration depth', color: 'series-c', axis: 'right' },
  ]);
  const play = createPlayButton();
  const place = createSlider('place', value => `${Math.round(100 * value)} %`);
  const clearance = createSlider('clearance', value => value.toFixed(2));
  const shape = createSelect<Shape>('shape', change);
  let pair: Scene;
  let direction = 1;
  let shownAt = 0;

  function change(): void {
    pair = measuredPair(shape.value);
    measuring.change(pair.meshes);
    view.change(pair, STEPS);
  }

  function move(seconds: number): void {
    const next = place.value + (direction * seconds) / PASS_SECONDS;
    if (next <= 0 || next >= 1) direction = next <= 0 ? 1 : -1;
    place.set(next);
  }

  function showMeasures({ pairClass, distance, depth, near, segments, length, time }: Measures): void {
    const now = performance.now();
    if (now - shownAt <= SHOW_EVERY) return;
    shownAt = now;
    setText('class', words[pairClass].name);
    setText('class-hint', words[pairClass].hint);
    setText('distance', distance.toFixed(4));
    setText('depth', depth.toFixed(4));
    setText('near', formatCount(near));
    setText('segments', formatCount(segments));
    setText('curve', length.toFixed(3));
    setText('milliseconds', formatMilliseconds(time));
  }

  change();
  startLoop(
    {
      frame(seconds) {
        if (play.isOn) move(seconds);
        const matrices = pair.frame(STEPS * place.value);
        const measures = measuring.measure(matrices, clearance.value);
        view.move(matrices);
        view.showNearest(measures.nearest);
        view.showCurve(measures.curve);
        view.showSeparation(measures.from, measures.translation);
        chart.add([measures.distance, measures.depth]);
        showMeasures(measures);
        stage.render();
        return measures.queryCount;
      },
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    showError,
  );
});
