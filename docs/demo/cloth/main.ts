// The cloth page of the demo: a sheet falls over a ball and folds. Continuous collision detection in every
// step keeps the sheet from passing through itself.
import type { Engine, Mesh } from 'pfront';
import type { MeshData } from 'pfront/samples';
import { createPlayButton, createSelect } from '../shell/controls.js';
import { button, element, formatCount, formatMilliseconds, input, setText } from '../shell/elements.js';
import { chooseThreads } from '../shell/engineChoice.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { Cloth, STEP_SECONDS } from './cloth.js';
import { ClothView } from './clothView.js';
import { makeSheet, type Springs } from './sheet.js';
import { type Stopped, stopAtContacts, touchingVertices } from './stopping.js';

/**
 * Times in seconds since the sheet was dropped. In this order: the ball starts to rotate, it reaches full
 * speed, it starts to slow down, it stops, and a new sheet is dropped.
 */
const TURN_AT = 2;
const FULL_AT = 3;
const SLOW_AT = 7;
const STILL_AT = 8;
const AGAIN_AT = 11;
/** Full speed of the ball in radians per second. */
const FULL_SPIN = 1.8;
/**
 * Max number of steps per frame. If a frame takes longer than the time that these steps simulate, the page
 * shows slow motion.
 */
const MAX_STEPS = 2;
const SHOW_EVERY = 150;
/** Ids of the elements that show figures of a step. */
const READINGS = ['contacts', 'sum', 'stopped', 'milliseconds', 'sweeps', 'feature-pairs', 'searched'];

void start((first: Engine) => {
  const stage = new Stage(element('view'), 'z');
  const view = new ClothView(stage);
  const play = createPlayButton();
  const stops = input('stops');
  const chart = new TimeChart(element('chart'), [
    { label: 'Contacts', color: 'series-a', axis: 'left' },
    { label: 'Sweep time (ms)', color: 'series-c', axis: 'right' },
  ]);
  const side = createSelect('side', onManualChoice);
  let engine = first;
  let sheet: { mesh: MeshData; springs: Springs };
  let edges: Uint32Array;
  let mesh: Mesh | undefined;
  let cloth: Cloth;
  let time = 0;
  let ballAngle = 0;
  let pendingSeconds = 0;
  let shownAt = 0;
  let sum = 0;
  let isByHand = false;

  function change(): void {
    sheet = makeSheet(Number(side.value));
    view.change(sheet.mesh);
    setText('triangles', formatCount(sheet.mesh.indices.length / 3));
    fill();
    drop();
  }

  function fill(): void {
    mesh?.dispose();
    mesh = engine.createMesh(sheet.mesh);
    edges = engine.edgesOf(mesh);
  }

  // Until the first step of the new sheet, which is shown at once, no figures of the old sheet are shown.
  function drop(): void {
    cloth = new Cloth(sheet.mesh.positions, sheet.springs);
    [time, ballAngle, sum, shownAt] = [0, 0, 0, 0];
    for (const id of READINGS) setText(id, '–');
  }

  function onManualChoice(): void {
    isByHand = true;
    setText('pace', '');
    change();
  }

  function step(): Stopped {
    time += STEP_SECONDS;
    if (time > AGAIN_AT) drop();
    cloth.spin =
      FULL_SPIN *
      Math.max(
        0,
        Math.min(1, (time - TURN_AT) / (FULL_AT - TURN_AT), (STILL_AT - time) / (STILL_AT - SLOW_AT)),
      );
    ballAngle += STEP_SECONDS * cloth.spin;
    const to = cloth.predict(boxes => engine.boxPairs(boxes, { order: 'any' }));
    const sweep = (from: Float64Array, end: Float64Array) =>
      engine.sweepVertices(mesh!, from, end, { want: 'all' });
    const stopped = stops.checked
      ? stopAtContacts(sweep, edges, sheet.mesh.indices, cloth.positions, to)
      : withoutResponse(sweep(cloth.positions, to));
    cloth.move(to, stopped.vertices);
    view.show(cloth.positions, touchingVertices(stopped.contacts, edges, sheet.mesh.indices), ballAngle);
    sum += stopped.contacts.count;
    chart.add([stopped.contacts.count, stopped.milliseconds]);
    return stopped;
  }

  function reduceLoad(): void {
    const list = element('side', HTMLSelectElement);
    if (stage.lowerResolution() || isByHand || list.selectedIndex === 0) return;
    list.selectedIndex--;
    setText('pace', 'Frames were slow, so the cloth was made coarser. You can choose a finer one.');
    change();
  }

  function showStep({ contacts, sweeps, milliseconds: time, vertices }: Stopped): void {
    const { featurePairs, searchedPairs } = contacts.stats;
    setText('contacts', formatCount(contacts.count));
    setText('sum', formatCount(sum));
    setText('stopped', formatCount(vertices.size));
    setText('milliseconds', formatMilliseconds(time));
    setText('sweeps', formatCount(sweeps));
    setText('feature-pairs', formatCount(featurePairs));
    setText('searched', formatCount(searchedPairs));
  }

  if (stage.isSlow) side.value = '48';
  change();
  button('drop').addEventListener('click', drop);
  chooseThreads(first, chosen => {
    engine = chosen;
    // Disposing of the previous engine also disposes of its meshes.
    mesh = undefined;
    fill();
  });
  startLoop(
    {
      frame(seconds) {
        pendingSeconds = play.isOn ? Math.min(MAX_STEPS * STEP_SECONDS, pendingSeconds + seconds) : 0;
        let sweeps = 0;
        for (
          ;
          pendingSeconds >= STEP_SECONDS || (time === 0 && sweeps === 0);
          pendingSeconds -= STEP_SECONDS
        ) {
          const stopped = step();
          const now = performance.now();
          sweeps += stopped.sweeps;
          // On a paused page, no other step follows, so this step is always shown.
          if (play.isOn && now - shownAt < SHOW_EVERY) continue;
          shownAt = now;
          showStep(stopped);
        }
        stage.render();
        return sweeps;
      },
      play,
      onSlow: reduceLoad,
    },
    showError,
  );
});

const withoutResponse = (contacts: Stopped['contacts']): Stopped => ({
  contacts,
  sweeps: 1,
  milliseconds: contacts.stats.milliseconds,
  vertices: new Set(),
});
