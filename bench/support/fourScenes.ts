// Makes random boxes from a seed, laid out as in the four scenes of a paper's benchmark (Avril, Gouranton and
// Arnaldi, section 5.3).
import { createRandom, type Random } from '../../dist/samples/random.js';

/**
 * cubes: equal cubes at random places in a low layer; torus: flat boxes whose centers lie on a torus;
 * spheres: a heap of spheres of different sizes; alphabet: rows of letters of different heights.
 */
export type SceneKind = 'cubes' | 'torus' | 'spheres' | 'alphabet';
export const sceneKinds: readonly SceneKind[] = ['cubes', 'torus', 'spheres', 'alphabet'];

type Place = { center: [number, number, number]; half: [number, number, number] };

const places: Record<SceneKind, (random: Random, count: number) => Place> = {
  cubes: (random, count) => {
    const side = Math.sqrt(count) * 1.2;
    return {
      center: [random.between(0, side), random.between(0, side), random.between(0, 4)],
      half: [0.5, 0.5, 0.5],
    };
  },
  torus: (random, count) => {
    const angle = random.between(0, 2 * Math.PI);
    const around = random.between(0, 2 * Math.PI);
    const ring = Math.cbrt(count);
    const distance = ring + (ring / 3) * Math.cos(around);
    return {
      center: [distance * Math.cos(angle), distance * Math.sin(angle), (ring / 3) * Math.sin(around)],
      half: [1, 1, 0.25],
    };
  },
  spheres: (random, count) => {
    const side = Math.cbrt(count);
    const x = random.between(-side, side);
    const y = random.between(-side, side);
    const radius = random.between(0.3, 0.7);
    // Spheres that have fallen to a floor, in a heap that is highest in the middle.
    return {
      center: [x, y, random.between(0, Math.max(1, side - Math.hypot(x, y)))],
      half: [radius, radius, radius],
    };
  },
  alphabet: (random, count) => {
    const letter = random.below(26);
    const column = random.below(Math.ceil(count / 26));
    const height = 1 + (letter % 3);
    return { center: [1.5 * column, 2.5 * letter, random.between(0, 1)], half: [0.9, height, 0.3] };
  },
};

export function sceneBoxes(kind: SceneKind, count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const { center, half } = places[kind](random, count);
    for (let axis = 0; axis < 3; axis++) {
      boxes[6 * i + axis] = center[axis] - half[axis];
      boxes[6 * i + axis + 3] = center[axis] + half[axis];
    }
  }
  return boxes;
}
