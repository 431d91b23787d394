// Moves a ring through a ball and highlights the triangles that intersect in each frame.
import { createEngine } from 'pfront';
import { addObject3D, ContactHelper } from 'pfront/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.z = 6;

const world = new THREE.Scene();
world.background = new THREE.Color(0xf4f4f4);
const material = new THREE.MeshNormalMaterial({ transparent: true, opacity: 0.6 });
const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 64, 32), material);
const ring = new THREE.Mesh(new THREE.TorusGeometry(1, 0.3, 32, 96), material);
world.add(ball, ring);

const engine = await createEngine();
const scene = engine.createScene();
const bodies = addObject3D(scene, world);
const highlight = new ContactHelper(bodies);
world.add(highlight);
const answer = document.querySelector('#answer')!;

renderer.setAnimationLoop(time => {
  ring.position.x = 1.5 * Math.cos(time / 2000);
  ring.rotation.y = time / 3000;
  bodies.syncTransforms();
  highlight.show(scene.detect());
  answer.textContent = `${highlight.triangleCount} triangles intersect; threads: ${engine.info.threads}`;
  renderer.render(world, camera);
});
