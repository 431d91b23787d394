// Takes pictures of the HTML reports that `pfront clash` writes: of the clashes of a building, and of the
// contacts of a moving robot.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { pathOf } from '../../../bindings/build/paths.mjs';
import { robotText, semanticsText, surroundings, trajectoryText } from './robotCell.mjs';

/** Time for which a report may load or move its view before its picture is taken, in milliseconds. */
const SETTLING = 8000;

/** glTF has y up: (x, y, z) becomes (x, z, -y). */
const gltfPart = ({ name, mesh: { positions, indices }, at: [x, y, z] }) => ({
  name,
  positions: positions.map((_, i, all) => (i % 3 === 0 ? all[i] : i % 3 === 1 ? all[i + 1] : -all[i - 1])),
  indices,
  transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, z, -y, 1),
});

async function writeModel(file, parts) {
  const { writeGlb } = await import('../../../dist/cli/writeGlb.js');
  writeFileSync(file, writeGlb(parts.map(gltfPart)));
}

const runClash = args =>
  execFileSync(execPath, [pathOf('dist/bin/pfront.js'), 'clash', ...args], { stdio: 'ignore' });

/** Opens a report, runs `act` on its page, waits until the view is still, and returns a picture as PNG. */
async function pictureOf(browser, report, height, act = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height }, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(pathToFileURL(report).href);
  await page.evaluate('pfrontReport.ready');
  await act(page);
  await page.waitForTimeout(SETTLING);
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

/** Returns pictures of the report of the sample building: of the whole model, and of its worst clash. */
export async function clashPictures(browser, folder) {
  const { building } = await import('../../../dist/samples/index.js');
  const { parts, meshes, frame } = building();
  const placed = frame(0);
  const model = path.join(folder, 'building.glb');
  const report = path.join(folder, 'clashes.html');
  await writeModel(
    model,
    parts.map(({ name, mesh }, part) => ({
      name,
      mesh: meshes[mesh],
      at: placed.subarray(16 * part + 12, 16 * part + 15),
    })),
  );
  runClash([model, '--report', report]);
  return {
    overview: await pictureOf(browser, report, 760),
    selected: await pictureOf(browser, report, 760, page => page.locator('[data-clash="0"]').click()),
  };
}

/**
 * Returns a picture of the report of a robot that moves beside obstacles. The report shows the first contact of
 * the first pair in its list.
 */
export async function motionPicture(browser, folder) {
  const { box } = await import('../../../dist/samples/index.js');
  const [urdf, srdf, trajectory, cell, report] = [
    'arm.urdf',
    'arm.srdf',
    'path.csv',
    'cell.glb',
    'contacts.html',
  ].map(name => path.join(folder, name));
  writeFileSync(urdf, robotText);
  writeFileSync(srdf, semanticsText);
  writeFileSync(trajectory, trajectoryText);
  await writeModel(
    cell,
    surroundings.map(({ name, size, at }) => ({ name, mesh: box(...size.map(length => length / 2)), at })),
  );
  const robot = ['--robot', urdf, '--srdf', srdf, '--trajectory', trajectory];
  runClash([...robot, cell, '--up', 'z', '--clearance', '100mm', '--report', report]);
  return pictureOf(browser, report, 720, page => page.locator('[data-pair="0"]').first().click());
}
