// The clash page of the demo: finds the clashes between the parts of a sample model, or of the user's files.
import { CollisionError, type Engine } from 'pfront';
import { building, epicyclicTrain, type Scene } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';
import { button, element, formatCount, formatMilliseconds, input, setText } from '../shell/elements.js';
import { Stage } from '../shell/stage.js';
import { showError, start } from '../shell/start.js';
import { type Clash, ClashFinder, type SearchResult } from './clashFinder.js';
import { drawOnChange } from './drawing.js';
import { makeNamesUnique, type Part } from './parts.js';
import { PartsView } from './partsView.js';
import { FileError, type FileResult, readFile } from './readFile.js';
import { Z_TO_Y_UP } from './readIfc.js';
import { deselect, showClass, showTable } from './table.js';

function showMessage(text: string, kind: 'plain' | 'wrong' = 'plain'): void {
  setText('message', text);
  element('message').classList.toggle('is-wrong', kind === 'wrong');
}

type Read = (signal: AbortSignal) => FileResult | Promise<FileResult>;

function explain(error: unknown): void {
  if (error instanceof FileError) showMessage(`${error.message} The previous model stays.`, 'wrong');
  else if (error instanceof CollisionError) showMessage(`${error.message}. Fix: ${error.fix}.`, 'wrong');
  else throw error;
}

function sample({ parts, meshes, frame }: Scene): FileResult {
  const placed = frame(0);
  return {
    parts: parts.map(({ name, mesh }, part) => ({
      name,
      mesh: meshes[mesh]!,
      transform: mat4d.multiply(Z_TO_Y_UP, placed.subarray(16 * part, 16 * part + 16)),
    })),
    unread: [],
  };
}

function unreadText(unread: readonly string[]): string {
  if (unread.length === 0) return '';
  const count = unread.length === 1 ? '1 element' : `${formatCount(unread.length)} elements`;
  return ` ${count} could not be read, so their clashes are missing: ${unread.slice(0, 3).join('; ')}${unread.length > 3 ? '; …' : ''}.`;
}

// Waits until the browser has drawn a frame with the current message, because the next step blocks the page.
const waitForFrame = (): Promise<void> =>
  new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
  });

function resultText(
  parts: number,
  { clashes, testedPairs: pairCount, milliseconds: time }: SearchResult,
): string {
  if (parts === 1)
    return 'There is only one part, so nothing can clash. Add a second file, or a file with several parts.';
  const pairs = `${formatCount(pairCount)} ${pairCount === 1 ? 'pair' : 'pairs'} of parts in ${formatMilliseconds(time)} ms`;
  if (clashes.length === 0) return `No two of the ${formatCount(parts)} parts share a point (${pairs}).`;
  return `${formatCount(clashes.length)} ${clashes.length === 1 ? 'clash' : 'clashes'} (${pairs}).`;
}

void start((engine: Engine) => {
  const stage = new Stage(element('view'), 'y');
  const view = new PartsView(stage);
  const finder = new ClashFinder(engine);
  const whole = button('whole');
  const redraw = drawOnChange(stage, seconds => view.step(seconds), showError);
  let waiting: Read | undefined;
  let isBusy = false;
  let reading = new AbortController();

  function choose(clash: Clash): void {
    try {
      view.showClash(clash, finder.trianglesOf(clash));
    } catch (error) {
      explain(error);
    }
    redraw();
    element('view').scrollIntoView({ block: 'nearest' });
  }

  function showFound({ parts, unread }: FileResult, found: SearchResult): void {
    setText('parts', formatCount(parts.length));
    setText('triangles', formatCount(parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0)));
    setText('clashes', formatCount(found.clashes.length));
    setText(
      'triangle-pairs',
      formatCount(found.clashes.reduce((sum, { trianglePairs }) => sum + trianglePairs, 0)),
    );
    setText('query-rate', formatCount((1000 * found.testedPairs) / Math.max(found.milliseconds, 1e-3)));
    showTable(found.clashes, parts, choose);
    showMessage(
      `${resultText(parts.length, found)}${unreadText(unread)}`,
      unread.length > 0 ? 'wrong' : 'plain',
    );
  }

  async function search(read: Read): Promise<void> {
    try {
      showMessage('Reading…');
      await waitForFrame();
      reading = new AbortController();
      const file = await read(reading.signal);
      const { parts } = file;
      showMessage('Building trees…');
      await finder.setParts(parts, done => showMessage(`Building trees… ${Math.round(100 * done)} %`));
      // Empties the table, because its rows are about the previous parts: a click on such a row would select
      // unrelated new parts.
      showTable([], [], choose);
      view.change(parts);
      redraw();
      whole.disabled = false;
      showMessage('Searching…');
      await waitForFrame();
      const found = finder.find();
      view.markClashes(found.clashes);
      redraw();
      showFound(file, found);
      await classifyAll(found.clashes);
    } catch (error) {
      if (!reading.signal.aborted) explain(error);
    }
  }

  // Classifies the clashes after the search, because this takes longer than the search. Fills the rows of the
  // table one by one. Stops after the last row, or if the user has chosen another model. In both cases, then
  // draws the contact curves that were found so far.
  async function classifyAll(clashes: readonly Clash[]): Promise<void> {
    const curves: number[] = [];
    for (const [row, clash] of clashes.entries()) {
      if (waiting || !showClass(row, finder.classify(clash))) break;
      for (const value of finder.curveOf(clash)) curves.push(value);
      await new Promise(resolve => setTimeout(resolve));
    }
    view.showCurves(curves);
    redraw();
  }

  // If no search is running, searches the model that the user chose last. If the user chooses several models
  // during a search, only the last of these models is searched next.
  async function searchWaiting(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let read = waiting; read; read = waiting) {
      waiting = undefined;
      await search(read);
    }
    isBusy = false;
  }

  async function readAll(files: readonly File[], signal: AbortSignal): Promise<FileResult> {
    const parts: Part[] = [];
    const unread: string[] = [];
    for (const file of files) {
      const found = await readFile(file, showMessage, signal);
      parts.push(...found.parts);
      unread.push(...found.unread);
    }
    return { parts: makeNamesUnique(parts), unread };
  }

  const requestSearch = (read: Read): void => {
    waiting = read;
    reading.abort();
    searchWaiting().catch(showError);
  };
  input('files').addEventListener('change', () => {
    const files = [...(input('files').files ?? [])];
    // If the input were not cleared, choosing the same file again would fire no change event.
    input('files').value = '';
    if (files.length > 0) requestSearch(signal => readAll(files, signal));
  });
  button('building').addEventListener('click', () => requestSearch(() => sample(building())));
  button('sample').addEventListener('click', () => requestSearch(() => sample(epicyclicTrain())));
  whole.addEventListener('click', () => {
    deselect();
    view.showAll();
    redraw();
  });
  onDrop(files => requestSearch(signal => readAll(files, signal)));
  requestSearch(() => sample(building()));
});

function onDrop(take: (files: File[]) => void): void {
  const mark = (isDragging: boolean): void => {
    document.body.classList.toggle('is-dragging', isDragging);
  };
  document.addEventListener('dragover', event => {
    event.preventDefault();
    mark(true);
  });
  document.addEventListener('dragleave', event => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener('drop', event => {
    event.preventDefault();
    mark(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) take(files);
  });
}
