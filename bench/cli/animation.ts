// Measures how long `pfront clash --animation` searches for the contacts of a machine: 100 parts, a million
// triangles, and one minute of motion with 30 keys per second.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMotionOptions } from '../../dist/cli/motion/options.js';
import { searchMotion } from '../../dist/cli/motion/search.js';
import { type MeshData, sphere, torus } from '../../dist/samples/index.js';
import { slab } from '../../dist/samples/shapes.js';
import { gltf, rotationAbout, type TestChannel, type TestNode } from '../../test/support/animatedGltf.js';
import { isQuick, Report } from '../support/report.js';

const STATIONS = isQuick ? 2 : 10;
const TRIANGLES = isQuick ? 500 : 10_000;
const SECONDS = isQuick ? 2 : 60;
const KEYS_PER_SECOND = 30;
const IDLE = { begin() {}, step() {}, end() {} };

/**
 * Returns the glTF JSON of a machine whose stations stand in a row. Each station has a table, four posts and an
 * arm. The arm is a chain of a turntable, three links and a tool, and each of these rotates relative to the
 * previous one. The tools move over the tables and between the posts.
 */
function machine(): object {
  // A slab whose large faces have `cells` x `cells` squares has 4 * cells^2 + 8 * cells triangles.
  const cells = Math.round(Math.sqrt(TRIANGLES / 4)) - 1;
  const scaled = ({ positions, indices }: MeshData, factors: number[]): MeshData => ({
    positions: Float32Array.from(positions, (value, i) => factors[i % 3]! * value),
    indices,
  });
  const ball = sphere(TRIANGLES);
  const ring = torus(TRIANGLES);
  const block = (x: number, y: number, z: number): MeshData => slab(cells, [-x, -y, -z], [x, y, z]);
  const meshes = [
    block(1.6, 0.05, 1.6),
    block(0.08, 0.9, 0.08),
    scaled(ring, [0.25, 0.25, 0.25]),
    scaled(ball, [0.1, 0.4, 0.1]),
    scaled(ball, [0.08, 0.35, 0.08]),
    scaled(ball, [0.06, 0.25, 0.06]),
    scaled(ring, [0.12, 0.12, 0.12]),
  ];
  const nodes: TestNode[] = [];
  const channels: TestChannel[] = [];
  const times = Array.from({ length: SECONDS * KEYS_PER_SECOND + 1 }, (_, key) => key / KEYS_PER_SECOND);
  const add = (node: TestNode): number => nodes.push(node) - 1;
  for (let station = 0; station < STATIONS; station++) {
    const x = 3.5 * station;
    add({ name: `table ${station}`, mesh: 0, translation: [x, -1, 0] });
    for (let post = 0; post < 4; post++)
      add({
        name: `post ${station} ${post}`,
        mesh: 1,
        translation: [x + (post & 1 ? 1 : -1), -0.05, post & 2 ? 1 : -1],
      });
    let parent: number | undefined;
    [2, 3, 4, 5, 6].forEach((mesh, link) => {
      const joint = add({
        translation: parent === undefined ? [x, -0.7, 0] : [0, link === 1 ? 0.3 : 0.75 - 0.1 * link, 0],
      });
      if (parent !== undefined) nodes[parent]!.children = [...(nodes[parent]!.children ?? []), joint];
      const part = add({ name: `link ${station} ${link}`, mesh, translation: [0, link === 0 ? 0 : 0.35, 0] });
      nodes[joint]!.children = [part];
      const [axis, range, speed] = [[1, 2, 2, 2, 1][link]!, [3, 0.7, 1.2, 1.2, 3][link]!, 0.3 + 0.13 * link];
      const values = times.flatMap(time =>
        rotationAbout(axis as 0 | 1 | 2, range * Math.sin(speed * time + station + link)),
      );
      channels.push({ node: joint, path: 'rotation', times, values });
      parent = joint;
    });
  }
  return gltf(meshes, nodes, [{ name: 'work', channels }]);
}

const folder = mkdtempSync(join(tmpdir(), 'animation-'));
try {
  const path = join(folder, 'machine.gltf');
  writeFileSync(path, JSON.stringify(machine()));
  const report = new Report('animation');
  const scene = `machine of ${10 * STATIONS} parts, ${SECONDS} s of motion`;
  for (const threads of ['1', '2']) {
    const found = await searchMotion(
      readMotionOptions([path, '--animation', 'work', '--threads', threads]),
      IDLE,
    );
    const [motion] = found.motions;
    const { distances, sweeps } = motion!.counts;
    const variant = `pfront, ${threads} thread${threads === '1' ? '' : 's'}`;
    const triangles = found.parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
    report.add({
      scene,
      measure: 'all contacts',
      variant,
      unit: 'ms',
      n: 1,
      median: found.milliseconds,
      limit: '<= 20000 ms',
    });
    if (threads !== '1') continue;
    report.add({ scene, measure: 'triangles', variant, unit: 'count', n: 1, median: triangles });
    report.add({
      scene,
      measure: 'pairs near each other',
      variant,
      unit: 'count',
      n: 1,
      median: motion!.nearPairs,
    });
    report.add({
      scene,
      measure: 'pairs in contact',
      variant,
      unit: 'count',
      n: 1,
      median: motion!.listed.length,
    });
    report.add({ scene, measure: 'distances', variant, unit: 'count', n: 1, median: distances });
    report.add({ scene, measure: 'sweeps', variant, unit: 'count', n: 1, median: sweeps });
  }
  report.save();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
