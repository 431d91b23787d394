// Measures the time to compute contact points for physics solvers. For frames of tumbling tori, compares the
// option narrow: 'contacts' with narrow: 'pairs' on the same placements. For single pairs of tori, compares the
// calls `query` and `contacts` with the call `penetration`.

import { torus, tumbling } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { isQuick, Report } from '../support/report.js';
import { interleave } from '../support/timing.js';

const SEED = 3;
const BODIES = 1000;
const TRIANGLES = 700;
const FRAMES = isQuick ? 2 : 12;
const report = new Report('solverContacts', SEED);
const engines = await createEngines(1, 2);

function measureScene(density: number): void {
  const matricesOf = tumbling(BODIES, density, SEED);
  const frames = Array.from({ length: FRAMES }, (_, frame) => matricesOf(frame));
  const counts = new Map<string, string>();
  const timings = interleave(
    frames,
    engines.flatMap(({ name, engine }) =>
      (['pairs', 'contacts'] as const).map(narrow => {
        const mesh = engine.createMesh(torus(TRIANGLES));
        const scene = engine.createScene();
        for (let i = 0; i < BODIES; i++) scene.add(mesh);
        const variant = `${narrow}, ${name}`;
        return {
          name: variant,
          run: (matrices: Float32Array) => {
            scene.setTransforms(matrices);
            const { count, triangles, manifolds } = scene.detect({ narrow });
            counts.set(
              variant,
              `${count} contacts, ${triangles.a.length} triangle pairs${manifolds ? `, ${manifolds.count} manifolds, ${manifolds.pointCount} points` : ''}`,
            );
            return triangles.a.length;
          },
        };
      }),
    ),
    isQuick ? 1 : 5,
  );
  for (const { name: variant, ...times } of timings) {
    const rival = variant.replace('contacts', 'pairs');
    const other = timings.find(({ name }) => name === rival)!;
    report.add({
      scene: `${BODIES} tori of ${TRIANGLES}, density ${density}`,
      measure: 'frame',
      variant,
      unit: 'ms',
      ...times,
      note: counts.get(variant),
      ...(variant !== rival && { rival, ratio: other.mean / times.mean }),
    });
  }
}

function measurePair(): void {
  const [{ engine }] = engines;
  const mesh = engine.createMesh(torus(TRIANGLES));
  const placements = Array.from({ length: 8 }, (_, i) => [
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    1.9 + 0.01 * i,
    0.1,
    0,
    1,
  ]);
  const timings = interleave(
    placements,
    [
      { name: 'query', run: (transformB: number[]) => engine.query(mesh, mesh, { transformB }).count },
      { name: 'contacts', run: (transformB: number[]) => engine.contacts(mesh, mesh, { transformB }).count },
      {
        name: 'penetration',
        run: (transformB: number[]) => engine.penetration(mesh, mesh, { transformB }).length,
      },
    ],
    isQuick ? 1 : 9,
  );
  const rival = 'penetration';
  const slow = timings.find(({ name }) => name === rival)!;
  for (const { name: variant, ...times } of timings)
    report.add({
      scene: `two tori of ${TRIANGLES}`,
      measure: 'call',
      variant,
      unit: 'ms',
      ...times,
      ...(variant !== rival && { rival, ratio: slow.mean / times.mean }),
    });
}

for (const density of [0.01, 0.05, 0.2]) measureScene(density);
measurePair();
disposeEngines(engines);
report.save();
