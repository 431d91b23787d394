// The measures page: one body moves through another and back. Shows distance, contact curve and penetration
// depth.
import type { Engine, PairClass } from 'pfront';
import type { Scene } from 'pfront/scenes';
import { choice, playing, range } from '../shell/controls.js';
import { count, element, milliseconds, show } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { fail, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { MeasuresView } from './measuresView.js';
import { type Measures, Measuring } from './measuring.js';
import { measuredPair, type Shape, STEPS } from './pairs.js';

/** Seconds from one side to the other. */
const WAY_SECONDS = 16;
const SHOW_EVERY = 120;

const words: Record<PairClass, { name: string; hint: string }> = {
  apart: { name: 'Apart', hint: 'The distance is greater than the clearance.' },
  clearance: {
    name: 'Within the clearance',
    hint: 'They do not touch, but their distance is at most the clearance.',
  },
  touch: { name: 'Touching', hint: 'They touch at points or along lines, without penetration.' },
  coplanar: { name: 'Coplanar', hint: 'They touch along faces, without penetration.' },
  hard: {
    name: 'Penetrating',
    hint: 'They penetrate each other. The dashed line shows how far the moving body must move to separate.',
  },
  contained: {
    name: 'Contained',
    hint: 'One lies entirely inside the other, and their surfaces do not touch.',
  },
};

void start((engine: Engine) => {
  const stage = new Stage(element('view'), 'y');
  const view = new MeasuresView(stage);
  const measuring = new Measuring(engine);
  const chart = new TimeChart(element('chart'), [
    { label: 'Distance', colour: 'series-a', axis: 'left' },
    { label: 'Penetration depth', colour: 'series-c', axis: 'right' },
  ]);
  const play = playing();
  const place = range('place', value => `${Math.round(100 * value)} %`);
  const clearance = range('clearance', value => value.toFixed(2));
  const shape = choice<Shape>('shape', change);
  let pair: Scene;
  let way = 1;
  let shownAt = 0;

  function change(): void {
    pair = measuredPair(shape.value);
    measuring.change(pair.meshes);
    view.change(pair, STEPS);
  }

  function move(seconds: number): void {
    const next = place.value + (way * seconds) / WAY_SECONDS;
    if (next <= 0 || next >= 1) way = next <= 0 ? 1 : -1;
    place.set(next);
  }

  function tell({ pairClass, distance, depth, near, segments, length, time }: Measures): void {
    const now = performance.now();
    if (now - shownAt <= SHOW_EVERY) return;
    shownAt = now;
    show('class', words[pairClass].name);
    show('class-hint', words[pairClass].hint);
    show('distance', distance.toFixed(4));
    show('depth', depth.toFixed(4));
    show('near', count(near));
    show('segments', count(segments));
    show('curve', length.toFixed(3));
    show('milliseconds', milliseconds(time));
  }

  change();
  startLoop(
    {
      frame(seconds) {
        if (play.isOn) move(seconds);
        const matrices = pair.frame(STEPS * place.value);
        const measures = measuring.ask(matrices, clearance.value);
        view.move(matrices);
        view.showNearest(measures.nearest);
        view.showCurve(measures.curve);
        view.showWayOut(measures.from, measures.way);
        chart.add([measures.distance, measures.depth]);
        tell(measures);
        stage.render();
        return measures.asked;
      },
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    fail,
  );
});
