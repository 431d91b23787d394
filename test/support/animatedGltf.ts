// Makes the JSON of glTF files with moving parts, for tests and benches.
import type { MeshData } from '../../dist/samples/types.js';

/** A node of a glTF file. `mesh` is an index into the list of meshes. */
export interface TestNode {
  name?: string;
  mesh?: number;
  children?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  matrix?: number[];
}

export interface TestChannel {
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
  times: number[];
  /** The values of all keys in one list, such as three numbers for each key of a translation. */
  values: number[];
  interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
}

/** Returns the JSON of a glTF file. The buffer is part of the JSON, as a data URI. */
export function gltf(
  meshes: MeshData[],
  nodes: TestNode[],
  animations: { name?: string; channels: TestChannel[] }[],
): any {
  const chunks: Buffer[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let byteOffset = 0;
  const store = (values: Float32Array | Uint32Array, type: string, bounds: object): number => {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    chunks.push(bytes);
    bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length });
    byteOffset += bytes.length;
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]!;
    return (
      accessors.push({
        bufferView: bufferViews.length - 1,
        componentType: values instanceof Float32Array ? 5126 : 5125,
        type,
        count: values.length / size,
        ...bounds,
      }) - 1
    );
  };
  const boundsOf = (values: Float32Array, size: number) => {
    const column = (i: number) => values.filter((_, at) => at % size === i);
    const each = (pick: (list: Float32Array) => number) =>
      Array.from({ length: size }, (_, i) => pick(column(i)));
    return {
      min: each(list => list.reduce((x, y) => Math.min(x, y))),
      max: each(list => list.reduce((x, y) => Math.max(x, y))),
    };
  };
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [
      { nodes: nodes.map((_, i) => i).filter(i => !nodes.some(({ children }) => children?.includes(i))) },
    ],
    nodes,
    meshes: meshes.map(({ positions, indices }) => {
      const vertices = Float32Array.from(positions as Float32Array);
      return {
        primitives: [
          {
            attributes: { POSITION: store(vertices, 'VEC3', boundsOf(vertices, 3)) },
            indices: store(Uint32Array.from(indices as Uint32Array), 'SCALAR', {}),
          },
        ],
      };
    }),
    animations: animations.map(({ name, channels }) => ({
      ...(name === undefined ? {} : { name }),
      samplers: channels.map(({ path, times, values, interpolation }) => {
        const keys = Float32Array.from(times);
        return {
          input: store(keys, 'SCALAR', boundsOf(keys, 1)),
          output: store(
            Float32Array.from(values),
            path === 'rotation' ? 'VEC4' : path === 'weights' ? 'SCALAR' : 'VEC3',
            {},
          ),
          ...(interpolation === undefined ? {} : { interpolation }),
        };
      }),
      channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
    })),
    accessors,
    bufferViews,
    buffers: [
      {
        byteLength: byteOffset,
        uri: `data:application/octet-stream;base64,${Buffer.concat(chunks).toString('base64')}`,
      },
    ],
  };
}

/** Returns the quaternion (x, y, z, w) of a rotation about a coordinate axis by `angle` radians. */
export function rotationAbout(axis: 0 | 1 | 2, angle: number): number[] {
  const quaternion = [0, 0, 0, Math.cos(angle / 2)];
  quaternion[axis] = Math.sin(angle / 2);
  return quaternion;
}
