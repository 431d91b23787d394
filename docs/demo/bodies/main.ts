// The bodies page of the demo: many bodies move, and the page counts the contacts that exist, begin and end.
// If frames are slow, the page reduces its resolution and then the number of bodies.
import type { Contacts, Engine, Mesh, Scene, SceneOptions } from 'pfront';
import { createPlayButton, createSelect } from '../shell/controls.js';
import { element, formatCount, select, setText } from '../shell/elements.js';
import { chooseThreads } from '../shell/engineChoice.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { CrowdView } from './crowdView.js';
import { type Motion, type Motions, meshes, motions, type Shape } from './motions.js';

const FRAMES_A_SECOND = 30;
const SHOW_EVERY = 150;

const slotsOf = (scene: Scene, ids: Uint32Array): Uint32Array => ids.map(id => scene.slotOf(id));

const sentence = (text: string): string =>
  text === '' ? 'Selected manually.' : `${text[0]!.toUpperCase()}${text.slice(1)}.`;

void start((first: Engine) => {
  const stage = new Stage(element('view'), 'z');
  const view = new CrowdView(stage);
  const play = createPlayButton();
  const chart = new TimeChart(element('chart'), [
    { label: 'Broad phase', color: 'series-a', axis: 'left' },
    { label: 'Narrow phase', color: 'series-c', axis: 'left' },
  ]);
  const broadPhase = createSelect<NonNullable<SceneOptions['broadPhase']>>('broad-phase', change);
  const motion = createSelect<Motion>('motion', change);
  const shape = createSelect<Shape>('shape', change);
  const bodyCount = createSelect('count', onManualChoice);
  let engine = first;
  let scene: Scene | undefined;
  let mesh: Mesh | undefined;
  let moves: Motions;
  let time = 0;
  let began = 0;
  let ended = 0;
  let shownAt = 0;
  let isByHand = false;

  function change(): void {
    const bodies = Number(bodyCount.value);
    fill();
    moves = motions[motion.value](bodies);
    view.change(meshes[shape.value](), bodies, moves.bounds);
    time = 0;
  }

  function fill(): void {
    scene?.dispose();
    mesh?.dispose();
    mesh = engine.createMesh(meshes[shape.value]());
    scene = engine.createScene({ broadPhase: broadPhase.value });
    for (let body = Number(bodyCount.value); body > 0; body--) scene.add(mesh);
    began = ended = shownAt = 0;
  }

  function onManualChoice(): void {
    isByHand = true;
    setText('pace', '');
    change();
  }

  // Lowers the resolution. If the resolution is already at its min, reduces the number of bodies, unless the
  // user has chosen this number.
  function reduceLoad(): void {
    const list = select('count');
    if (stage.lowerResolution() || isByHand || list.selectedIndex === 0) return;
    list.selectedIndex--;
    setText(
      'pace',
      `Frames were slow, so the number of bodies was reduced to ${formatCount(Number(list.value))}. You can choose more.`,
    );
    change();
  }

  function showContacts(contacts: Contacts): void {
    const {
      boxPairs,
      broadPhase: { method, reason },
    } = contacts.stats;
    setText('contacts', formatCount(contacts.count));
    setText('box-pairs', formatCount(boxPairs));
    setText('began', formatCount(began));
    setText('ended', formatCount(ended));
    setText('method', method);
    setText('reason', sentence(reason));
  }

  if (stage.isSlow) bodyCount.value = '500';
  change();
  chooseThreads(first, chosen => {
    engine = chosen;
    fill();
  });
  startLoop(
    {
      frame(seconds) {
        const isOn = play.isOn || time === 0;
        if (isOn) time += Math.max(1e-6, seconds * FRAMES_A_SECOND);
        const matrices = moves.frame(time);
        scene!.setTransforms(matrices);
        const contacts = scene!.detect({ narrow: 'any' });
        const { broad, choose, narrow } = contacts.stats.milliseconds;
        const now = performance.now();
        began += contacts.began.count;
        ended += contacts.ended.count;
        const [a, b] = [slotsOf(scene!, contacts.a), slotsOf(scene!, contacts.b)];
        if (isOn) moves.onContacts?.(a, b);
        view.show(matrices, [...a, ...b]);
        chart.add([broad, choose + narrow]);
        if (now - shownAt > SHOW_EVERY) {
          shownAt = now;
          showContacts(contacts);
        }
        stage.render();
        return contacts.stats.tested;
      },
      play,
      onSlow: reduceLoad,
    },
    showError,
  );
});
