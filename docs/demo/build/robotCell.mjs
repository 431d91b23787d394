// A robot arm in a cell with obstacles, as the files that `pfront clash --robot` reads. The arm swings from one
// side of the cell to the other. Lengths are in meters; z is up.

/** Links: name, shape, and the height of the shape's center above the link's joint. */
const links = [
  ['base', '<cylinder radius="0.3" length="0.2"/>', 0.1],
  ['column', '<cylinder radius="0.14" length="0.6"/>', 0.3],
  ['upper arm', '<box size="0.14 0.16 1"/>', 0.45],
  ['forearm', '<box size="0.1 0.12 0.9"/>', 0.4],
  ['tool', '<cylinder radius="0.045" length="0.4"/>', 0.15],
];

/** Joints: name, axis, and the height of the joint above the joint of its parent link. */
const joints = [
  ['swing', '0 0 1', 0.2],
  ['shoulder', '0 1 0', 0.55],
  ['elbow', '0 1 0', 0.9],
  ['wrist', '0 1 0', 0.8],
];

export const robotText = `<?xml version="1.0"?>
<robot name="arm">
${links
  .map(
    ([name, shape, height]) =>
      `<link name="${name}"><collision><origin xyz="0 0 ${height}"/><geometry>${shape}</geometry></collision></link>`,
  )
  .join('\n')}
${joints
  .map(
    ([name, axis, height], i) =>
      `<joint name="${name}" type="revolute"><parent link="${links[i][0]}"/><child link="${links[i + 1][0]}"/>` +
      `<origin xyz="0 0 ${height}"/><axis xyz="${axis}"/><limit lower="-3" upper="3" effort="1" velocity="3"/></joint>`,
  )
  .join('\n')}
</robot>
`;

/** Neighboring links touch by design. */
export const semanticsText = `<?xml version="1.0"?>
<robot name="arm">
${joints
  .map((_, i) => `<disable_collisions link1="${links[i][0]}" link2="${links[i + 1][0]}" reason="Adjacent"/>`)
  .join('\n')}
</robot>
`;

export const trajectoryText = `time,${joints.map(([name]) => name).join(',')}
0,-1.7,0.3,0.9,0.6
1.5,-0.6,0.8,1,0.8
3,0.6,0.7,1.2,0.6
4.5,1.7,0.3,0.9,0.6
`;

/** Boxes that do not move: name, size and center. */
export const surroundings = [
  { name: 'floor', size: [4.4, 4.4, 0.1], at: [0.4, 0, -0.06] },
  { name: 'post', size: [0.12, 0.12, 1.5], at: [1.3, 0.25, 0.75] },
  { name: 'crate', size: [0.6, 0.6, 0.7], at: [1.25, -0.75, 0.35] },
  { name: 'shelf', size: [0.7, 0.4, 0.06], at: [0.5, 1.35, 0.95] },
  { name: 'shelf leg', size: [0.06, 0.4, 0.92], at: [0.2, 1.35, 0.46] },
];
