// The clash page: the user's files, read and searched in the page.
import { CollisionError, type Engine } from 'pfront';
import { epicyclicTrain } from 'pfront/scenes';
import { button, count, element, input, milliseconds, show } from '../shell/elements.js';
import { startLoop } from '../shell/loop.js';
import { Stage } from '../shell/stage.js';
import { fail, start } from '../shell/start.js';
import { ClashFinder, type Clash, type Found } from './findClashes.js';
import { distinct, type Part } from './parts.js';
import { PartsView } from './partsView.js';
import { FileError, readFile } from './readFile.js';
import { deselect, showTable } from './table.js';

function say(text: string, kind: 'plain' | 'wrong' = 'plain'): void {
  show('message', text);
  element('message').classList.toggle('is-wrong', kind === 'wrong');
}

function sampleParts(): Part[] {
  const { parts, meshes, frame } = epicyclicTrain(), placed = frame(0);
  return parts.map(({ name, mesh }, part) => ({ name, mesh: meshes[mesh]!, transform: placed.slice(16 * part, 16 * part + 16) }));
}

// A frame is drawn before what follows keeps the page busy.
const drawn = (): Promise<void> => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });

function resultText(parts: number, { clashes, asked, milliseconds: time }: Found): string {
  if (parts === 1) return 'There is one part only, so nothing can clash. Drop a second file, or one with several parts.';
  const pairs = `${count(asked)} ${asked === 1 ? 'pair' : 'pairs'} of parts in ${milliseconds(time)} ms`;
  if (clashes.length === 0) return `No two of the ${count(parts)} parts share a point (${pairs}).`;
  return `${count(clashes.length)} ${clashes.length === 1 ? 'clash' : 'clashes'} (${pairs}).`;
}

void start((engine: Engine) => {
  const stage = new Stage(element('view'), 'y'), view = new PartsView(stage), finder = new ClashFinder(engine);
  const whole = button('whole');
  let queries = 0, isBusy = false;

  function choose(clash: Clash): void {
    queries++;
    view.showClash(clash, finder.trianglesOf(clash));
    element('view').scrollIntoView({ block: 'nearest' });
  }

  function showFound(parts: readonly Part[], found: Found): void {
    queries += found.asked;
    show('parts', count(parts.length));
    show('triangles', count(parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0)));
    show('clashes', count(found.clashes.length));
    show('triangle-pairs', count(found.clashes.reduce((sum, { trianglePairs }) => sum + trianglePairs, 0)));
    showTable(found.clashes, parts, choose);
    say(resultText(parts.length, found));
  }

  async function search(read: () => Part[] | Promise<Part[]>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      say('Reading…');
      await drawn();
      const parts = await read();
      say('Building trees…');
      await finder.take(parts, (done) => say(`Building trees… ${Math.round(100 * done)} %`));
      view.change(parts);
      element('empty').hidden = true;
      whole.disabled = false;
      say('Searching…');
      await drawn();
      showFound(parts, finder.find());
    } catch (error) {
      if (error instanceof FileError) say(`${error.message} What was here before stays.`, 'wrong');
      else if (error instanceof CollisionError) say(`${error.message}. What helps: ${error.fix}.`, 'wrong');
      else throw error;
    } finally {
      isBusy = false;
    }
  }

  async function readAll(files: readonly File[]): Promise<Part[]> {
    const parts: Part[] = [];
    for (const file of files) parts.push(...await readFile(file));
    return distinct(parts);
  }

  const take = (read: () => Part[] | Promise<Part[]>): void => { search(read).catch(fail); };
  input('files').addEventListener('change', () => {
    const files = [...input('files').files ?? []];
    // The same file may be chosen again.
    input('files').value = '';
    if (files.length > 0) take(() => readAll(files));
  });
  button('sample').addEventListener('click', () => take(sampleParts));
  whole.addEventListener('click', () => {
    deselect();
    view.showAll();
  });
  onDrop((files) => take(() => readAll(files)));
  startLoop({
    frame(seconds) {
      view.render(seconds);
      const asked = queries;
      queries = 0;
      return asked;
    },
    onSlow: () => { stage.lowerResolution(); },
  }, fail);
});

function onDrop(take: (files: File[]) => void): void {
  const mark = (isDragging: boolean): void => { document.body.classList.toggle('is-dragging', isDragging); };
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) mark(false); });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length > 0) take(files);
  });
}
