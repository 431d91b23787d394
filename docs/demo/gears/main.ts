// The gears page of the demo: a gear train rotates. In every frame, the page detects the contacts between
// gears. Bar charts show the work of each thread.
import type { Engine, QueryStats, Scene } from 'pfront';
import { epicyclicTrain } from 'pfront/samples';
import { createPlayButton, createSlider } from '../shell/controls.js';
import { element, formatCount, formatMilliseconds, input, setText } from '../shell/elements.js';
import { chooseThreads } from '../shell/engineChoice.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { TrainView } from './trainView.js';
import { Workload } from './workload.js';

const FRAMES_A_SECOND = 30;

function showStats({ frontNodes, imbalance, threadsWorthwhile }: QueryStats): void {
  setText('front-nodes', formatCount(frontNodes));
  setText('imbalance', imbalance.toFixed(3));
  setText('worthwhile', String(threadsWorthwhile));
}

void start((engine: Engine) => {
  const train = epicyclicTrain();
  const stage = new Stage(element('view'), 'z');
  const view = new TrainView(stage, train);
  const workload = new Workload(element('bars'));
  const speed = createSlider('speed', value => `${value} ×`);
  const play = createPlayButton();
  const coherence = input('coherence');
  const lit = input('lit');
  let scene: Scene;
  let time = 0;
  let mean = 0;
  chooseThreads(engine, chosen => {
    const meshes = train.meshes.map(mesh => chosen.createMesh(mesh));
    scene = chosen.createScene();
    for (const { mesh } of train.parts) scene.add(meshes[mesh]!);
    mean = 0;
  });
  startLoop(
    {
      frame(seconds) {
        if (play.isOn || time === 0) time += Math.max(1e-6, seconds * FRAMES_A_SECOND * speed.value);
        const matrices = train.frame(time);
        scene.setTransforms(matrices);
        const contacts = scene.detect({ coherence: coherence.checked ? 'on' : 'off' });
        const {
          milliseconds: { broad, choose, narrow },
          queries,
          tested,
        } = contacts.stats;
        view.move(matrices);
        view.showLit(lit.checked);
        if (tested > 0) {
          if (lit.checked) view.light(contacts, matrices, id => scene.slotOf(id));
          mean += (mean === 0 ? 1 : 0.1) * (broad + choose + narrow - mean);
          setText('contacts', formatCount(contacts.count));
          setText('triangle-pairs', formatCount(contacts.triangles.a.length));
          setText('milliseconds', formatMilliseconds(mean));
        }
        for (const query of queries) {
          workload.show(query.threads);
          showStats(query);
        }
        stage.render();
        return tested;
      },
      onSlow: () => {
        stage.lowerResolution();
      },
    },
    showError,
  );
});
