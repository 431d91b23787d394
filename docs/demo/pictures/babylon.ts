// The picture of the guide "Babylon.js": meshes of Babylon.js, drawn by its engine. Meshes that touch other
// meshes are drawn in a second color, and their intersecting triangles are highlighted.
import {
  ArcRotateCamera,
  Engine as BabylonEngine,
  Color3,
  Color4,
  DirectionalLight,
  HemisphericLight,
  Mesh,
  MeshBuilder,
  Scene,
  StandardMaterial,
  Vector3,
  VertexBuffer,
  VertexData,
} from '@babylonjs/core';
import type { Engine } from 'pfront';
import { createRandom } from 'pfront/samples';
import { element } from '../shell/elements.js';
import { start } from '../shell/start.js';
import { color } from '../shell/theme.js';

const COUNT = 26;
const SEED = 6;

const paint = (world: Scene, name: string): StandardMaterial => {
  const material = new StandardMaterial(name, world);
  material.diffuseColor = Color3.FromHexString(color(name));
  material.specularColor = Color3.Black();
  return material;
};

// Places rings and balls at random, so that some of them touch.
function makeMeshes(world: Scene): Mesh[] {
  const random = createRandom(SEED);
  return Array.from({ length: COUNT }, (_, i) => {
    const mesh =
      i % 2 === 0
        ? MeshBuilder.CreateTorus(`ring ${i}`, { diameter: 2, thickness: 0.5, tessellation: 36 }, world)
        : MeshBuilder.CreateSphere(`ball ${i}`, { diameter: 1.2, segments: 14 }, world);
    mesh.position = new Vector3(random.between(-5.2, 5.2), random.between(-2.2, 2.2), random.between(-2, 2));
    mesh.rotation = new Vector3(random.between(0, 3), random.between(0, 3), 0);
    mesh.convertToFlatShadedMesh();
    return mesh;
  });
}

void start((engine: Engine) => {
  const canvas = element('view').appendChild(document.createElement('canvas'));
  canvas.style.cssText = 'display: block; width: 100%; height: 100%';
  const renderer = new BabylonEngine(canvas, true, { preserveDrawingBuffer: true });
  renderer.setHardwareScalingLevel(1 / devicePixelRatio);
  const world = new Scene(renderer);
  world.clearColor = Color4.FromColor3(Color3.FromHexString(color('view-a')));
  const camera = new ArcRotateCamera('camera', -1.5, 1.3, 12.5, Vector3.Zero(), world);
  camera.fov = 0.7;
  new HemisphericLight('sky', new Vector3(0, 1, 0), world).intensity = 0.75;
  new DirectionalLight('sun', new Vector3(-0.5, -0.9, 0.6), world).intensity = 0.6;

  const scene = engine.createScene();
  const meshes = makeMeshes(world);
  const objects = new Map(
    meshes.map(mesh => {
      const shape = engine.createMesh({
        positions: Float32Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!),
        indices: Uint32Array.from(mesh.getIndices()!),
      });
      return [scene.add(shape, { transform: Float32Array.from(mesh.computeWorldMatrix(true).m) }), mesh];
    }),
  );

  const apart = paint(world, 'part-a');
  const touching = paint(world, 'part-b');
  const lit = paint(world, 'lit');
  lit.emissiveColor = Color3.FromHexString(color('lit'));
  lit.disableLighting = true;
  lit.backFaceCulling = false;
  lit.zOffset = -2;
  const contacts = scene.detect();
  for (const mesh of meshes) mesh.material = apart;
  const corners: number[] = [];
  const addTriangles = (mesh: Mesh, triangles: Uint32Array): void => {
    mesh.material = touching;
    const positions = mesh.getVerticesData(VertexBuffer.PositionKind)!;
    const indices = mesh.getIndices()!;
    for (const triangle of triangles)
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const point = Vector3.FromArray(positions, 3 * indices[corner]!);
        corners.push(...Vector3.TransformCoordinates(point, mesh.getWorldMatrix()).asArray());
      }
  };
  const { triangles, pairsAt } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    const range = [pairsAt[i], pairsAt[i + 1]] as const;
    addTriangles(objects.get(contacts.a[i]!)!, triangles.a.subarray(...range));
    addTriangles(objects.get(contacts.b[i]!)!, triangles.b.subarray(...range));
  }
  const highlighted = new Mesh('contacts', world);
  const data = new VertexData();
  data.positions = corners;
  data.indices = corners.slice(0, corners.length / 3).map((_, i) => i);
  data.applyToMesh(highlighted);
  highlighted.material = lit;
  renderer.runRenderLoop(() => world.render());
});
