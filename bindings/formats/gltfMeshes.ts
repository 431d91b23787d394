// Reads the meshes of a glTF file: joins the triangle primitives of each mesh, converts strips and fans to
// triangles, and applies morph targets.

import type { Accessors } from './gltfAccessors.js';
import type { GltfDecoders } from './gltfDecoders.js';
import { dracoPrimitive } from './gltfDraco.js';
import {
  integerOf,
  type JsonObject,
  numbersOf,
  objectOf,
  objectsOf,
  referenceOf,
  refuse,
} from './gltfJson.js';
import { influencesOf, type Skin } from './gltfSkins.js';
import type { MemoryBudget } from './memoryBudget.js';
import { quote } from './part.js';
import { VertexPicker } from './vertexPicker.js';

export interface Geometry {
  positions: Float32Array;
  indices: Uint32Array;
  /** As in Part. */
  rounding?: number;
}

interface Primitive {
  where: string;
  mode: number;
  position: number | undefined;
  indices: number | undefined;
  /** The POSITION accessor of each morph target. */
  targets: (number | undefined)[];
  attributes: JsonObject;
  /** Decodes the data of the accessors; undefined if there is nothing to decode. */
  decode: (() => void) | undefined;
}

/** The primitives of one mesh that share a list of vertices. */
interface PrimitiveGroup {
  picker: VertexPicker;
  rounding: number;
  primitives: Primitive[];
}

const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const PRIMITIVE_BYTES = 320;
const TRIANGLE_BYTES = 12;
// Attribute names of the specification; application-specific names begin with an underscore.
const ATTRIBUTE = /^(POSITION|NORMAL|TANGENT|(TEXCOORD|COLOR|JOINTS|WEIGHTS)_\d+|_.*)$/s;

/** The meshes of a file. */
export class Meshes {
  readonly items: JsonObject[];
  private readonly primitives: Primitive[][];
  /**
   * What was left out of the meshes that were read. withoutArea: the number of primitives of points or lines.
   * withoutPositions: the number of primitives without positions. corners: the number of corners that are
   * left after the last whole triangle of a primitive, summed over all primitives.
   */
  readonly omitted = { withoutArea: 0, withoutPositions: 0, corners: 0 };
  private readonly signatures: string[];
  private readonly pickers = new Map<string, { picker: VertexPicker; rounding: number }>();
  private readonly geometries = new Map<string, Geometry>();

  /** Checks every mesh, even those that no node uses. @throws InvalidFile */
  constructor(
    root: JsonObject,
    private readonly accessors: Accessors,
    private readonly budget: MemoryBudget,
    private readonly decoders?: GltfDecoders,
  ) {
    this.items = objectsOf(root, 'meshes');
    this.primitives = this.items.map((mesh, number) => {
      const primitives = objectsOf(mesh, 'primitives', `meshes[${number}].primitives`);
      budget.take(PRIMITIVE_BYTES * primitives.length, 'its meshes');
      if (primitives.length === 0) refuse(`meshes[${number}].primitives`, 'is missing or empty');
      const read = primitives.map((primitive, i) =>
        this.readPrimitive(primitive, `meshes[${number}].primitives[${i}]`),
      );
      if (read.some(({ targets }) => targets.length !== read[0].targets.length))
        refuse(`meshes[${number}].primitives`, 'have different numbers of morph targets');
      return read;
    });
    this.signatures = this.primitives.map(list =>
      list
        .map(({ mode, position, indices, targets }) => [mode, position, indices, ...targets].join())
        .join(';'),
    );
  }

  /**
   * Returns the geometry of a mesh. Meshes with the same accessors and weights get the same object: for
   * example, meshes that differ only in materials.
   * @param weights Weights of the morph targets; undefined for the mesh's own weights.
   * @param skin The skin that deforms the mesh; the vertices are then in world coordinates.
   * @throws InvalidFile
   */
  geometry(number: number, weights?: number[], skin?: Skin): Geometry {
    const where = `meshes[${number}]`;
    const used = weights ?? numbersOf(this.items[number], 'weights', where) ?? [];
    const influences = skin && this.primitives[number].map(influenceKey).join(';');
    const key = `${this.signatures[number]}:${used.join()}:${skin?.number}:${influences}`;
    let geometry = this.geometries.get(key);
    if (!geometry)
      this.geometries.set(key, (geometry = this.join(this.primitives[number], used, where, skin)));
    return geometry;
  }

  private readPrimitive(primitive: JsonObject, where: string): Primitive {
    const mode = primitive.mode === undefined ? TRIANGLES : integerOf(primitive, 'mode', where, 0, 6);
    const attributes =
      objectOf(primitive, 'attributes', where) ?? refuse(`${where}.attributes`, 'is missing');
    const position = this.readAttributes(attributes, `${where}.attributes`);
    const targets = objectsOf(primitive, 'targets', `${where}.targets`).map((target, i) =>
      this.readAttributes(target, `${where}.targets[${i}]`, position),
    );
    const indices =
      primitive.indices === undefined
        ? undefined
        : referenceOf(primitive, 'indices', where, this.accessors.count, 'accessors');
    const described = { where, mode, position, indices, attributes };
    const decode = dracoPrimitive(primitive, described, this.accessors, this.decoders, this.budget);
    return { where, mode, position, indices, targets, attributes, decode };
  }

  // Checks the names of the attributes, and that all of them have the same count. Otherwise, the number of
  // vertices would be unknown. Returns the POSITION accessor. base: for a morph target, the POSITION accessor
  // of its primitive.
  private readAttributes(attributes: JsonObject, where: string, base?: number): number | undefined {
    const names = Object.keys(attributes);
    const unknown = names.find(name => !ATTRIBUTE.test(name));
    if (unknown !== undefined) refuse(where, `have ${quote(unknown)}, which is not an attribute of glTF`);
    for (const name of names) referenceOf(attributes, name, where, this.accessors.count, 'accessors');
    const counts = [
      ...names.map(name => attributes[name] as number),
      ...(base === undefined ? [] : [base]),
    ].map(number => this.accessors.elementCount(number));
    if (counts.some(count => count !== counts[0]))
      refuse(where, `refer to accessors with different counts (${[...new Set(counts)].join(', ')})`);
    return attributes.POSITION as number | undefined;
  }

  private join(primitives: Primitive[], weights: number[], where: string, skin?: Skin): Geometry {
    const targetCount = primitives[0].targets.length;
    if (weights.length > 0 && weights.length !== targetCount)
      refuse(where, `has ${weights.length} weights for ${targetCount} morph targets`);
    const groups = new Map<string, PrimitiveGroup>();
    for (const primitive of primitives) {
      if (!this.hasTriangles(primitive)) continue;
      primitive.decode?.();
      const { key, ...vertices } = this.picker(primitive, weights, skin);
      const group = groups.get(key);
      if (group) group.primitives.push(primitive);
      else groups.set(key, { ...vertices, primitives: [primitive] });
    }
    const meshes = [...groups.values()].map(group => this.geometryOf(group));
    return meshes.length === 1 ? meshes[0] : this.concatenate(meshes);
  }

  // Returns whether a primitive has triangles with positions. If not, counts the primitive as left out.
  private hasTriangles({ mode, position }: Primitive): boolean {
    if (mode < TRIANGLES) this.omitted.withoutArea++;
    else if (position === undefined) this.omitted.withoutPositions++;
    return mode >= TRIANGLES && position !== undefined;
  }

  private geometryOf({ picker, rounding, primitives }: PrimitiveGroup): Geometry {
    const counts = primitives.map(primitive => this.triangleCount(primitive, picker.vertexCount));
    const count = counts.reduce((sum, triangles) => sum + triangles, 0);
    this.budget.take(TRIANGLE_BYTES * count, 'its triangles');
    const indices = new Uint32Array(3 * count);
    let at = 0;
    primitives.forEach((primitive, i) => {
      this.unroll(primitive, picker.vertexCount, indices.subarray(at, (at += 3 * counts[i])));
    });
    return { ...picker.extractMesh(indices), ...(rounding > 0 ? { rounding } : {}) };
  }

  private triangleCount({ mode, indices }: Primitive, vertexCount: number): number {
    const corners = indices === undefined ? vertexCount : (this.accessors.elementCount(indices) ?? 0);
    if (mode !== TRIANGLES) return Math.max(0, corners - 2);
    // The specification says that corners after the last whole triangle are ignored.
    this.omitted.corners += corners % 3;
    return Math.floor(corners / 3);
  }

  private picker(
    primitive: Primitive,
    weights: number[],
    skin: Skin | undefined,
  ): { key: string; picker: VertexPicker; rounding: number } {
    const { where, position, targets } = primitive;
    const moved = targets
      .map((target, i) => ({ target, weight: weights[i] ?? 0 }))
      .filter(({ target, weight }) => target !== undefined && weight !== 0);
    const key = `${position}${moved.map(({ target, weight }) => `+${weight}*${target}`).join('')}${skin ? ` ${skin.number} ${influenceKey(primitive)}` : ''}`;
    let vertices = this.pickers.get(key);
    if (!vertices) {
      const values = this.accessors.positions(position!);
      for (const { target, weight } of moved) {
        const offsets = this.accessors.positions(target!);
        for (let i = 0; i < values.length; i++) values[i] += weight * offsets[i];
        this.budget.release(offsets.byteLength);
      }
      if (skin) skin.deform(values, influencesOf(primitive.attributes, where), where);
      this.budget.take(4 * values.length, 'its vertices');
      const rounded = Float32Array.from(values);
      const bad = rounded.findIndex(value => !Number.isFinite(value));
      if (bad >= 0)
        refuse(
          `${where}.attributes.POSITION`,
          `has ${values[bad]} at vertex ${Math.floor(bad / 3)}, which is not a finite float32 number`,
        );
      const rounding = values.reduce((max, value, i) => Math.max(max, Math.abs(value - rounded[i])), 0);
      this.budget.release(values.byteLength);
      vertices = { picker: new VertexPicker({ positions: rounded }, this.budget), rounding };
      this.pickers.set(key, vertices);
    }
    return { key, ...vertices };
  }

  // Writes the triangles of a primitive to `out`, three vertex numbers each. Strips and fans are converted to
  // triangles.
  private unroll({ where, mode, indices }: Primitive, vertexCount: number, out: Uint32Array): void {
    const corners = indices === undefined ? undefined : this.accessors.indices(indices);
    const bad = corners ? corners.findIndex(vertex => vertex >= vertexCount) : -1;
    if (bad >= 0)
      refuse(
        `${where}.indices`,
        `names vertex ${corners![bad]} at index ${bad}, but the vertices are 0..${vertexCount - 1}`,
      );
    for (let at = 0, triangle = 0; at < out.length; at += 3, triangle++) {
      for (let side = 0; side < 3; side++) {
        const corner = cornerOf(mode, triangle, side);
        out[at + side] = corners ? corners[corner] : corner;
      }
    }
    if (corners) this.budget.release(corners.byteLength);
  }

  private concatenate(meshes: Geometry[]): Geometry {
    const sizeOf = (key: 'positions' | 'indices'): number =>
      meshes.reduce((sum, mesh) => sum + mesh[key].length, 0);
    const positionCount = sizeOf('positions');
    const indexCount = sizeOf('indices');
    this.budget.take(4 * (positionCount + indexCount), 'its meshes');
    const positions = new Float32Array(positionCount);
    const indices = new Uint32Array(indexCount);
    let positionAt = 0;
    let indexAt = 0;
    for (const mesh of meshes) {
      positions.set(mesh.positions, positionAt);
      for (let i = 0; i < mesh.indices.length; i++) indices[indexAt + i] = mesh.indices[i] + positionAt / 3;
      positionAt += mesh.positions.length;
      indexAt += mesh.indices.length;
    }
    this.budget.release(4 * (positionCount + indexCount));
    const rounding = meshes.reduce((max, mesh) => Math.max(max, mesh.rounding ?? 0), 0);
    return { positions, indices, ...(rounding > 0 ? { rounding } : {}) };
  }
}

// Returns the index of a triangle's corner in the primitive's list of corners. side: 0, 1 or 2. Every second
// triangle of a strip is flipped, so that all triangles face the same way.
function cornerOf(mode: number, triangle: number, side: number): number {
  if (mode === TRIANGLES) return 3 * triangle + side;
  if (mode === TRIANGLE_STRIP) return triangle + (side < 2 && triangle % 2 === 1 ? 1 - side : side);
  return side === 0 ? 0 : triangle + side;
}

// Returns a text that identifies the accessors of joints and weights, as part of a key of a map.
const influenceKey = ({ attributes, where }: Primitive): string =>
  influencesOf(attributes, where)
    .map(({ joints, weights }) => `${joints}*${weights}`)
    .join('+');
