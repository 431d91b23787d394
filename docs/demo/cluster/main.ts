// The cluster page of the demo: a cluster of nodes, which all run inside the page, simulates a swarm. Each
// node owns some columns of the ground. Load balancing moves columns between nodes, and the user can add and
// remove nodes.
import type { Engine } from 'pfront';
import type { SwarmRow } from 'pfront/cluster';
import type { Movement } from 'pfront/samples';
import { createPlayButton, createSelect, createSlider } from '../shell/controls.js';
import { element, formatCount, input, select, setText } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { showError, start } from '../shell/start.js';
import { TimeChart } from '../shell/timeChart.js';
import { ColumnsView, type Picture } from './columnsView.js';
import { LoadBars } from './loadBars.js';
import { PageSwarm } from './pageSwarm.js';

/** Min milliseconds between steps. */
const STEP_EVERY = 50;
const LOOK_EVERY = 30;

void start((engine: Engine) => {
  const view = new ColumnsView(element('view'));
  const bars = new LoadBars('loads');
  const play = createPlayButton();
  const chart = new TimeChart(element('chart'), [
    { label: 'Imbalance (max / mean load)', color: 'series-a', axis: 'left' },
    { label: 'Ghost bodies', color: 'series-c', axis: 'right' },
  ]);
  const swarm = new PageSwarm(engine, onStep, showError);
  const movement = createSelect<Movement>('movement', begin);
  const bodies = createSelect('count', onManualChoice);
  const nodes = createSlider('nodes', value => `${value} of 8`);
  const threshold = createSlider('threshold', value => `${value} % of the larger load`);
  let picture: Picture | undefined;
  let steppedAt = 0;
  let testedPairs = 0;
  let moved = 0;
  let isByHand = false;

  function begin(): void {
    moved = 0;
    setBalance();
    swarm.change({ movement: movement.value, bodies: Number(bodies.value), nodes: nodes.value });
  }

  function onManualChoice(): void {
    isByHand = true;
    setText('pace', '');
    begin();
  }

  function setBalance(): void {
    const isOn = input('balance').checked;
    input('threshold').disabled = !isOn;
    swarm.balance = isOn && threshold.value / 100;
  }

  async function onStep(row: SwarmRow): Promise<void> {
    testedPairs += sum(row, ({ tested }) => tested);
    moved += row.moves.length;
    picture = pictureOf(row);
    showStep(row);
    const next = steppedAt + STEP_EVERY;
    const isFirst = row.step === 1;
    do
      await new Promise(resolve => {
        setTimeout(resolve, Math.max(0, Math.min(LOOK_EVERY, next - performance.now())));
      });
    while (performance.now() < next || (!play.isOn && !isFirst));
    steppedAt = performance.now();
  }

  function pictureOf({ grid: [width, height], owners, moves, collected, nodes: members }: SwarmRow): Picture {
    const places = new Map(members.map(({ id }) => [id, swarm.nodeIndex(id)]));
    const inContact = new Uint8Array(swarm.positions.length / 2);
    for (const list of [collected!.a, collected!.b]) for (const body of list) inContact[body] = 1;
    return {
      ground: swarm.ground,
      width,
      height,
      owners: Array.from(owners, id => places.get(id) ?? -1),
      bodies: swarm.positions.slice(),
      inContact,
      moved: moves.map(({ column }) => column),
    };
  }

  function showStep(row: SwarmRow): void {
    const known = sum(row, ({ localBodies, ownedBodies }) => localBodies - ownedBodies);
    const sorted = row.nodes
      .map(node => ({ place: swarm.nodeIndex(node.id), load: node.load }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place);
    setText('step', formatCount(row.step));
    setText('pairs', formatCount(row.contacts));
    setText('migrations', formatCount(sum(row, ({ arrived }) => arrived)));
    setText('border', formatCount(known));
    setText('messages', formatCount(sum(row, ({ sentMessages }) => sentMessages)));
    setText('bytes', (sum(row, ({ sentBytes }) => sentBytes) / 1000).toFixed(1));
    setText('imbalance', row.imbalance.toFixed(2));
    setText('moved', formatCount(moved));
    setText(
      'nodes-label',
      `${row.nodes.length} ${row.nodes.length === 1 ? 'node' : 'nodes'}, ${row.grid[0]} × ${row.grid[1]} columns`,
    );
    bars.show(sorted.map(({ load }) => load));
    chart.add([row.imbalance, known]);
  }

  function reduceLoad(): void {
    const list = select('count');
    if (isByHand || list.selectedIndex === 0) return;
    list.selectedIndex--;
    setText(
      'pace',
      `Frames were slow, so the number of bodies was reduced to ${formatCount(Number(list.value))}. You can choose more.`,
    );
    begin();
  }

  input('nodes').addEventListener('change', () => {
    swarm.setNodes(nodes.value).catch(showError);
  });
  for (const id of ['balance', 'threshold']) input(id).addEventListener('input', setBalance);
  begin();
  startLoop(
    {
      frame() {
        if (picture) view.show(picture);
        const pairs = testedPairs;
        testedPairs = 0;
        return pairs;
      },
      play,
      onSlow: reduceLoad,
    },
    showError,
  );
});

const sum = ({ nodes }: SwarmRow, of: (node: SwarmRow['nodes'][number]) => number): number =>
  nodes.reduce((total, node) => total + of(node), 0);
