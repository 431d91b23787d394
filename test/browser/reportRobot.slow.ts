// Tests the page that `pfront clash --robot --report` writes, opened from disk. The page must show the links where the
// joints place them, and each contact at the time that is in the JSON of the same command.
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { lookAt, type MotionState, makeRobotReport, settled, withReport } from './reports.js';

const link = (name: string, size: string, xyz: string): string =>
  `<link name="${name}"><collision><origin xyz="${xyz}"/><geometry><box size="${size}"/></geometry></collision></link>`;
// An arm of length 2 turns about the z axis by 2 rad in a second and back in another, and meets a post each time.
const urdf = `<?xml version="1.0"?><robot name="crane">
${link('base', '0.2 0.2 0.1', '0 0 -1')}${link('arm', '2 0.2 0.2', '1 0 0')}${link('post', '0.4 0.4 2', '0 0 0')}
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="3"/></joint>
<joint name="weld" type="fixed"><parent link="base"/><child link="post"/><origin xyz="1 1 0"/></joint>
</robot>`;
const trajectory = 'time,turn\n0,0\n1,2\n2,0\n';
const [ARM, POST] = [1, 2];

/** Checks that the arm is drawn where the joint places it at the given angle. */
function assertArm({ boxes }: MotionState, angle: number): void {
  const [min, max] = boxes[ARM]!;
  const center = [Math.cos(angle), Math.sin(angle)];
  for (const axis of [0, 1]) {
    const found = (min[axis]! + max[axis]!) / 2;
    assert.ok(Math.abs(found - center[axis]!) < 1e-6, `${found} instead of ${center[axis]}`);
  }
}

pageTest.slow('the page of a robot shows its links, its contacts and the time of each', async () => {
  const { page: file, json } = makeRobotReport('robot', urdf, trajectory);
  const [{ pairs }] = json.motions;
  assert.equal([pairs.length, pairs[0].intervals.length], [1, 2]);
  await withReport(file, async page => {
    const state = async () => (await settled(page)) as MotionState;
    assertArm(await state(), 0);
    assert.match((await page.textContent('[data-pair="0"]')) ?? '', /arm.*post/);
    const before = await lookAt(page);
    for (const [i, { touch }] of pairs[0].intervals.entries()) {
      await page.locator('[data-pair="0"] [data-moment]').nth(i).click();
      const shown = await state();
      assert.equal([shown.selected, shown.time], [i, touch]);
      assertArm(shown, 2 * (touch < 1 ? touch : 2 - touch));
      assert.equal([shown.roles[ARM], shown.roles[POST]], ['a', 'b']);
      assert.ok(shown.contact.segments + shown.contact.points > 0, JSON.stringify(shown.contact));
    }
    const picture = await lookAt(page);
    assert.ok(picture.red > 20 && picture.hash !== before.hash, JSON.stringify(picture));
  });
});

test.after(closeBrowser);
test.run();
