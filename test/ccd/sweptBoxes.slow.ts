// Tests boxPairs on the boxes that edges, vertices and faces sweep from one frame to the next: the
// overlapping edge-edge and vertex-face pairs must be the published pairs. There are two scenes, cloth and
// twisting rods, with two frames each.

import { createEngine } from '../../dist/index.js';
import { dataTest } from '../support/data.js';
import { sweptFilms, sweptTruth } from '../support/sweptTruth.js';
import { test } from '../support/test.js';

const engines = [
  await createEngine({ threads: 1, warmUp: 'off' }),
  await createEngine({ threads: 4, warmUp: 'off' }),
];

for (const film of sweptFilms) {
  dataTest(
    `${film.folder}: all published pairs are found, and ${film.float32Count} pairs of edges whose boxes overlap in float32`,
    async () => {
      const check = sweptTruth(film);
      for (const engine of engines) {
        for (const method of ['sap', 'octree'] as const)
          await check(
            (boxes, options) => engine.boxPairs(boxes, { ...options, method }).copy(),
            `${method}, ${engine.info.threads} threads`,
          );
      }
    },
  );
}

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
