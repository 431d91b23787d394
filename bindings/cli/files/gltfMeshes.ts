// glTF's meshes -> positions and triangles: all triangle primitives of a mesh joined, strips and fans unrolled, morph targets applied.
import { growingIndices, InvalidFile, VertexPicker, type GrowingList } from './part.js';
import { DECOMPRESS } from './gltfBuffers.js';
import { Accessors } from './gltfAccessors.js';
import { integerOf, isItem, itemOf, itemsOf, numbersOf, refuse, referenceOf, type Item } from './gltfJson.js';

export interface Geometry {
  positions: Float32Array;
  indices: Uint32Array;
}

interface Primitive {
  where: string;
  mode: number;
  position: number | undefined;
  indices: number | undefined;
  /** POSITION of each morph target. */
  targets: (number | undefined)[];
}

const TRIANGLES = 4, TRIANGLE_STRIP = 5, TRIANGLE_FAN = 6;

export class Meshes {
  readonly items: Item[];
  private readonly primitives: Primitive[][];
  private readonly pickers = new Map<string, VertexPicker & { vertexCount: number }>();
  private readonly geometries = new Map<string, Geometry>();

  /** Checks every mesh, placed or not. */
  constructor(root: Item, private readonly accessors: Accessors) {
    this.items = itemsOf(root, 'meshes');
    this.primitives = this.items.map((mesh, number) => {
      const primitives = itemsOf(mesh, 'primitives', `meshes[${number}].primitives`);
      if (primitives.length === 0) refuse(`meshes[${number}].primitives`, 'is missing or empty');
      const read = primitives.map((primitive, i) => this.readPrimitive(primitive, `meshes[${number}].primitives[${i}]`));
      if (read.some(({ targets }) => targets.length !== read[0].targets.length)) refuse(`meshes[${number}].primitives`, 'have different numbers of morph targets');
      return read;
    });
  }

  /** The same object for the same mesh and weights. weights: of the morph targets, those of the mesh when absent. */
  geometry(number: number, weights?: number[]): Geometry {
    const where = `meshes[${number}]`;
    const used = weights ?? numbersOf(this.items[number], 'weights', where) ?? [];
    const key = `${number}:${used.join()}`;
    let geometry = this.geometries.get(key);
    if (!geometry) this.geometries.set(key, geometry = this.join(this.primitives[number], used, where));
    return geometry;
  }

  private readPrimitive(primitive: Item, where: string): Primitive {
    const mode = primitive.mode === undefined ? TRIANGLES : integerOf(primitive, 'mode', where, 0, 6);
    const attributes = itemOf(primitive, 'attributes', where) ?? refuse(`${where}.attributes`, 'is missing');
    const position = this.readAttributes(attributes, `${where}.attributes`);
    const targets = itemsOf(primitive, 'targets', `${where}.targets`).map((target, i) => this.readAttributes(target, `${where}.targets[${i}]`, position));
    const indices = primitive.indices === undefined ? undefined : referenceOf(primitive, 'indices', where, this.accessors.count, 'accessors');
    const isCompressed = isItem(primitive.extensions) && Object.hasOwn(primitive.extensions, 'KHR_draco_mesh_compression');
    if (isCompressed && position !== undefined && !this.accessors.hasData(position)) throw new InvalidFile(`${where} is compressed by Draco`, DECOMPRESS);
    return { where, mode, position, indices, targets };
  }

  // Every attribute is checked against the vertex count: one that disagrees leaves open which of them is right.
  private readAttributes(attributes: Item, where: string, base?: number): number | undefined {
    const names = Object.keys(attributes);
    for (const name of names) referenceOf(attributes, name, where, this.accessors.count, 'accessors');
    const counts = [...names.map((name) => attributes[name] as number), ...base === undefined ? [] : [base]].map((number) => this.accessors.elementCount(number));
    if (counts.some((count) => count !== counts[0])) refuse(where, `have different counts (${[...new Set(counts)].join(', ')})`);
    return attributes.POSITION as number | undefined;
  }

  private join(primitives: Primitive[], weights: number[], where: string): Geometry {
    const targetCount = primitives[0].targets.length;
    if (weights.length > 0 && weights.length !== targetCount) refuse(where, `has ${weights.length} weights for ${targetCount} morph targets`);
    const pieces = new Map<string, { picker: VertexPicker; indices: GrowingList<Uint32Array> }>();
    for (const primitive of primitives) {
      // Points and lines have no surface; without positions there is nothing to place.
      if (primitive.mode < TRIANGLES || primitive.position === undefined) continue;
      const { key, picker } = this.picker(primitive, weights);
      let piece = pieces.get(key);
      if (!piece) pieces.set(key, piece = { picker, indices: growingIndices() });
      this.unroll(primitive, picker.vertexCount, piece.indices);
    }
    const meshes = [...pieces.values()].map(({ picker, indices }) => picker.mesh(indices.toArray()));
    return meshes.length === 1 ? meshes[0] : concatenate(meshes);
  }

  private picker({ where, position, targets }: Primitive, weights: number[]): { key: string; picker: VertexPicker & { vertexCount: number } } {
    const moved = targets.map((target, i) => ({ target, weight: weights[i] ?? 0 })).filter(({ target, weight }) => target !== undefined && weight !== 0);
    const key = `${position}${moved.map(({ target, weight }) => `+${weight}*${target}`).join('')}`;
    let picker = this.pickers.get(key);
    if (!picker) {
      const values = this.accessors.positions(position!);
      for (const { target, weight } of moved) {
        const offsets = this.accessors.positions(target!);
        for (let i = 0; i < values.length; i++) values[i] += weight * offsets[i];
      }
      const rounded = Float32Array.from(values);
      const bad = rounded.findIndex((value) => !Number.isFinite(value));
      if (bad >= 0) refuse(`${where}.attributes.POSITION`, `has ${values[bad]} at vertex ${Math.floor(bad / 3)}, which is not a finite float32`);
      picker = Object.assign(new VertexPicker(rounded), { vertexCount: rounded.length / 3 });
      this.pickers.set(key, picker);
    }
    return { key, picker };
  }

  private unroll({ where, mode, indices }: Primitive, vertexCount: number, out: GrowingList<Uint32Array>): void {
    const corners = indices === undefined ? undefined : this.accessors.indices(indices);
    const count = corners ? corners.length : vertexCount;
    const bad = corners ? corners.findIndex((vertex) => vertex >= vertexCount) : -1;
    if (bad >= 0) refuse(`${where}.indices`, `names vertex ${corners![bad]} at place ${bad}, but the vertices are 0..${vertexCount - 1}`);
    const corner = (i: number) => corners ? corners[i] : i;
    const push = (a: number, b: number, c: number) => { out.push(corner(a)); out.push(corner(b)); out.push(corner(c)); };
    // Corners left over after the last whole triangle belong to none, by the specification.
    if (mode === TRIANGLES) for (let i = 2; i < count; i += 3) push(i - 2, i - 1, i);
    else if (mode === TRIANGLE_STRIP) for (let i = 2; i < count; i++) push(i - 2 + (i & 1), i - 1 - (i & 1), i);
    else if (mode === TRIANGLE_FAN) for (let i = 2; i < count; i++) push(0, i - 1, i);
  }
}

function concatenate(meshes: Geometry[]): Geometry {
  const positions = new Float32Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const indices = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.indices.length, 0));
  let positionAt = 0, indexAt = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, positionAt);
    for (let i = 0; i < mesh.indices.length; i++) indices[indexAt + i] = mesh.indices[i] + positionAt / 3;
    positionAt += mesh.positions.length;
    indexAt += mesh.indices.length;
  }
  return { positions, indices };
}
