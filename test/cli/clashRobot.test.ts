// Tests `pfront clash --robot`: contacts at known joint positions, disabled pairs, meshes in packages, and
// errors.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { meshOf } from '../../dist/cli/motion/robot/primitives.js';
import { test } from '../support/test.js';
import { clash, file, folder, json, near } from './motionSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

const link = (name: string, shape: string, xyz = '0 0 0') =>
  `<link name="${name}"><collision><origin xyz="${xyz}"/><geometry>${shape}</geometry></collision></link>`;
const joint = (name: string, type: string, parent: string, child: string, more = '') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${more}</joint>`;
const robot = (...content: string[]) =>
  `<?xml version="1.0"?>\n<robot name="arm">${content.join('\n')}</robot>`;

// An arm of length 1 and thickness 0.1 rotates about the z axis. A post of radius 0.1 stands in its way. A
// block slides along the arm; its joint mimics the joint that rotates the arm.
const LIMIT = '<limit lower="-3" upper="3" effort="1" velocity="1"/>';
const parts = [
  link('base', '<box size="0.4 0.4 0.2"/>'),
  link('upper', '<box size="1 0.1 0.1"/>', '0.5 0 0'),
  link('post', '<cylinder radius="0.1" length="1"/>', '0.5 0.8 0.2'),
  link('block', '<box size="0.1 0.1 0.1"/>', '0 0 0.07'),
];
const joints = [
  joint('turn', 'revolute', 'base', 'upper', `<origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>${LIMIT}`),
  joint('weld', 'fixed', 'base', 'post'),
  joint(
    'slide',
    'prismatic',
    'upper',
    'block',
    `<axis xyz="1 0 0"/>${LIMIT}<mimic joint="turn" multiplier="0.1" offset="0.2"/>`,
  ),
];
const arm = (name = 'arm.urdf') => file(name, robot(...parts, ...joints));
const path = () => file('path.csv', 'time,turn\n0,0\n1,2\n2,0\n');
const named = ({ pairs }: any) => pairs.map(({ nameA, nameB }: any) => `${nameA} ${nameB}`);

test('an arm hits a post at the right joint position, twice, and disabled pairs are not tested', () => {
  const run = json('--robot', arm(), '--trajectory', path());
  assert.equal(named(run.motions[0]), ['upper post', 'upper block']);
  // The distance from the axis to the surface is 0.05 for the arm, and 0.1 for the post. pfront replaces the
  // post by an enclosing prism with 64 sides.
  const [x, y] = [0.5, 0.8];
  const begin = (Math.atan2(y, x) - Math.asin(0.15 / Math.hypot(x, y))) / 2;
  const [first, second] = run.motions[0].pairs[0].intervals;
  assert.ok(first.from <= begin && second.to >= 2 - begin, JSON.stringify([first, second, begin]));
  near(first.touch, begin, 1e-3);
  near(second.to, 2 - begin, 1e-3);
  const disabled = file(
    'arm.srdf',
    robot('<disable_collisions link1="block" link2="upper" reason="Adjacent"/>'),
  );
  const fewer = json('--robot', arm(), '--trajectory', path(), '--srdf', disabled, '--fail-on', 'any');
  assert.equal([fewer.status, named(fewer.motions[0])], [1, ['upper post']]);
});

test('a trajectory of ROS in JSON gives the same contacts as a CSV file', () => {
  const points = [
    { time_from_start: { sec: 0, nanosec: 0 }, positions: [0] },
    { time_from_start: { secs: 1, nsecs: 0 }, positions: [2] },
    { time: 2, positions: [0] },
  ];
  const ros = file('path.json', JSON.stringify({ joint_names: ['turn'], points }));
  const pairs = (trajectory: string) => json('--robot', arm(), '--trajectory', trajectory).motions[0].pairs;
  assert.equal(pairs(ros), pairs(path()));
});

test('meshes are found in packages and beside the file, and are scaled', () => {
  mkdirSync(join(folder, 'arm_pkg', 'urdf'), { recursive: true });
  mkdirSync(join(folder, 'arm_pkg', 'meshes'), { recursive: true });
  // A tetrahedron that is 1000 units long; a unit is a millimeter.
  const obj = 'v 0 -50 -50\nv 1000 -50 -50\nv 1000 50 -50\nv 0 0 50\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';
  writeFileSync(join(folder, 'arm_pkg', 'meshes', 'upper.obj'), obj);
  writeFileSync(join(folder, 'arm_pkg', 'meshes', 'packed.obj.gz'), gzipSync(obj));
  const withMesh = (name: string, run: (...args: string[]) => any, ...args: string[]) => {
    const urdf = join(folder, 'arm_pkg', 'urdf', 'mesh.urdf');
    const mesh = link('upper', `<mesh filename="${name}" scale="0.001 0.001 0.001"/>`);
    writeFileSync(urdf, robot(parts[0]!, mesh, ...parts.slice(2), ...joints));
    return run('--robot', urdf, '--trajectory', path(), ...args);
  };
  const pairsWith = (name: string, ...args: string[]) => withMesh(name, json, ...args).motions[0].pairs;
  const inPackage = pairsWith('package://arm_pkg/meshes/upper.obj');
  assert.ok(inPackage.some(({ nameA, nameB }: any) => `${nameA} ${nameB}` === 'upper post'));
  assert.equal(pairsWith('../meshes/upper.obj'), inPackage);
  const ratio = ['--max-unpack-ratio', '60'];
  assert.equal(pairsWith('../meshes/packed.obj.gz', ...ratio), inPackage);
  const { status, stderr } = withMesh('../meshes/upper.obj', clash, ...ratio);
  assert.is(status, 2);
  assert.match(stderr, /--max-unpack-ratio 60 has no effect: no file is a \.gz or \.3mf file/);
});

test('the mesh of a box contains the box, and has exactly its size on axes where float32 can represent the corners', () => {
  // Rounding to float32 makes 0.7 / 2 smaller, and 999.7 / 2 larger.
  const { positions } = meshOf({ kind: 'box', size: [0.7, 999.7, 0.5] });
  [0.35, 499.85, 0.25].forEach((size, axis) => {
    const along = [...positions].filter((_, i) => i % 3 === axis);
    const [min, max] = [Math.min(...along), Math.max(...along)];
    assert.is(min, -max);
    assert.ok(max >= size && max <= size * (1 + 2 ** -23), `${max} for ${size}`);
    if (axis === 2) assert.is(max, size);
  });
});

test('the meshes of round shapes contain the shapes', () => {
  for (const shape of [
    { kind: 'sphere', radius: 0.7 },
    { kind: 'cylinder', radius: 0.3, length: 2 },
    { kind: 'cylinder', radius: 1, length: 0.7 },
    { kind: 'cylinder', radius: 1, length: 999.7 },
  ] as const) {
    const { positions, indices } = meshOf(shape);
    if (shape.kind === 'cylinder')
      assert.ok(Math.max(...[...positions].filter((_, i) => i % 3 === 2)) >= shape.length / 2);
    for (let at = 0; at < indices.length; at += 3) {
      const [p, q, r] = [0, 1, 2].map(i => [
        ...positions.slice(3 * indices[at + i]!, 3 * indices[at + i]! + 3),
      ]);
      const [u, v] = [q!, r!].map(point => point.map((value, i) => value - p![i]!));
      const normal = [0, 1, 2].map(
        i => u![(i + 1) % 3]! * v![(i + 2) % 3]! - u![(i + 2) % 3]! * v![(i + 1) % 3]!,
      );
      const size = Math.hypot(...normal);
      // Along the outward normal, the plane of the triangle is at `height`, and the farthest point of the shape
      // is at `farthest`.
      const height = normal.reduce((sum, value, i) => sum + value * p![i]!, 0) / size;
      const sideways = Math.hypot(normal[0]!, normal[1]!) / size;
      const farthest =
        shape.kind === 'sphere'
          ? shape.radius
          : shape.radius * sideways + (shape.length / 2) * (Math.abs(normal[2]!) / size);
      assert.ok(height >= farthest * (1 - 1e-7), `${shape.kind}: ${height} < ${farthest}`);
    }
  }
});

const refused = (pattern: RegExp, ...args: string[]) => {
  const { status, stdout, stderr } = clash(...args);
  assert.is(status, 2, stderr);
  assert.is(stdout, '');
  assert.match(stderr, pattern);
};
const run = (urdf: string, csv: string, ...more: string[]) =>
  ['--robot', file('bad.urdf', urdf), '--trajectory', file('bad.csv', csv), ...more] as const;
const other = [
  link('tip', '<sphere radius="0.1"/>'),
  joint('other', 'continuous', 'base', 'tip', '<axis xyz="0 0 1"/>'),
];
const good = robot(...parts, ...joints);

test('robots and trajectories that cannot be checked are refused with exit code 2', () => {
  refused(
    /moves the joint turn to 4 at 1 s, outside of its limits -3 to 3/,
    ...run(good, 'time,turn\n0,0\n1,4\n'),
  );
  refused(/names the joint elbow, which the robot does not have/, ...run(good, 'time,elbow\n0,0\n1,1\n'));
  refused(/times? 1 after 2/, ...run(good, 'time,turn\n0,0\n2,0\n1,0\n'));
  refused(/line 3 has 1 cell,/, ...run(good, 'time,turn\n0,0\n1\n'));
  refused(/has the type floating/, ...run(good.replace('revolute', 'floating'), 'time,turn\n0,0\n1,1\n'));
  refused(/is not valid XML/, ...run(good.replace('</link>', ''), 'time,turn\n0,0\n1,1\n'));
  refused(
    /line \d+: <parent> names the link bse/,
    ...run(good.replace('parent link="base"', 'parent link="bse"'), 'time,turn\n0,0\n1,1\n'),
  );
  refused(/--robot requires --trajectory/, '--robot', arm());
  refused(
    /names the link hand, which the URDF file does not have/,
    ...run(good, 'time,turn\n0,0\n1,1\n'),
    ...['--srdf', file('bad.srdf', robot('<disable_collisions link1="hand" link2="base"/>'))],
  );
});

test('angles that are too large for accurate sines are refused', () => {
  const spun = robot(...parts, ...joints, ...other);
  refused(
    /bad.csv: moves the joint other to 1000000000000 rad at 1 s, more than 1000000 rad\nfix: /,
    ...run(spun, 'time,turn,other\n0,0,0\n1,0,1e12\n'),
  );
  refused(
    /line \d+: <origin> has an angle of more than 1000000 rad in rpy/,
    ...run(good.replace('<origin xyz="0 0 0.2"/>', '<origin rpy="0 0 -1e7"/>'), 'time,turn\n0,0\n1,1\n'),
  );
});

test('times that are too large or too close are refused', () => {
  // Times in nanoseconds since 1970.
  refused(
    /bad.csv: has times up to 1700000001000000000 s, where neighboring numbers are 256 s apart;.*\nfix: .*nanoseconds/,
    ...run(good, 'time,turn\n1700000000000000000,0\n1700000001000000000,2\n'),
  );
  refused(
    /bad.csv: moves upper from 0 s to 1e-310 s at a speed that is not finite/,
    ...run(good, 'time,turn\n0,0\n1e-310,2\n'),
  );
});

test('a trajectory is refused if it does not move a joint whose limits exclude the position 0', () => {
  refused(
    /does not move the joint turn, and 0 is outside of its limits 1 to 3\nfix: Add the joint to the trajectory/,
    ...run(
      robot(...parts, ...joints.map(text => text.replace('lower="-3"', 'lower="1"')), ...other),
      'time,other\n0,0\n1,1\n',
    ),
  );
});

test('a URL of a mesh that is not a path on this computer is refused', () => {
  for (const uri of ['file://host/x.stl', 'file:///a%2Fb.stl', 'file:///%zz.stl'])
    refused(
      /line \d+: <mesh> names file:\S+, which is not a path on this computer/,
      ...run(
        robot(parts[0]!, link('upper', `<mesh filename="${uri}"/>`), ...parts.slice(2), ...joints),
        'time,turn\n0,0\n1,1\n',
      ),
    );
});

test.run();
