// Makes the scenes of a paper's evaluation (Zhang and Kim, section 5.2) frame by frame, for any engine: pairs
// of moving meshes, and deforming cloths paired with themselves.

import type { Engine, QueryManyOptions, TrianglePairs } from '../../dist/index.js';
import { penetrationPath, randomPlacements, type Scene, translation } from '../../dist/samples/index.js';
import { type Cloth, clothBall, crumplingCloth, interpolateFrames } from './cloths.js';
import { loadMesh, type NamedMesh } from './meshes.js';
import { type Motion, Placed, runQuery, train, worm } from './motion.js';
import { isQuick } from './report.js';

export const PAPER_SCENE_SEED = 1;
const FRAMES = isQuick ? 6 : 100;
const CLOTH_FRAMES = isQuick ? 4 : 20;

export type PaperSceneOptions = Pick<QueryManyOptions, 'parts' | 'stealing'>;

/** A scene whose meshes have been created in an engine. */
export interface PaperSceneRun {
  /**
   * Deforms the mesh for a frame. Does nothing if meshes only move. Its time is not part of a query's time.
   */
  prepare(frame: number): void;
  query(frame: number, options?: PaperSceneOptions): TrianglePairs;
  dispose(): void;
}

/** One of the paper's scenes. */
export interface PaperScene {
  name: string;
  figure: string;
  /** What the paper reports, and how this scene differs from the paper's. */
  note: string;
  frames: number;
  coherence: 'on' | 'off';
  start(engine: Engine): PaperSceneRun;
}

type PaperSceneText = Pick<PaperScene, 'figure' | 'note' | 'coherence'>;

/** Makes a scene of moving meshes, with one query per frame. */
function moving(motion: Motion, about: PaperSceneText): PaperScene {
  return {
    ...about,
    name: motion.name,
    frames: FRAMES,
    start(engine) {
      const placed = new Placed(engine, motion);
      return {
        prepare() {},
        query: (frame, options) =>
          runQuery(engine, placed.pairsAt(frame), { order: 'any', coherence: about.coherence, ...options }),
        dispose: () => placed.dispose(),
      };
    },
  };
}

/**
 * Makes a scene of a deforming cloth, which is queried against itself. Its tree is refitted before each
 * query.
 */
function deforming({ name, indices, frames }: Cloth, about: PaperSceneText): PaperScene {
  return {
    ...about,
    name,
    frames: frames.length,
    start(engine) {
      const mesh = engine.createMesh({ positions: frames[0], indices }, { deformable: true });
      return {
        prepare: frame => {
          mesh.update(frames[frame], { tree: 'refit' });
        },
        query: (_, options) =>
          engine.selfQuery(mesh, { order: 'any', coherence: about.coherence, ...options }),
        dispose: () => mesh.dispose(),
      };
    },
  };
}

/** Moves a mesh through its copy, from first contact on one side to last contact on the other. */
const passage = ({ name, data }: NamedMesh): Motion => ({
  name: `${name} passage`,
  scene: penetrationPath(data, data, FRAMES - 1),
  firstFrame: 0,
});

/** Places a second copy of the mesh at random in every frame. */
function randomCourse({ name, data }: NamedMesh): Motion {
  const still = translation([0, 0, 0]);
  const placements = randomPlacements(data, FRAMES, PAPER_SCENE_SEED);
  const scene: Scene = {
    parts: [
      { name: 'still', mesh: 0 },
      { name: 'placed', mesh: 0 },
    ],
    meshes: [data],
    frame: t => Float64Array.from([...still, ...placements[t]]),
  };
  return { name: `${name} random course`, scene, firstFrame: 0 };
}

/**
 * Makes the scenes one after the other, so that only one of the large meshes is in memory at a time. Scenes
 * whose data is missing are skipped.
 */
export async function* paperScenes(): AsyncGenerator<PaperScene> {
  const gears = 'the paper: 7.5 x on 8 cores, little more on more cores, because a frame takes 1 ms';
  yield moving(worm(64_000), {
    figure: 'Zhang and Kim, Fig. 6a',
    note: `${gears}; our own gear of the same size`,
    coherence: 'on',
  });
  yield moving(train(), {
    figure: 'Zhang and Kim, Fig. 6b',
    note: `${gears}; our own train with the same numbers of gears and triangles`,
    coherence: 'on',
  });
  for (const name of ['dragon 203K', 'dragon 810K', 'dragon 3.2M'] as const) {
    const mesh = isQuick && name !== 'dragon 203K' ? undefined : await loadMesh(name);
    if (mesh)
      yield moving(passage(mesh), {
        figure: 'Zhang and Kim, Fig. 7',
        note: 'the paper: Buddhas of 500K, 1M and 3M, near-linear speed-up, no figures',
        coherence: 'on',
      });
  }
  const cloth = 'the paper: 92K triangles, nearly linear speed-up, no figures';
  const ball = await clothBall();
  if (ball)
    yield deforming(interpolateFrames(ball, CLOTH_FRAMES), {
      figure: 'Zhang and Kim, Fig. 8',
      note: `${cloth}; the paper's cloth, on straight lines between its published frames 92 and 93`,
      coherence: 'on',
    });
  yield deforming(crumplingCloth(isQuick ? 60 : 215, CLOTH_FRAMES, PAPER_SCENE_SEED), {
    figure: 'Zhang and Kim, Fig. 8',
    note: `${cloth}; a generated sheet`,
    coherence: 'on',
  });
  yield moving(randomCourse((await loadMesh('bunny'))!), {
    figure: 'Zhang and Kim, Fig. 9',
    note: 'the paper: bunnies of 58K, nearly linear speed-up until a frame takes 1 ms, no figures',
    coherence: 'off',
  });
}
