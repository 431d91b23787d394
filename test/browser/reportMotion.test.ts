// Tests the page that `pfront clash --animation --report` writes, opened from disk. The page must show the parts where
// the animation places them, and each contact at the time and the place that are in the JSON of the same command.
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box } from '../../dist/samples/index.js';
import { gltf, rotationAbout } from '../support/animatedGltf.js';
import { chromiumPath, closeBrowser, openBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import {
  lookAt,
  type MotionState,
  makeMotionReport,
  NO_CONTACT,
  settled,
  untilState,
  withReport,
} from './reports.js';

const HOSTILE = '</script><img src=x onerror="globalThis.isHarmed=true"><b>\u202e';
const [ARM, POST, CUBE, WALL] = [0, 1, 2, 3];
const TURN = 2;

// An arm of length 2 rotates about the z axis by 2 rad in two seconds, and hits a post. A cube slides to a wall
// and back, twice. When the cube arrives at the wall for the third time, it jumps away at once.
const content = gltf(
  [box(1, 0.1, 0.1), box(0.2, 0.2, 1), box(0.5, 0.5, 0.5)],
  [
    { name: 'pivot', children: [1] },
    { name: 'arm', mesh: 0, translation: [1, 0, 0] },
    { name: 'post', mesh: 1, translation: [1, 1, 0] },
    { name: 'rail', children: [4] },
    { name: 'cube', mesh: 2, translation: [-9, 0, 0] },
    { name: HOSTILE, mesh: 2, translation: [-4, 0, 0] },
  ],
  [
    {
      name: 'turn',
      channels: [
        {
          node: 0,
          path: 'rotation',
          times: [0, TURN],
          values: [...rotationAbout(2, 0), ...rotationAbout(2, TURN)],
        },
      ],
    },
    {
      name: HOSTILE,
      channels: [
        {
          node: 4,
          path: 'translation',
          times: [0, 1, 2, 3, 4, 5],
          values: [-9, -5, -9, -5, -9, -5].flatMap(x => [x, 0, 0]),
        },
        {
          node: 3,
          path: 'translation',
          interpolation: 'STEP',
          times: [0, 5, 6],
          values: [...[0, 0, 0], ...[0, 5, 0], ...[0, 5, 0]],
        },
      ],
    },
  ],
);
const report = chromiumPath ? makeMotionReport('motion', content) : undefined!;

const motionState = (page: Page) => settled(page) as Promise<MotionState>;
const near = (found: number, expected: number, within = 1e-6): void =>
  assert.ok(Math.abs(found - expected) <= within, `${found} instead of ${expected}`);

/** Checks that the page draws the arm at its position at the given time. */
function assertArm({ boxes }: MotionState, time: number): void {
  const [min, max] = boxes[ARM]!;
  const [x, y] = [Math.cos(time), Math.sin(time)];
  near(min[0]! + max[0]!, 2 * x);
  near(min[1]! + max[1]!, 2 * y);
}

pageTest('a click on a row shows both parts where they meet first, and their contact', async () => {
  await withReport(report.page, async page => {
    const [{ pairs }] = report.json.motions;
    const { time, point } = pairs[0].place;
    const whole = await motionState(page);
    assert.equal([whole.motion, whole.time, whole.markers, whole.contact], [0, 0, [0], NO_CONTACT]);
    assertArm(whole, 0);
    const before = await lookAt(page);
    await page.click('[data-pair="0"] td:nth-child(3)');
    const shown = await motionState(page);
    assert.equal([shown.selected, shown.time, shown.markers], [0, time, []]);
    assert.equal(shown.roles, ['a', 'b', 'ghost', 'ghost']);
    assert.ok(shown.contact.segments + shown.contact.points > 0, JSON.stringify(shown.contact));
    assertArm(shown, time);
    const [low, high] = shown.boxes[POST]!;
    point.forEach((value: number, i: number) =>
      assert.ok(value >= low[i]! - 1e-6 && value <= high[i]! + 1e-6),
    );
    const picture = await lookAt(page);
    assert.ok(picture.red > 20 && picture.hash !== before.hash, JSON.stringify(picture));
    assert.match((await page.textContent('#details')) ?? '', /arm.*post.*contact first contact at /);
    await page.keyboard.press('Escape');
    const left = await motionState(page);
    assert.equal([left.selected, left.time, left.contact], [undefined, time, NO_CONTACT]);
  });
});

pageTest(
  'the slider and the arrow keys move the parts, and the contact is drawn at its time only',
  async () => {
    await withReport(report.page, async page => {
      await page.click('[data-pair="0"] .go');
      const { time, contact } = await motionState(page);
      await page.fill('#time', '500');
      const moved = await motionState(page);
      assert.equal([moved.selected, moved.time, moved.contact], [0, TURN / 2, NO_CONTACT]);
      assertArm(moved, TURN / 2);
      assert.is(await page.getAttribute('#time', 'aria-valuetext'), '1.000 s');
      assert.is(await page.textContent('#now'), '1.000 s');
      assert.is(await page.getAttribute('.moments button', 'aria-pressed'), 'false');
      await page.click('.moments button');
      const back = await motionState(page);
      assert.equal([back.time, back.contact], [time, contact]);
      assert.is(await page.getAttribute('.moments button', 'aria-pressed'), 'true');
      await page.locator('#grid').focus();
      await page.keyboard.press('ArrowRight');
      const next = await motionState(page);
      near(next.time, time + TURN / 100);
      assertArm(next, next.time);
    });
  },
);

pageTest(
  'a click on a bar shows its contact; at a jump, the pose before the jump is shown if the parts meet in it',
  async () => {
    await withReport(report.page, async page => {
      const [, { pairs }] = report.json.motions;
      assert.is(pairs.length, 1);
      const { intervals } = pairs[0];
      assert.is(intervals.length, 3);
      for (const [i, { touch }] of intervals.entries()) {
        await page.locator('[data-pair="1"] [data-moment]').nth(i).click();
        const shown = await motionState(page);
        assert.equal([shown.selected, shown.motion, shown.time], [1 + i, 1, touch]);
        assert.equal(shown.roles, ['ghost', 'ghost', 'a', 'b']);
        assert.ok(shown.contact.segments + shown.contact.triangles + shown.contact.points > 0);
        near(shown.boxes[CUBE]![1][0]!, shown.boxes[WALL]![0][0]!, 1e-4);
        near(shown.boxes[CUBE]![0][1]!, -0.5);
      }
      await page.fill('#time', '1000');
      near((await motionState(page)).boxes[CUBE]![0][1]!, 4.5);
    });
  },
);

pageTest('selecting another motion moves the parts of the first motion back', async () => {
  await withReport(report.page, async page => {
    await page.fill('#time', '1000');
    assertArm(await motionState(page), TURN);
    await page.selectOption('#motion', '1');
    const other = await motionState(page);
    assert.equal([other.motion, other.time, other.markers], [1, 0, [1]]);
    assertArm(other, 0);
    await page.locator('#grid').focus();
    await page.keyboard.press('End');
    assert.is((await motionState(page)).selected, 1);
    await page.keyboard.press('Home');
    assert.equal([(await motionState(page)).selected, (await motionState(page)).motion], [0, 0]);
    // The arrow keys also move the focus from button to button, so Enter stays at the selected row.
    await page.locator('[data-pair="0"] .go').focus();
    await page.keyboard.press('ArrowDown');
    assert.is((await motionState(page)).selected, 1);
    await page.keyboard.press('Enter');
    assert.is((await motionState(page)).selected, 1);
  });
});

pageTest('the section box contains a part that moves far between two of many keys', async () => {
  // The cube is at x = 20 only at every fourth key.
  const times = Array.from({ length: 129 }, (_, key) => key / 16);
  const values = times.flatMap((_, key) => [key % 4 === 2 ? 20 : 0, 0, 0]);
  const fast = gltf(
    [box(0.5, 0.5, 0.5)],
    [
      { name: 'cube', mesh: 0 },
      { name: 'other', mesh: 0, translation: [5, 0, 0] },
    ],
    [{ name: 'fast', channels: [{ node: 0, path: 'translation', times, values }] }],
  );
  await withReport(makeMotionReport('fast', fast).page, async page => {
    await page.click('#section');
    const { section } = await motionState(page);
    near(section![0][0]!, -0.5);
    near(section![1][0]!, 20.5);
  });
});

pageTest('play moves to the end of the motion and stops there', async () => {
  await withReport(report.page, async page => {
    await page.click('#play');
    const end = await untilState<MotionState>(page, 'the end of the motion', ({ isPlaying }) => !isPlaying);
    assert.is(end.time, TURN);
    assertArm(end, TURN);
    assert.is(await page.textContent('#play'), 'Play');
    // When the animation has ended, the key P starts it again from the beginning. Moving the slider pauses it.
    const restarted = (await page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }));
      return (globalThis as any).pfrontReport.state();
    })) as MotionState;
    assert.is(restarted.isPlaying, true);
    await page.fill('#time', '250');
    const paused = await motionState(page);
    assert.equal([paused.isPlaying, paused.time], [false, TURN / 4]);
  });
});

pageTest('names are shown as text', async () => {
  await withReport(report.page, async page => {
    await page.click('[data-pair="1"] .go');
    assert.match((await page.textContent('#details')) ?? '', HOSTILE);
    assert.is(await page.locator('#motion option').nth(1).textContent(), HOSTILE);
    assert.is(await page.evaluate('globalThis.isHarmed'), undefined);
    assert.is(await page.locator('main b, main img').count(), 0);
  });
});

pageTest('without WebGL or without scripts, the timelines are complete', async () => {
  const noWebGl =
    'const getContext = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };';
  for (const javaScriptEnabled of [true, false]) {
    const context = await (await openBrowser()).newContext({ javaScriptEnabled });
    try {
      if (javaScriptEnabled) await context.addInitScript(noWebGl);
      const page = await context.newPage();
      page.setDefaultTimeout(0);
      await page.goto(pathToFileURL(report.page).href);
      if (javaScriptEnabled) {
        await page.evaluate('pfrontReport.ready');
        assert.match((await page.textContent('#no-view')) ?? '', 'does not support WebGL');
      }
      assert.is(await page.locator('[data-moment]:visible').count(), 4);
      assert.is(await page.locator('canvas:visible, #time:visible, .go').count(), 0);
      // "Keys" and "Dark" work without WebGL; without scripts, no button does.
      assert.is(await page.locator('button:visible:enabled').count(), javaScriptEnabled ? 2 : 0);
    } finally {
      await context.close();
    }
  }
});

test.after(closeBrowser);
test.run();
