// The picture of the guide "react-three-fiber": the guide's component with many children. Children that touch
// another one have another color.

import { Collisions } from 'guide:react-three-fiber';
import { createRoot, extend } from '@react-three/fiber';
import type { Contacts, Engine } from 'pfront';
import { createRandom } from 'pfront/samples';
import type { ObjectBodies } from 'pfront/three';
import {
  AmbientLight,
  BoxGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
  TorusKnotGeometry,
} from 'three';
import { element } from '../shell/elements.js';
import { start } from '../shell/start.js';
import { color } from '../shell/theme.js';

extend({
  AmbientLight,
  BoxGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
  TorusKnotGeometry,
});

const COUNT = 36;
const SEED = 3;

interface Shape {
  name: string;
  kind: 'knot' | 'box' | 'ball';
  position: [number, number, number];
  rotation: [number, number, number];
}

// Places the shapes at random, so that some of them touch.
const random = createRandom(SEED);
const shapes = Array.from(
  { length: COUNT },
  (_, i): Shape => ({
    name: `shape ${i}`,
    kind: (['knot', 'box', 'ball'] as const)[i % 3]!,
    position: [random.between(-4.6, 4.6), random.between(-2.4, 2.4), random.between(-1.6, 1.6)],
    rotation: [random.between(0, 3), random.between(0, 3), 0],
  }),
);

function Shapes({ engine }: { engine: Engine }) {
  const onContacts = ({ a, b }: Contacts, bodies: ObjectBodies): void => {
    for (const id of [...a, ...b])
      (bodies.objectOf(id)!.object.material as MeshLambertMaterial).color.set(color('lit'));
  };
  return (
    <>
      <ambientLight intensity={1.1} />
      <directionalLight intensity={2.4} position={[3, 5, 6]} />
      <directionalLight intensity={0.6} position={[-5, -2, 3]} />
      <Collisions engine={engine} onContacts={onContacts}>
        {shapes.map(({ name, kind, position, rotation }) => (
          <mesh key={name} name={name} position={position} rotation={rotation}>
            {kind === 'knot' && <torusKnotGeometry args={[0.5, 0.16, 96, 12]} />}
            {kind === 'box' && <boxGeometry args={[0.9, 0.9, 0.9]} />}
            {kind === 'ball' && <sphereGeometry args={[0.55, 32, 16]} />}
            <meshLambertMaterial color={color('part-a')} />
          </mesh>
        ))}
      </Collisions>
    </>
  );
}

void start(async (engine: Engine) => {
  const view = element('view');
  const canvas = view.appendChild(document.createElement('canvas'));
  const root = createRoot(canvas);
  await root.configure({
    size: { width: view.clientWidth, height: view.clientHeight, top: 0, left: 0 },
    dpr: devicePixelRatio,
    gl: { antialias: true, alpha: true },
    camera: { position: [0, 0, 10], fov: 38 },
  });
  root.render(<Shapes engine={engine} />);
});
