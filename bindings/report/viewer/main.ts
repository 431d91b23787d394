// The entry point of the script of a page with a 3D view. Reads the data and fills the page.
import type { ReportContent, SceneContent } from '../content.js';
import type { MotionContent } from '../motionContent.js';
import { ClashReport } from './clashReport.js';
import { byId } from './elements.js';
import { MotionPage } from './motionPage.js';
import { readContent } from './readContent.js';
import { copyTemplate } from './savePage.js';

const isMotion = (content: SceneContent): content is MotionContent => 'motions' in content.header;

// The page of a motion hides its 3D view until the data has been read, and has a line of its own for messages.
const notice = (document.getElementById('no-view') ?? byId('notice')) as HTMLElement;

// Copied now, because the script has not changed the page yet.
const template = copyTemplate();

async function start(): Promise<ClashReport | MotionPage> {
  notice.hidden = false;
  const content = await readContent(done => {
    notice.textContent = `Loading the report: ${done} %`;
  });
  return isMotion(content) ? new MotionPage(content) : new ClashReport(content as ReportContent, template);
}

const ready = start();
ready.catch((error: unknown) => {
  notice.textContent =
    typeof DecompressionStream === 'undefined'
      ? 'This browser cannot decompress the report. Browsers from 2023 or later can.'
      : `The report cannot be read: ${(error as Error).message}. Create it again with pfront clash --report.`;
});

// Tests read the state of the page from globalThis.pfrontReport.
Object.assign(globalThis, {
  pfrontReport: {
    ready: ready.then(() => true),
    state: async () => (await ready).state(),
    /** Returns where the markers, or the points of the contact, are on the canvas, in pixels. */
    places: async () => (await ready).view.screenPlaces(),
  },
});
