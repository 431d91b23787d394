// The bullets page of the demo: fires the same shots at thin walls in two worlds, one with discrete and one
// with continuous collision detection. Counts the hits that discrete detection misses.
import type { Engine } from 'pfront';
import { createPlayButton, createSelect, createSlider } from '../shell/controls.js';
import { element, formatCount, formatMilliseconds, select, setText } from '../shell/elements.js';
import { chooseThreads } from '../shell/engineChoice.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { BulletView } from './bulletView.js';
import { BulletWorld } from './bulletWorld.js';
import { LENGTH, type Shot, Shots } from './shots.js';
import { makeWalls } from './walls.js';

const SHOW_EVERY = 150;
/**
 * A bullet that hits a wall in the continuous world stops just before the contact: at this fraction of the way
 * from its position at the start of the step to the contact.
 */
const STOP_FRACTION = 0.999;

void start((first: Engine) => {
  const walls = makeWalls();
  const stage = new Stage(element('view'), 'z');
  const view = new BulletView(stage, walls);
  const play = createPlayButton();
  const chart = new TimeChart(element('chart'), [
    { label: 'Discrete', color: 'series-a', axis: 'left' },
    { label: 'Continuous', color: 'series-c', axis: 'left' },
  ]);
  const speed = createSlider(
    'speed',
    value => `${value.toFixed(2)} m per step, ${(value / LENGTH).toFixed(1)} bullet lengths`,
  );
  const bullets = createSelect('count', onManualChoice);
  let engine = first;
  let worlds: [BulletWorld, BulletWorld];
  let shots: Shots;
  let hits = [0, 0];
  let missed = new Map<Shot, number>();
  let misses = 0;
  let shownAt = 0;
  let isByHand = false;
  let isFirst = true;

  function change(): void {
    shots = new Shots(Number(bullets.value));
    view.change(shots.all.length);
    missed = new Map();
    hits = [0, 0];
    misses = 0;
    fill();
  }

  function fill(): void {
    worlds = [0, 1].map(() => new BulletWorld(engine, walls, shots.all.length)) as [BulletWorld, BulletWorld];
  }

  function onManualChoice(): void {
    isByHand = true;
    setText('pace', '');
    change();
  }

  function reduceLoad(): void {
    const list = select('count');
    if (stage.lowerResolution() || isByHand || list.selectedIndex === 0) return;
    list.selectedIndex--;
    setText(
      'pace',
      `Frames were slow, so the number of bullets was reduced to ${formatCount(Number(list.value))}. You can choose more.`,
    );
    change();
  }

  function step(): void {
    for (const shot of shots.step(speed.value)) missed.delete(shot);
    const [discreteHits, continuousHits] = [
      worlds[0].findHits(shots.all, 0),
      worlds[1].findHits(shots.all, 1),
    ];
    for (const { bullet, toi } of continuousHits.values()) {
      const shot = shots.all[bullet]!;
      const [other, own] = shot.flights;
      own.at = own.before + STOP_FRACTION * toi * (own.at - own.before);
      own.state = 'hit';
      hits[1]!++;
      // The bullet in the discrete world moved along the same path, so its hit should have been found in this
      // step, too.
      if (other.state === 'flying' && !discreteHits.has(bullet)) {
        missed.set(shot, own.at);
        misses++;
      }
    }
    for (const { bullet } of discreteHits.values()) {
      shots.all[bullet]!.flights[0].state = 'hit';
      hits[0]!++;
    }
    chart.add(worlds.map(one => one.milliseconds));
  }

  function showCounts(): void {
    setText('seen', formatCount(hits[0]!));
    setText('swept', formatCount(hits[1]!));
    setText('missed', formatCount(misses));
    setText('share', hits[1] === 0 ? '–' : `${((100 * misses) / hits[1]!).toFixed(1)}`);
    setText('seen-time', formatMilliseconds(worlds[0].milliseconds));
    setText('swept-time', formatMilliseconds(worlds[1].milliseconds));
  }

  if (stage.isSlow) bullets.value = '250';
  change();
  chooseThreads(first, chosen => {
    engine = chosen;
    fill();
  });
  startLoop(
    {
      frame() {
        if (play.isOn || isFirst) step();
        isFirst = false;
        view.show(shots.all, shot => missed.has(shot));
        const now = performance.now();
        if (now - shownAt > SHOW_EVERY) {
          shownAt = now;
          showCounts();
        }
        stage.render();
        return 2;
      },
      play,
      onSlow: reduceLoad,
    },
    showError,
  );
});
