// Tests that benchmarks run to their end with small inputs. The benchmarks use options and internals that no
// other test covers. Most benchmarks run only in `npm run proof`.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

for (const [names, register] of [
  [['poses', 'segments'], test],
  [['boxes', 'build', 'certificates', 'cost', 'distance', 'heap', 'meshMesh', 'octree'], test.proof],
  [['sceneFrames', 'selfQuery', 'spheres', 'stealing', 'sweep', 'threads'], test.proof],
] as const) {
  for (const name of names)
    register(`npm run bench -- ${name} --quick runs to its end`, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [`${root}bench/run.mjs`, name, '--quick', '--as-built'],
        { cwd: root, encoding: 'utf8' },
      );
      assert.is(status, 0, `${stdout.slice(-2000)}${stderr.slice(-2000)}`);
      assert.match(stdout, new RegExp(`^${name}: \\d+ s$`, 'm'));
    });
}

test.run();
