// Tests the files that `pfront clash --animation` writes for other programs: JUnit XML (read by libxml2) and
// BCF (read by @thatopen/components). Also tests animations that cannot be checked.
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { BCFTopics, Components, Viewpoints } from '@thatopen/components';
import { unzipSync } from 'fflate';
import { XmlDocument } from 'libxml2-wasm';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { box } from '../../dist/samples/index.js';
import { gltf, type TestChannel } from '../support/animatedGltf.js';
import { test } from '../support/test.js';
import { validate as validateBcf } from './bcfSchemas.js';
import { readJUnit } from './junitSchema.js';
import { assertValid, clash, FLY, file, flight, folder, json, near } from './motionSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

// Two cubes with the edge length 2 m slide along x at the same time. One passes through a wall at x = 10. The
// other passes a post at a distance of 0.05 m.
const slide = (node: number, y: number): TestChannel => ({
  node,
  path: 'translation',
  times: [0, 2],
  values: [0, y, 0, 20, y, 0],
});
const bob: TestChannel = { node: 2, path: 'translation', times: [0, 1], values: [10, 0, 0, 10, 0, 0.5] };
const machine = (animations = [{ name: 'run', channels: [slide(0, 0), slide(1, 100)] }]) =>
  gltf(
    [box(1, 1, 1), box(0.5, 2, 2)],
    [
      { name: 'cart', mesh: 0 },
      { name: 'tray', mesh: 0, translation: [0, 100, 0] },
      { name: 'wall', mesh: 1, translation: [10, 0, 0] },
      { name: 'post', mesh: 1, translation: [10, 103.05, 0] },
    ],
    animations,
  );
const NEAR = ['--animation', 'all', '--clearance', '100mm'];
// In x, the cart extends from -1 + 10 t to 1 + 10 t at the time t, and the wall extends from 9.5 to 10.5.
const [BEGIN, END] = [0.85, 1.15];

/** Runs with --junit. Returns the counts, and for each case its suite, its name, its outcome and its text. */
function junit(...args: string[]) {
  const path = join(folder, 'contacts.xml');
  rmSync(path, { force: true });
  const { status, stderr } = clash(...args, '--junit', path);
  assert.ok(existsSync(path), stderr);
  const { text, counts } = readJUnit(path);
  using document = XmlDocument.fromString(text);
  const cases = document.find('/testsuites/testsuite/testcase').map((node: any) => {
    const [outcome] = node.find('*');
    return {
      suite: node.parent.attr('name').value,
      name: node.attr('name').value,
      outcome: outcome?.name,
      message: outcome?.attr('message')?.value,
      text: outcome?.content,
    };
  });
  return { status, counts, cases };
}

test('JUnit: each pair in contact is a failed test case with the first contact and all intervals', () => {
  const path = file('machine.gltf', machine());
  const { counts, cases, status } = junit(path, ...NEAR);
  assert.equal([status, counts], [0, { failures: 2, errors: 0, skipped: 0, tests: 2 }]);
  const [contact, clearance] = cases;
  assert.equal([contact!.suite, contact!.name, contact!.outcome], ['run', 'cart / wall', 'failure']);
  assert.match(contact!.message, /^contact: first contact at 0\.850 s; 0\.300 s in 1 interval$/);
  const [, from, to, touch] = /from ([\d.]+) s to ([\d.]+) s; shared point at ([\d.]+) s/.exec(
    contact!.text,
  )!;
  near(Number(from), BEGIN, 2e-4);
  near(Number(to), END, 2e-4);
  near(Number(touch), BEGIN, 2e-4);
  assert.match(contact!.text, /name cart; file .*machine\.gltf\nname wall; file/);
  // The cart touches the wall at x = 9.5.
  assert.match(contact!.text, /point 9\.5\d*, /);
  assert.equal([clearance!.name, clearance!.outcome], ['tray / post', 'failure']);
  assert.match(clearance!.message, /^clearance: min clearance 50 mm at /);
});

test('JUnit: with --fail-on, pairs of other classes are skipped, as are allowed pairs; a motion without pairs passes', () => {
  const path = file('machine.gltf', machine());
  const some = junit(path, ...NEAR, '--fail-on', 'contact');
  assert.equal([some.status, some.counts], [1, { failures: 1, errors: 0, skipped: 1, tests: 2 }]);
  const allow = file('allow.txt', 'cart, wall\n');
  const allowed = junit(path, ...NEAR, '--fail-on', 'any', '--allow', allow);
  assert.equal([allowed.status, allowed.counts], [1, { failures: 1, errors: 0, skipped: 1, tests: 2 }]);
  const none = junit(file('quiet.gltf', machine([{ name: 'up', channels: [bob] }])), '--animation', 'all');
  assert.equal(
    none.cases.map(({ suite, name, outcome }) => [suite, name, outcome]),
    [['up', 'no contacts', undefined]],
  );
});

const VERSIONS = ['2.1', '3.0'] as const;
const DATE = new Date('2026-03-04T05:06:07.890Z');
const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

for (const version of VERSIONS)
  test(`another library reads a topic of BCF ${version} for each pair, at the place and time of the first contact`, async () => {
    const path = file('machine.gltf', machine());
    utimesSync(path, DATE, DATE);
    const target = join(folder, 'contacts.bcf');
    const run = json(path, ...NEAR, '--bcf', target, '--bcf-version', version);
    assertValid(run);
    const bytes = new Uint8Array(readFileSync(target));
    assert.is(run.bcf.bytes, bytes.length);
    const files = unzipSync(bytes);
    for (const name of Object.keys(files))
      if (!name.endsWith('.png')) validateBcf(version, name, decoded(files[name]!));
    const components = new Components();
    const reader = components.get(BCFTopics);
    reader.setup({});
    const { topics } = await reader.load(bytes);
    const byClass = new Map(topics.map(topic => [topic.title.split(':')[0], topic]));
    assert.equal([...byClass.keys()].sort(), ['clearance', 'contact']);
    const contact = byClass.get('contact')!;
    assert.is(contact.title, 'contact: cart, wall (run, 0.850 s)');
    assert.equal([...contact.labels].sort(), ['contact', 'run']);
    assert.match(contact.description!, /^contact: first contact at 0\.850 s; 0\.300 s in 1 interval\n/);
    assert.match(contact.description!, /\nintervals: 0\.850 s to 1\.150 s\n/);
    assert.match(contact.description!, /first part: cart, machine\.gltf\nsecond part: wall, machine\.gltf/);
    assert.is(contact.creationDate.toISOString(), '2026-03-04T05:06:07.000Z');
    // The place is on the side of the wall; y is up in the file, and z is up in BCF.
    const place = /place in meters: (.*)/.exec(contact.description!)![1]!.split(', ').map(Number);
    near(place[0]!, 9.5, 1e-3);
    const pair = run.motions[0].pairs[0];
    near(place[0]!, pair.place.point[0], 1e-5);
    near(place[2]!, pair.place.point[1], 1e-5);
    near(pair.place.time, BEGIN, 2e-4);
    // The camera looks at the place. The library rotates coordinates to y up.
    const viewpoint = components.get(Viewpoints).list.get([...contact.viewpoints][0]!)!;
    const { x, y, z } = viewpoint.camera.camera_view_point;
    const { camera_direction: direction } = viewpoint.camera as any;
    const distance = Math.hypot(place[0]! - x, place[1]! + z, place[2]! - y);
    near(x + distance * direction.x, place[0]!, 1e-5);
    near(-z - distance * direction.z, place[1]!, 1e-5);
    near(y + distance * direction.y, place[2]!, 1e-5);
    const view = decoded(files[`${contact.guid}/viewpoint.bcfv`]!);
    assert.ok(view.includes('>cart<') && view.includes('>wall<'), 'both parts are selected');
    components.dispose();
    // A second run, on one thread, gives the same bytes.
    clash(path, ...NEAR, '--bcf', target, '--bcf-version', version, '--threads', '1');
    assert.equal(new Uint8Array(readFileSync(target)), bytes);
  });

test('the first contact is not the start of an earlier interval in which the parts are only near', () => {
  // The cube comes within 2 mm of the plate, moves away and then flies through the plate.
  const heights = [-3, -1.003, -3, 3];
  const path = file('first.gltf', flight({ times: [0, 1, 2, 4], values: heights.flatMap(z => [0, 0, z]) }));
  const [target, page] = [join(folder, 'near.bcf'), join(folder, 'near.html')];
  const args = [path, '--animation', 'all', '--margin', '5mm'];
  const { motions } = json(...args, '--bcf', target, '--report', page);
  const [{ class: kind, intervals, place, first }] = motions[0].pairs;
  assert.equal([kind, intervals.map(({ touch }: any) => touch !== undefined)], ['contact', [false, true]]);
  // The field `first` of the JSON is the start of the first interval.
  assert.is(first, intervals[0].from);
  near(place.time, 2 + 1.999 / 3, 1e-3);
  const time = `${place.time.toFixed(3)} s`;
  assert.match(clash(...args).stdout, new RegExp(`cube +plate +contact +${time} `));
  assert.match(junit(...args).cases[0]!.message, `first contact at ${time}; `);
  const files = unzipSync(new Uint8Array(readFileSync(target)));
  const markup = decoded(files[Object.keys(files).find(name => name.endsWith('markup.bcf'))!]!);
  assert.match(markup, `contact: cube, plate (fly, ${time})`);
  assert.match(markup, `first contact at ${time}; `);
  assert.match(readFileSync(page, 'utf8'), `<td>${time}</td>`);
});

test('the picture of a topic shows the parts where they are when they meet', async () => {
  const path = file('machine.gltf', machine());
  const target = join(folder, 'picture.bcf');
  assert.is(clash(path, '--animation', 'all', '--bcf', target).status, 0);
  const files = unzipSync(new Uint8Array(readFileSync(target)));
  const [snapshot, ...others] = Object.keys(files).filter(name => name.endsWith('.png'));
  assert.is(others.length, 0);
  const { data } = await sharp(files[snapshot!]!).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let [blue, amber] = [0, 0];
  for (let i = 0; i < data.length; i += 3) {
    if (data[i + 2]! > data[i]! + 40) blue++;
    if (data[i]! > data[i + 2]! + 60 && data[i + 1]! > data[i + 2]! + 30) amber++;
  }
  // At the start of the motion, the cart is 8.5 m away from the wall, so a picture of that time would not show
  // both.
  assert.ok(blue > 2000 && amber > 2000, `${blue} ${amber}`);
});

test('the place of a contact is correct, also if a parent node moves both parts and has keys at other times', () => {
  const times = Array.from({ length: 11 }, (_, i) => i);
  for (const interpolation of ['LINEAR', 'STEP'] as const) {
    // The base moves by 100 m each second. On it, a cube moves out of another one: from 1 to 31 m along x.
    const nodes = [
      { name: 'base', children: [1, 2] },
      { name: 'still', mesh: 0 },
      { name: 'cube', mesh: 0 },
    ];
    const carry = times.flatMap(time => [100 * time, 0, 0]);
    const channels = [
      { node: 0, path: 'translation', times, values: carry, interpolation },
      { node: 2, path: 'translation', times: [0, 10], values: [1, 0, 0, 31, 0, 0] },
    ] as const;
    const base = gltf([box(1, 1, 1)], nodes, [{ name: 'go', channels: channels as any }]);
    const [pair] = json(file('base.gltf', base), '--animation', 'all').motions[0].pairs;
    assert.is(pair.place.time, 0);
    assert.ok(pair.place.point[0] >= 0 && pair.place.point[0] <= 1, `${interpolation}: ${pair.place.point}`);
  }
});

test('a clearance that is at most the margin is refused, because it cannot have an effect', () => {
  const { status, stderr } = clash(file('fly.gltf', flight()), '--animation', 'all', '--clearance', '0.01mm');
  assert.is(status, 2);
  assert.match(
    stderr,
    /--clearance 0\.01mm has no effect: parts at most --margin 0\.01mm apart are already near/,
  );
});

test('if a part jumps into another one, the place of the contact is where the part is after the jump', () => {
  const [away, inside] = [
    [0, 0, -3],
    [0, 0, 0.5],
  ];
  const jump = { interpolation: 'STEP', times: [0, 1, 2], values: [away, inside, away].flat() };
  const [pair] = json(file('jump.gltf', flight(jump)), '--animation', 'all').motions[0].pairs;
  assert.is(pair.place.time, 1);
  // The plate cuts the cube, whose sides are at x, y = -1 and 1.
  assert.equal(
    [pair.place.box.min, pair.place.box.max].map(corner =>
      corner.map((value: number) => Math.round(1e3 * value)),
    ),
    [
      [-1000, -1000, -1],
      [1000, 1000, 1],
    ],
  );
});

test('pairs of two animations with the same name have topics and test cases of their own', () => {
  const run = { name: 'run', channels: [slide(0, 0)] };
  const path = file('twice.gltf', machine([run, run]));
  const target = join(folder, 'twice.bcf');
  const { motions } = json(path, '--animation', 'all', '--bcf', target);
  assert.equal(
    motions.map(({ name }: any) => name),
    ['run', 'run (2)'],
  );
  const files = Object.keys(unzipSync(new Uint8Array(readFileSync(target))));
  assert.is(files.filter(name => name.endsWith('markup.bcf')).length, 2);
  assert.equal(
    junit(path, '--animation', 'all').cases.map(({ suite }) => suite),
    ['run', 'run (2)'],
  );
});

// Adds a morph target to the mesh of both cubes. "run" moves the cart, "bulge" changes the weight of the morph
// target of the tray, and "grow" changes the scale of the tray.
function morphing() {
  const content = machine([
    { name: 'run', channels: [slide(0, 0)] },
    { name: 'bulge', channels: [{ node: 1, path: 'weights', times: [0, 1], values: [0, 1] }] },
    { name: 'grow', channels: [{ node: 1, path: 'scale', times: [0, 1], values: [1, 1, 1, 2, 2, 2] }] },
  ]);
  for (const primitive of content.meshes[0].primitives)
    primitive.targets = [{ POSITION: primitive.attributes.POSITION }];
  return content;
}

test('with --animation all, animations that deform a part are left out, and the result is reported as incomplete', () => {
  const path = file('morph.gltf', morphing());
  const page = join(folder, 'morph.html');
  const run = json(path, '--animation', 'all', '--fail-on', 'any', '--report', page);
  assertValid(run);
  assert.is(run.status, 4);
  assert.equal(
    run.motions.map(({ name, pairs }: any) => [name, pairs.length]),
    [['run', 1]],
  );
  assert.equal(
    run.leftOut.map(({ name, file }: any) => [name, file]),
    [
      ['bulge', path],
      ['grow', path],
    ],
  );
  assert.match(run.leftOut[0].reason, /animations\[1\]\.channels\[0\] deforms a mesh/);
  assert.match(run.leftOut[1].reason, /animations\[2\]\.channels\[0\] changes the scale/);
  assert.match(run.stderr, /note: .*the animation "bulge" could not be checked \(.*deforms a mesh/);
  assert.match(clash(path, '--animation', 'all').stdout, /2 animations could not be checked/);
  assert.match(readFileSync(page, 'utf8'), /2 animations could not be checked/);
  const { counts, cases } = junit(path, '--animation', 'all');
  assert.equal(counts, { failures: 1, errors: 2, skipped: 0, tests: 3 });
  assert.equal([cases[0]!.suite, cases[0]!.name], ['reading', 'animation bulge']);
});

test('an animation that deforms a part is refused if it is named, or if no other animation remains', () => {
  const path = file('morph.gltf', morphing());
  const only = morphing();
  only.animations = only.animations.slice(1);
  for (const args of [
    [path, '--animation', 'bulge'],
    [file('only.gltf', only), '--animation', 'all'],
  ]) {
    const { status, stdout, stderr } = clash(...args);
    assert.equal([status, stdout], [2, '']);
    assert.match(stderr, /deforms a mesh, but only rigid motion can be checked\nfix: /);
  }
  const named = json(path, '--animation', 'run');
  assert.equal([named.status, named.leftOut], [0, []]);
});

// The cart slides through the wall and then into a doll: a mesh with a skin that has a single joint, at x = 15.
function skinned(bone: TestChannel) {
  const content = gltf(
    [box(1, 1, 1), box(0.5, 2, 2), box(1, 1, 1)],
    [
      { name: 'cart', mesh: 0 },
      { name: 'wall', mesh: 1, translation: [10, 0, 0] },
      { name: 'doll', mesh: 2 },
      { name: 'bone', translation: [15, 0, 0] },
    ],
    [
      { name: 'run', channels: [slide(0, 0)] },
      { name: 'nod', channels: [slide(0, 0), bone] },
    ],
  );
  content.nodes[2].skin = 0;
  content.skins = [{ joints: [3] }];
  const { attributes } = content.meshes[2].primitives[0];
  const { count } = content.accessors[attributes.POSITION];
  const weights = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const [buffer] = content.buffers;
  const chunks: Buffer[] = [Buffer.from(buffer.uri.split(',')[1], 'base64')];
  const store = (bytes: Buffer, componentType: number): number => {
    const byteOffset = Buffer.concat(chunks).length;
    chunks.push(bytes);
    content.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length });
    return (
      content.accessors.push({
        bufferView: content.bufferViews.length - 1,
        componentType,
        type: 'VEC4',
        count,
      }) - 1
    );
  };
  attributes.JOINTS_0 = store(Buffer.alloc(4 * count), 5121);
  attributes.WEIGHTS_0 = store(Buffer.from(weights.buffer), 5126);
  const bytes = Buffer.concat(chunks);
  buffer.byteLength = bytes.length;
  buffer.uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  return content;
}

test('an animation that moves a joint of a skin is left out; one that moves no joint is checked', () => {
  const bone = (values: number[]): TestChannel => ({ node: 3, path: 'translation', times: [0, 1], values });
  const path = file('skin.gltf', skinned(bone([15, 0, 0, 15, 9, 0])));
  const run = json(path, '--animation', 'all');
  assertValid(run);
  const [motion] = run.motions;
  assert.equal(
    motion.pairs.map(({ nameA, nameB, first }: any) => [nameA, nameB, Math.round(100 * first)]),
    [
      ['cart', 'wall', 85],
      ['cart', 'doll', 130],
    ],
  );
  assert.equal([run.status, run.motions.length, run.leftOut.length, run.leftOut[0].name], [4, 1, 1, 'nod']);
  assert.match(
    run.leftOut[0].reason,
    /nodes\[2\] is deformed by its skin, because the joint nodes\[3\] moves/,
  );
  // If the animation keeps the joint at the place that the joint has in the file, the mesh is not deformed. If
  // the animation keeps the joint at another place, the mesh is deformed.
  assert.is(json(file('rest.gltf', skinned(bone([15, 0, 0, 15, 0, 0]))), '--animation', 'all').status, 0);
  assert.is(json(file('pose.gltf', skinned(bone([15, 9, 0, 15, 9, 0]))), '--animation', 'all').status, 4);
});

test('invalid files are still refused as a whole with --animation all', () => {
  const path = file('late.gltf', flight({ ...FLY, times: [1e30, 2e30] }));
  assert.is(clash(path, '--animation', 'all').status, 2);
});

test.run();
