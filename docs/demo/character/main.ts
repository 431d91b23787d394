// The character page of the demo: capsules walk about in a level of 300,000 triangles. The user steers one of
// them with the keyboard. The page counts the casts of each frame and measures their time.
import type { Engine } from 'pfront';
import { createPlayButton, createSelect, createSlider } from '../shell/controls.js';
import { element, formatCount, formatMilliseconds, setText } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { CharacterView } from './characterView.js';
import { Crowd } from './crowd.js';
import { FollowCamera } from './followCamera.js';
import { watchKeys } from './keys.js';
import { makeLevel, meshOf } from './level.js';

const SHOW_EVERY = 150;
/** The first frames are slow, because the browser has not yet compiled the code. */
const FIRST_FRAMES = 10;

void start((engine: Engine) => {
  const parts = makeLevel();
  const level = engine.createMesh(meshOf(parts));
  const stage = new Stage(element('view'), 'y');
  const view = new CharacterView(stage, parts);
  const camera = new FollowCamera(stage);
  const keys = watchKeys();
  const play = createPlayButton();
  const chart = new TimeChart(element('chart'), [
    { label: 'Milliseconds', color: 'series-a', axis: 'left' },
    { label: 'Casts', color: 'series-c', axis: 'right' },
  ]);
  const count = createSelect('count', change);
  const speed = createSlider('speed', value => `${value} m/s`);
  const slope = createSlider('slope', value => `${value}°`);
  const step = createSlider('step', value => `${value.toFixed(2)} m`);
  let crowd: Crowd;
  let isFirst = true;
  let shownAt = 0;
  let mean = { casts: 0, milliseconds: 0 };
  let frames = 0;

  function change(): void {
    crowd = new Crowd(engine, level, Number(count.value));
    view.change(crowd.characters.length);
    mean = { casts: 0, milliseconds: 0 };
    frames = 0;
  }

  function advance(seconds: number): void {
    crowd.settings.maxSlope = (slope.value * Math.PI) / 180;
    crowd.settings.stepHeight = step.value;
    const steering = { direction: camera.directionOf(keys.direction), jumps: keys.jumps };
    crowd.step(seconds, speed.value, keys.isUsed ? steering : undefined);
    const weight = ++frames < FIRST_FRAMES ? 1 : 0.05;
    mean.casts += weight * (crowd.casts - mean.casts);
    mean.milliseconds += weight * (crowd.milliseconds - mean.milliseconds);
    chart.add([crowd.milliseconds, crowd.casts]);
  }

  function showCounts(): void {
    const { controller } = crowd.characters[0]!;
    setText('casts', formatCount(mean.casts));
    setText('per-character', (mean.casts / crowd.characters.length).toFixed(1));
    setText('milliseconds', formatMilliseconds(mean.milliseconds));
    setText('per-cast', ((1000 * mean.milliseconds) / Math.max(1, mean.casts)).toFixed(1));
    setText('place', controller.position.map(value => value.toFixed(1)).join(', '));
    setText('stands', controller.ground ? 'on the ground' : 'in the air');
  }

  setText('triangles', formatCount(level.triangleCount));
  // Controls of the page receive the keys while they have the focus. A click into the view removes this focus.
  stage.view.addEventListener('pointerdown', () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  change();
  startLoop(
    {
      frame(seconds) {
        const isMoving = play.isOn || isFirst;
        isFirst = false;
        if (isMoving) advance(seconds);
        view.show(crowd.characters);
        camera.follow(engine, level, crowd.characters[0]!.controller.position, seconds);
        const now = performance.now();
        if (now - shownAt > SHOW_EVERY) {
          shownAt = now;
          showCounts();
        }
        stage.render();
        return isMoving ? crowd.casts + 1 : 1;
      },
      play,
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    showError,
  );
});
