// Tests `pfront clash --animation`: contacts at known times, intervals compared with dense sampling, and
// errors.
import { readFileSync, rmSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import {
  AnimationClip,
  AnimationMixer,
  LoopOnce,
  Object3D,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { box, createRandom, sphere } from '../../dist/samples/index.js';
import { gltf, rotationAbout, type TestChannel } from '../support/animatedGltf.js';
import { test } from '../support/test.js';
import { assertValid, clash, FLY, file, flight, folder, json, near } from './motionSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

test('the contact of a fast part that flies through a plate between two keys is found, at the right time', () => {
  const run = json(file('fast.gltf', flight()), '--animation', 'fly', '--fail-on', 'contact');
  assert.is(run.status, 1);
  assertValid(run);
  const [pair, ...others] = run.motions[0].pairs;
  assert.equal(
    [others.length, pair.nameA, pair.nameB, pair.class, pair.intervals.length],
    [0, 'cube', 'plate', 'contact', 1],
  );
  // The top of the cube is at z = -2 + 300 t, its bottom at z = -4 + 300 t; the plate is 0.002 thick.
  const [begin, end] = [(2 - 0.001) / 300, (4 + 0.001) / 300];
  const { from, to, touch } = pair.intervals[0];
  assert.ok(from <= begin && begin <= touch && touch < to && to >= end, JSON.stringify(pair));
  near(from, begin, 2e-4);
  near(touch, begin, 2e-4);
  near(to, end, 2e-4);
});

test('a part that jumps from one side to the other has no contact', () => {
  const run = json(file('jump.gltf', flight({ interpolation: 'STEP' })), '--animation', 'all');
  assert.equal([run.status, run.motions[0].pairs], [0, []]);
});

test('a part that jumps into another one is in contact until it jumps away, also at the end', () => {
  const [away, inside] = [
    [0, 0, -3],
    [0, 0, 0.5],
  ];
  const times = [0, 1, 2, 3, 4];
  const values = [away, away, inside, away, inside].flat();
  const path = file('jumps.gltf', flight({ interpolation: 'STEP', times, values }));
  // With the clearance, the boxes of the parts are near each other at all times.
  for (const more of [[], ['--clearance', '10m']]) {
    const [motion] = json(path, '--animation', 'all', ...more).motions;
    const [{ intervals }] = motion.pairs;
    assert.equal(
      intervals.map(({ from, to }: any) => [from, to]),
      [
        [2, 3],
        [4, motion.end],
      ],
    );
  }
});

// An arm of length 3 rotates about the z axis by half a turn. Its ancestor node is moved and scaled.
const arm = (scale = 1) =>
  gltf(
    [box(1.5, 0.1, 0.1), box(0.5, 0.5, 0.5), box(0.2, 0.2, 0.2)],
    [
      { name: 'root', scale: [scale, scale, scale], translation: [7, 1, 2], children: [1, 3] },
      { name: 'pivot', children: [2, 4] },
      { name: 'arm', mesh: 0, translation: [1.5, 0, 0] },
      { name: 'post', mesh: 1, translation: [0, 2.5, 0] },
      { name: 'rivet', mesh: 2, translation: [1, 0, 0] },
    ],
    [
      {
        channels: [
          {
            node: 1,
            path: 'rotation',
            times: [0, 1, 2],
            values: [...rotationAbout(2, 0), ...rotationAbout(2, Math.PI / 2), ...rotationAbout(2, Math.PI)],
          },
        ],
      },
    ],
  );

test('an arm that turns hits a post at the correct angle, and leaves it; two parts in contact that move with the same node are listed as `still`', () => {
  for (const scale of [1, 0.001]) {
    const run = json(file('arm.gltf', arm(scale)), '--animation', 'animation 0', '--margin', '0.001mm');
    const [motion] = run.motions;
    assert.equal(
      motion.pairs.map(({ nameA, nameB }: any) => `${nameA} ${nameB}`),
      ['arm post'],
    );
    assert.equal(motion.still.length, 1);
    // The upper edge of the arm, at distance 0.1 from its axis, reaches the corner (0.5, 2) of the post.
    const radius = Math.hypot(0.5, 2);
    const angle = Math.atan2(2, 0.5) - Math.asin(0.1 / radius);
    const begin = angle / (Math.PI / 2);
    const [{ from, to, touch }] = motion.pairs[0].intervals;
    assert.ok(from <= begin && to >= 2 - begin, `${from} ${to}`);
    near(from, begin, 1e-3);
    near(touch, begin, 1e-3);
    near(to, 2 - begin, 1e-3);
  }
});

test('a thin part at the end of a long arm hits a thin wall although the arm turns by only 2e-8 radians', () => {
  const [length, thickness, gap] = [1e5, 1e-4, 1e-3];
  const plate = box(0.5, thickness / 2, 0.5);
  const path = file(
    'long.gltf',
    gltf(
      [plate],
      [
        { name: 'pivot', children: [1] },
        { name: 'plate', mesh: 0, translation: [length, 0, 0] },
        { name: 'wall', mesh: 0, translation: [length, gap, 0] },
      ],
      [
        {
          channels: [
            {
              node: 0,
              path: 'rotation',
              times: [0, 1],
              values: [...rotationAbout(2, 0), ...rotationAbout(2, 2e-8)],
            },
          ],
        },
      ],
    ),
  );
  const [pair] = json(path, '--animation', 'all').motions[0].pairs;
  assert.is(pair?.class, 'contact');
  // The plate at the end of the arm moves at 2e-3 m/s along y. Plate and wall touch while the center of the
  // plate is between gap - thickness and gap + thickness.
  const [{ from, to }] = pair.intervals;
  const [begin, end] = [gap - thickness, gap + thickness].map(way => way / (length * 2e-8));
  assert.ok(from <= begin! && to >= end!, JSON.stringify(pair));
  near(from, begin!, 0.02);
  near(to, end!, 0.02);
});

// Makes a tree of moving nodes with random keys, and the same tree in three.js, whose animation system does not
// depend on pfront.
function randomMachine(seed: number) {
  const random = createRandom(seed);
  const between = (low: number, high: number) => random.between(low, high);
  const times = Array.from({ length: 6 }, (_, key) => key / 4);
  const nodes = Array.from({ length: 6 }, (_, number) => ({
    name: `part ${number}`,
    mesh: number % 2,
    translation: [between(-3, 3), between(-3, 3), between(-3, 3)],
    ...(number < 3 ? { children: [number + 3] } : {}),
  }));
  const unit = () => {
    const q = Array.from({ length: 4 }, () => between(-1, 1));
    return q.map(value => value / Math.hypot(...q));
  };
  const channels = nodes.flatMap((node, number): TestChannel[] => [
    { node: number, path: 'rotation', times, values: times.flatMap(unit) },
    ...(number < 3
      ? [
          {
            node: number,
            path: 'translation' as const,
            times,
            values: times.flatMap(() => node.translation.map(value => 0.5 * value + between(-2, 2))),
          },
        ]
      : []),
  ]);
  const meshes = [box(1, 0.6, 0.4), box(0.2, 1.5, 0.3)];
  const objects = nodes.map(({ name, translation }) => {
    const object = new Object3D();
    object.name = name;
    object.position.fromArray(translation);
    return object;
  });
  const root = new Object3D();
  nodes.forEach(({ children = [] }, number) => {
    for (const child of children) objects[number]!.add(objects[child]!);
    if (number < 3) root.add(objects[number]!);
  });
  const tracks = channels.map(({ node, path, values }) => {
    const keys = [...Float32Array.from(values)];
    return path === 'rotation'
      ? new QuaternionKeyframeTrack(`${objects[node]!.uuid}.quaternion`, times, keys)
      : new VectorKeyframeTrack(`${objects[node]!.uuid}.position`, times, keys);
  });
  const mixer = new AnimationMixer(root);
  mixer
    .clipAction(new AnimationClip('all', 1.25, tracks))
    .setLoop(LoopOnce, 1)
    .play();
  const place = (time: number) => {
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    return objects.map(({ matrixWorld }) => matrixWorld.elements);
  };
  return { file: gltf(meshes, nodes, [{ name: 'tumble', channels }]), place, meshes };
}

test('if three.js places the parts at many times, each contact at one of these times is inside an interval of the pair', async () => {
  const engine = await createEngine({ threads: 1 });
  let contacts = 0;
  for (const seed of [1, 2, 3]) {
    const { file: content, place, meshes } = randomMachine(seed);
    const run = json(file(`tumble${seed}.gltf`, content), '--animation', 'tumble');
    const numberOf = (name: string) => Number(name.split(' ')[1]);
    const intervals = new Map<string, { from: number; to: number }[]>(
      run.motions[0].pairs.map(({ nameA, nameB, intervals }: any) => [
        [numberOf(nameA), numberOf(nameB)].sort().join(' '),
        intervals,
      ]),
    );
    const shapes = meshes.map(mesh => engine.createMesh(mesh));
    let outside = 0;
    for (let sample = 0; sample < 600; sample++) {
      const time = (1.25 * (sample + 0.5)) / 600;
      const placed = place(time);
      for (let a = 0; a < 6; a++)
        for (let b = a + 1; b < 6; b++) {
          const [transformA, transformB] = [placed[a]!, placed[b]!];
          if (!engine.query(shapes[a % 2]!, shapes[b % 2]!, { transformA, transformB, want: 'any' }))
            continue;
          contacts++;
          const list = intervals.get(`${a} ${b}`) ?? [];
          if (!list.some(({ from, to }) => from <= time && time <= to)) outside++;
        }
    }
    assert.is(outside, 0, `seed ${seed}`);
    for (const list of intervals.values())
      for (const { touch, from, to } of list as any[])
        assert.ok(touch === undefined || (from <= touch && touch <= to));
  }
  engine.dispose();
  assert.ok(contacts > 500, String(contacts));
});

test('parts that pass at a distance have no contact, and their min clearance is bounded', () => {
  const meshes = [sphere(20_000), sphere(20_000)];
  const path = file(
    'pass.gltf',
    gltf(
      meshes,
      [
        { name: 'ball', mesh: 0 },
        { name: 'other', mesh: 1, translation: [0, 2.05, 0] },
      ],
      [{ channels: [{ node: 0, path: 'translation', times: [0, 1], values: [-5, 0, 0, 5, 0, 0] }] }],
    ),
  );
  assert.equal(json(path, '--animation', 'all').motions[0].pairs, []);
  const [pair] = json(path, '--animation', 'all', '--clearance', '100mm').motions[0].pairs;
  const { distance, lower, at } = pair.min;
  assert.ok(pair.class === 'clearance' && lower <= distance && lower > 0.94 * distance, JSON.stringify(pair));
  near(distance, 0.05, 0.01);
  near(at, 0.5, 0.05);
  assert.is(clash(path, '--animation', 'all', '--clearance', '100mm', '--fail-on', 'clearance').status, 1);
});

test('the CSV file has a row for each interval', () => {
  const path = file('table.gltf', flight());
  const run = json(path, '--animation', 'all', '--csv', `${folder}/contacts.csv`);
  assertValid(run);
  const rows = parseCsv(readFileSync(`${folder}/contacts.csv`, 'utf8'), {
    bom: true,
    columns: true,
  }) as any[];
  const [{ from, to, touch }] = run.motions[0].pairs[0].intervals;
  assert.equal(
    rows.map(row => [
      row.motion,
      row.class,
      row.nameA,
      row.nameB,
      Number(row.from),
      Number(row.to),
      Number(row.touch),
    ]),
    [['fly', 'contact', 'cube', 'plate', from, to, touch]],
  );
  assert.match(
    clash(path, '--animation', 'all', '--csv', 'x.txt').stderr,
    /--csv x.txt does not end in .csv/,
  );
});

test('the page has a timeline with a bar for each interval, escapes names and allows only its own script', () => {
  const content = flight();
  content.nodes[0].name = '<b>&"cube';
  const page = `${folder}/contacts.html`;
  const run = json(file('page.gltf', content), '--animation', 'all', '--report', page);
  assertValid(run);
  const html = readFileSync(page, 'utf8');
  assert.is(html.match(/<rect class="contact"/g)!.length, 1);
  assert.ok(html.includes('&#60;b&#62;&#38;&#34;cube') && !html.includes('<b>'));
  assert.match(
    html,
    /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data: blob:; base-uri/,
  );
  const [, x, width] = /<rect class="contact" data-moment="0" x="([\d.]+)" y="3" width="([\d.]+)"/.exec(
    html,
  )!;
  const { from, to } = run.motions[0].pairs[0].intervals[0];
  near(Number(x), 1000 * from, 0.01);
  near(Number(width), 1000 * (to - from), 0.01);
});

test('allowed pairs do not fail the run', () => {
  const path = file('fast2.gltf', flight());
  const list = file('allow.txt', 'cube, plate\n');
  const run = json(path, '--animation', 'all', '--allow', list, '--fail-on', 'any');
  assert.equal([run.status, run.motions[0].pairs.length, run.motions[0].allowed.length], [0, 0, 1]);
});

test('the results do not depend on the number of threads', () => {
  const path = file('arm2.gltf', arm());
  const run = (threads: string) => json(path, '--animation', 'all', '--threads', threads).motions;
  assert.equal(run('1'), run('3'));
});

test('a part that moves along a spline has a contact if the spline dips into another part, but not if the spline stays above that part', () => {
  // The curve goes from (-5, 0, 3) to (5, 0, 3); the tangents pull its middle down to z = 3 - depth.
  const dip = (depth: number) => {
    const slope = 4 * depth;
    return {
      interpolation: 'CUBICSPLINE',
      values: [...[0, 0, 0, -5, 0, 3, 10, 0, -slope], ...[10, 0, slope, 5, 0, 3, 0, 0, 0]],
    };
  };
  const pairs = (depth: number) =>
    json(file('spline.gltf', flight(dip(depth))), '--animation', 'all').motions[0].pairs;
  assert.equal(pairs(1.9), []);
  const [{ intervals }] = pairs(2.5);
  assert.is(intervals.length, 1);
  near((intervals[0].from + intervals[0].to) / 2, 0.5, 1e-3);
});

test('with --animation all, an animation that moves no node is left out with a note; it is refused if it is named, or is the only one', () => {
  const still = { name: 'pose', channels: [{ ...FLY, times: [0], values: [0, 0, -3] } as any] };
  const meshes = [box(1, 1, 1), box(4, 4, 0.001)];
  const nodes = [{ mesh: 0 }, { mesh: 1 }];
  const path = file(
    'pose.gltf',
    gltf(meshes, nodes, [still, { name: 'fly', channels: [{ ...FLY } as any] }]),
  );
  const { motions, stderr } = json(path, '--animation', 'all');
  assert.equal([motions.length, motions[0].name, motions[0].pairs.length], [1, 'fly', 1]);
  assert.match(stderr, /note: .*the animation "pose" moves no node/);
  const alone = file('poses.gltf', gltf(meshes, nodes, [still]));
  for (const args of [
    [path, '--animation', 'pose'],
    [alone, '--animation', 'all'],
  ]) {
    const run = clash(...args);
    assert.is(run.status, 2);
    assert.match(run.stderr, /the animation "pose" moves no node/);
  }
});

test('a spline that keeps a scale constant is accepted, and a spline whose tangents change the scale is refused', () => {
  const scale = (tangent: number) => {
    const [still, tangents] = [Array(3).fill(0), Array(3).fill(tangent)];
    const one = [1, 1, 1];
    const content = flight();
    const spline = {
      node: 0,
      path: 'scale' as const,
      times: [0, 1],
      // The first tangent is the in-tangent of the first key, which has no effect.
      values: [...[9, 9, 9], ...one, ...tangents, ...still, ...one, ...still],
      interpolation: 'CUBICSPLINE' as const,
    };
    const channels = [{ ...FLY } as any, spline];
    const { nodes } = content;
    return gltf([box(1, 1, 1), box(4, 4, 0.001)], nodes, [{ name: 'fly', channels }]);
  };
  const run = json(file('scale0.gltf', scale(0)), '--animation', 'all');
  assert.equal(
    run.motions[0].pairs,
    json(file('fast3.gltf', flight()), '--animation', 'all').motions[0].pairs,
  );
  assert.match(
    clash(file('scale1.gltf', scale(1)), '--animation', 'all').stderr,
    /changes the scale of a node/,
  );
});

test('animations that cannot be checked, and wrong options, are refused with exit code 2', () => {
  const path = file('good.gltf', flight());
  const refused = (pattern: RegExp, ...args: string[]) => {
    const { status, stdout, stderr } = clash(...args);
    assert.is(status, 2, stderr);
    assert.is(stdout, '');
    assert.match(stderr, pattern);
    assert.match(stderr, /\nfix: /);
  };
  refused(/no animation has this name/, path, '--animation', 'walk');
  refused(
    /no file has an animation/,
    file('none.gltf', { ...flight(), animations: undefined }),
    '--animation',
    'all',
  );
  refused(/--fail-on hard: "hard" is not a class of motion/, path, '--animation', 'all', '--fail-on', 'hard');
  refused(/--animation is given twice/, path, '--animation', 'fly', '--animation=walk');
  refused(/--ifc-limits 4 has no effect: no file/, path, '--animation', 'all', '--ifc-limits', '4');
  refused(/--margin is given twice/, path, '--animation', 'all', '--margin', '1mm', '--margin', '2mm');
  refused(
    /the animation "fly" has times up to 2\.0\d+e\+30 s, where neighboring numbers are \S+ s apart;/,
    file('late.gltf', flight({ times: [1e30, 2e30] })),
    ...['--animation', 'all'],
  );
  refused(/--margin 0 must be greater than 0/, path, '--animation', 'all', '--margin', '0');
  for (const still of [
    ['--split', 'components'],
    ['--tolerance', '1mm'],
    ['--group', 'part'],
    ['--regions'],
    ['--certify', 'c.json'],
    ['--include-related'],
    ['--between', 'a', 'b'],
  ]) {
    const given = still.slice(0, 2).join(' ');
    refused(
      new RegExp(`${given} cannot be combined with --animation or --robot`),
      path,
      '--animation',
      'all',
      ...still,
    );
  }
  refused(/--bcf x.txt does not end in .bcf/, path, '--animation', 'all', '--bcf', 'x.txt');
  refused(/--junit x.txt does not end in .xml/, path, '--animation', 'all', '--junit', 'x.txt');
  refused(/--report x.txt does not end in .html/, path, '--animation', 'all', '--report', 'x.txt');
  refused(
    /changes the scale of a node/,
    file('scale.gltf', flight({ path: 'scale', values: [1, 1, 1, 2, 2, 2] })),
    ...['--animation', 'all'],
  );
  refused(/times must ascend/, file('times.gltf', flight({ times: [1, 0] })), ...['--animation', 'all']);
  refused(
    /has 1 value, but its 2 times need 2/,
    file('values.gltf', flight({ values: [0, 0, 0] })),
    ...['--animation', 'all'],
  );
  refused(
    /animations\[0\]\.samplers\[0\]\.output \(key 1\) has length 2, not 1/,
    file('quaternion.gltf', flight({ path: 'rotation', values: [0, 0, 0, 1, 0, 0, 0, 2] })),
    ...['--animation', 'all'],
  );
  const twisted = arm();
  twisted.nodes[0].scale = [1, 2, 1];
  refused(
    /rotates below a node that scales its axes differently/,
    file('twist.gltf', twisted),
    '--animation',
    'all',
  );
});

test.run();
