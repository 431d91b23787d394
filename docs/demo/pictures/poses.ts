// The picture of the guide "Many poses": several poses of a robot arm beside a shelf. Arms that are in
// collision are drawn in a second color.
import type { Engine } from 'pfront';
import { robotArm } from 'pfront/samples';
import { Mesh, MeshLambertMaterial } from 'three';
import { element } from '../shell/elements.js';
import { cornersOf, geometryOf, place } from '../shell/geometry.js';
import { Stage, themed } from '../shell/stage.js';
import { start } from '../shell/start.js';

/** Number of random poses, from which the drawn poses are chosen. */
const CANDIDATES = 400;
const SEED = 7;
/** Number of drawn poses of each kind: arms that hit the shelf or what is on it, and arms that hit nothing. */
const [HITS, FREE] = [3, 4];
/** The base is in the same place in all poses, so it is drawn once. */
const FIRST_MOVING = 1;

void start((engine: Engine) => {
  const arm = robotArm();
  const { fixedTransforms, movingCount } = arm;
  const poses = arm.place(arm.randomAngles(CANDIDATES, SEED));
  const answers = engine.queryPoses({
    meshes: arm.meshes.map(mesh => engine.createMesh(mesh)),
    moving: movingCount,
    fixed: fixedTransforms,
    allowed: arm.allowed,
    poses,
    want: 'first',
  });
  const isHit = (pose: number): boolean => (answers.firstPair(pose)?.[1] ?? 0) > movingCount;
  const all = Array.from({ length: CANDIDATES }, (_, pose) => pose);
  const hits = all.filter(isHit).slice(0, HITS);
  const drawn = [...hits, ...all.filter(pose => !answers.has(pose)).slice(0, FREE)];

  const stage = new Stage(element('view'), 'z');
  const [fixed, free, hit] = ['faint', 'part-c', 'clash'].map(name =>
    themed(new MeshLambertMaterial({ flatShading: true }), name),
  );
  const geometries = arm.meshes.map(geometryOf);
  const draw = (
    body: number,
    material: MeshLambertMaterial,
    matrices: ArrayLike<number>,
    at: number,
  ): void => {
    const mesh = new Mesh(geometries[body], material);
    place(mesh, matrices, at);
    stage.scene.add(mesh);
  };
  for (let body = movingCount; body < geometries.length; body++)
    draw(body, fixed!, fixedTransforms, 16 * (body - movingCount));
  draw(0, fixed!, poses, 0);
  const placed = Float64Array.from(poses);
  const corners: number[] = [];
  for (const pose of drawn)
    for (let body = FIRST_MOVING; body < movingCount; body++) {
      const at = 16 * (pose * movingCount + body);
      draw(body, hits.includes(pose) ? hit! : free!, poses, at);
      corners.push(...cornersOf(arm.meshes[body]!, placed, at, 60));
    }
  stage.fit(corners, [-0.35, -1, 0.3]);
  const render = (): void => {
    stage.render();
    requestAnimationFrame(render);
  };
  render();
});
