// Reads positions and vertex indices from glTF accessors, which describe where a buffer has the data of a
// mesh. The data may be packed, interleaved, sparse or quantized.

import { checkBounds } from './gltfBounds.js';
import { type BufferView, bytesOf } from './gltfBuffers.js';
import { integerOf, type JsonObject, objectOf, objectsOf, referenceOf, refuse } from './gltfJson.js';
import type { MemoryBudget } from './memoryBudget.js';

interface Layout {
  number: number;
  where: string;
  item: JsonObject;
  componentType: number;
  componentCount: number;
  type: string;
  count: number;
  normalized: boolean;
  viewNumber: number | undefined;
  byteOffset: number;
  stride: number;
  sparse: JsonObject | undefined;
}

const COMPONENT_BYTES = new Map([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
]);
const COMPONENT_COUNTS = new Map([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT2', 4],
  ['MAT3', 9],
  ['MAT4', 16],
]);
const NORMALIZED_MAX = new Map([
  [5120, 127],
  [5121, 255],
  [5122, 32767],
  [5123, 65535],
]);
const INDEX_TYPES = [5121, 5123, 5125];
const FLOAT = 5126;
/** Estimated bytes of memory per accessor, including garbage that has not been collected yet. */
const LAYOUT_BYTES = 1024;

/** The accessors of a file. */
export class Accessors {
  private readonly layouts: (Layout | undefined)[];
  /**
   * Data that an extension has decoded, for accessors without a buffer view. `source` identifies the compressed
   * data.
   */
  private readonly decoded = new Map<number, { source: string; values: Float32Array | Uint32Array }>();

  /**
   * Checks every accessor of the file, even those that no mesh uses, because an invalid accessor is a sign of
   * a damaged file.
   * @throws InvalidFile
   */
  constructor(
    root: JsonObject,
    private readonly views: BufferView[],
    private readonly isQuantized: boolean,
    private readonly budget: MemoryBudget,
  ) {
    const accessors = objectsOf(root, 'accessors');
    budget.take(LAYOUT_BYTES * accessors.length, 'its accessors');
    this.layouts = accessors.map((accessor, number) => this.readLayout(accessor, number));
  }

  get count(): number {
    return this.layouts.length;
  }

  get viewCount(): number {
    return this.views.length;
  }

  /** Returns the bytes of a buffer view. @throws InvalidFile if its buffer has no data */
  viewBytes(view: number, where: string): Uint8Array {
    return bytesOf(this.views[view], where);
  }

  /** Returns whether the components of an accessor are floats. */
  isFloat(number: number): boolean {
    return this.layouts[number]?.componentType === FLOAT;
  }

  /** Returns whether the data of an accessor was decoded from `source`. */
  isDecodedFrom(number: number, source: string): boolean {
    return this.decoded.get(number)?.source === source;
  }

  /**
   * Gives an accessor without a buffer view the data that an extension has decoded.
   * @throws InvalidFile if the count or the type of `values` does not match the accessor, or if the accessor
   * already has data from another source
   */
  setDecoded(number: number, source: string, values: Float32Array | Uint32Array): void {
    const layout = this.layouts[number];
    const where = `accessors[${number}]`;
    const isFloat = values instanceof Float32Array;
    if (!layout || layout.componentCount * layout.count !== values.length)
      refuse(where, `does not match its compressed data, which has ${values.length} numbers`);
    if ((layout.componentType === FLOAT) !== isFloat)
      refuse(
        `${where}.componentType`,
        `is ${layout.componentType}, but Draco data needs 5126 (float) for positions and an integer type for indices`,
      );
    if (this.decoded.has(number) && !this.isDecodedFrom(number, source))
      refuse(where, 'belongs to two different compressed meshes');
    this.decoded.set(number, { source, values });
  }

  /** Returns the number of elements of an accessor; undefined if glTF 2.0 does not define its type. */
  elementCount(number: number): number | undefined {
    return this.layouts[number]?.count;
  }

  /** Returns whether an accessor has data: a buffer view or sparse values. */
  hasData(number: number): boolean {
    const layout = this.layouts[number];
    return layout?.viewNumber !== undefined || layout?.sparse !== undefined;
  }

  /**
   * Returns the positions of an accessor, three values each. Values for which the file has no data are zeros,
   * as the specification requires. When the caller no longer needs the values, it must release 8 bytes per
   * value from the budget.
   * @throws InvalidFile
   */
  positions(number: number): Float64Array {
    const layout = this.layouts[number];
    const isPositionType =
      layout &&
      layout.type === 'VEC3' &&
      (layout.componentType === FLOAT || (this.isQuantized && layout.componentType !== 5125));
    if (!isPositionType)
      refuse(
        `accessors[${number}]`,
        `does not hold positions (VEC3 of float${this.isQuantized ? ', byte or short' : ''})`,
      );
    return this.readNumbers(layout);
  }

  /**
   * Returns the translations, rotations or scales of instances. The accessor must have floats; rotations may
   * also be normalized bytes or normalized shorts. When the caller no longer needs the values, it must release
   * 8 bytes per value from the budget.
   * @throws InvalidFile
   */
  vectors(number: number, type: 'VEC3' | 'VEC4'): Float64Array {
    const layout = this.layouts[number];
    const isNormalized = type === 'VEC4' && layout?.normalized && [5120, 5122].includes(layout.componentType);
    if (layout?.type !== type || (layout.componentType !== FLOAT && !isNormalized))
      refuse(
        `accessors[${number}]`,
        `does not hold placements of instances (${type} of float${type === 'VEC4' ? ', or normalized byte or short' : ''})`,
      );
    return this.readNumbers(layout);
  }

  /**
   * Returns the matrices of an accessor, 16 numbers each, column-major. When the caller no longer needs the
   * values, it must release 8 bytes per value from the budget.
   * @throws InvalidFile
   */
  matrices(number: number): Float64Array {
    const layout = this.layouts[number];
    if (layout?.type !== 'MAT4' || layout.componentType !== FLOAT)
      refuse(`accessors[${number}]`, 'does not hold matrices (MAT4 of float)');
    return this.readNumbers(layout);
  }

  /**
   * Returns the joints (indices) or weights of vertices, four for each vertex. When the caller no longer needs
   * the values, it must release 8 bytes per value from the budget.
   * @throws InvalidFile
   */
  influences(number: number, kind: 'JOINTS' | 'WEIGHTS'): Float64Array {
    const layout = this.layouts[number];
    const isShort = [5121, 5123].includes(layout?.componentType ?? 0);
    const isValid =
      kind === 'JOINTS'
        ? isShort && !layout?.normalized
        : layout?.componentType === FLOAT || (isShort && layout?.normalized);
    if (layout?.type !== 'VEC4' || !isValid)
      refuse(
        `accessors[${number}]`,
        kind === 'JOINTS'
          ? 'does not hold joints (VEC4 of unsigned byte or short)'
          : 'does not hold weights (VEC4 of float, or of normalized unsigned byte or short)',
      );
    return this.readNumbers(layout);
  }

  /**
   * Returns the times or values of an animation. The accessor must have floats; rotations may also be
   * normalized integers. When the caller no longer needs the values, it must release 8 bytes per value from the
   * budget.
   * @throws InvalidFile
   */
  samples(number: number, type: 'SCALAR' | 'VEC3' | 'VEC4'): Float64Array {
    const layout = this.layouts[number];
    const isNormalized = type === 'VEC4' && layout?.normalized;
    if (layout?.type !== type || (layout.componentType !== FLOAT && !isNormalized))
      refuse(
        `accessors[${number}]`,
        `does not hold keys of an animation (${type} of float${type === 'VEC4' ? ', or of normalized integers' : ''})`,
      );
    return this.readNumbers(layout);
  }

  private readNumbers(layout: Layout): Float64Array {
    const length = layout.componentCount * layout.count;
    this.budget.take(8 * length, `the ${layout.count} elements of ${layout.where}`);
    const values = this.read(layout, new Float64Array(length));
    if (layout.normalized) normalize(values, layout.componentType);
    return values;
  }

  /**
   * Returns the vertex indices of an accessor. When the caller no longer needs the indices, it must release 4
   * bytes per index from the budget.
   * @throws InvalidFile
   */
  indices(number: number): Uint32Array {
    const layout = this.layouts[number];
    const where = `accessors[${number}]`;
    if (layout?.type !== 'SCALAR' || !INDEX_TYPES.includes(layout.componentType) || layout.normalized) {
      refuse(where, 'does not hold indices (SCALAR of unsigned byte, short or int, not normalized)');
    }
    if (layout.viewNumber !== undefined && this.views[layout.viewNumber].byteStride !== undefined)
      refuse(where, 'has indices in a buffer view with byteStride, which glTF does not allow');
    this.budget.take(4 * layout.count, `the ${layout.count} elements of ${where}`);
    return this.read(layout, new Uint32Array(layout.count));
  }

  private readLayout(accessor: JsonObject, number: number): Layout | undefined {
    const where = `accessors[${number}]`;
    const componentType = integerOf(accessor, 'componentType', where, 0, 65535);
    const count = integerOf(accessor, 'count', where, 1, 0xffffffff);
    const { type } = accessor;
    if (typeof type !== 'string') refuse(`${where}.type`, 'is missing or not a string');
    const componentBytes = COMPONENT_BYTES.get(componentType);
    const componentCount = COMPONENT_COUNTS.get(type);
    if (componentBytes === undefined || componentCount === undefined) return undefined;
    const { normalized = false } = accessor;
    if (typeof normalized !== 'boolean')
      refuse(`${where}.normalized`, `is ${JSON.stringify(normalized)}, not true or false`);
    if (normalized && componentBytes === 4)
      refuse(`${where}.normalized`, 'is true, but the components are float or unsigned int');
    const sparse = objectOf(accessor, 'sparse', where);
    const layout = {
      number,
      where,
      item: accessor,
      componentType,
      componentCount,
      type,
      count,
      normalized,
      sparse,
    };
    if (accessor.bufferView === undefined) {
      if (accessor.byteOffset !== undefined)
        refuse(`${where}.byteOffset`, 'is set, but there is no bufferView');
      if (sparse) this.checkSparse(sparse, { ...layout, viewNumber: undefined, byteOffset: 0, stride: 0 });
      return { ...layout, viewNumber: undefined, byteOffset: 0, stride: 0 };
    }
    const viewNumber = referenceOf(accessor, 'bufferView', where, this.views.length, 'bufferViews');
    const byteOffset =
      accessor.byteOffset === undefined ? 0 : integerOf(accessor, 'byteOffset', where, 0, 0xffffffff);
    const elementBytes = elementSize(type, componentBytes, componentCount);
    const stride = this.views[viewNumber].byteStride ?? elementBytes;
    if (stride < elementBytes)
      refuse(where, `has a stride of ${stride} bytes, but its elements have ${elementBytes} bytes`);
    this.checkFit(where, viewNumber, byteOffset, stride, elementBytes, componentBytes, count);
    if (type.startsWith('MAT') && byteOffset % 4 !== 0)
      refuse(`${where}.byteOffset`, `is ${byteOffset}, not a multiple of 4`);
    const whole = { ...layout, viewNumber, byteOffset, stride };
    if (sparse) this.checkSparse(sparse, whole);
    return whole;
  }

  private checkFit(
    where: string,
    viewNumber: number,
    byteOffset: number,
    stride: number,
    elementBytes: number,
    componentBytes: number,
    count: number,
  ): void {
    const view = this.views[viewNumber];
    if ((view.byteOffset + byteOffset) % componentBytes !== 0 || byteOffset % componentBytes !== 0) {
      refuse(
        where,
        `begins at byte ${byteOffset} of its buffer view and at byte ${view.byteOffset + byteOffset} of its buffer, but both must be multiples of ${componentBytes}`,
      );
    }
    const end = byteOffset + stride * (count - 1) + elementBytes;
    if (end > view.byteLength)
      refuse(
        where,
        `declares ${count} elements up to byte ${end}, but its buffer view has ${view.byteLength} bytes`,
      );
  }

  private checkSparse(sparse: JsonObject, layout: Layout): void {
    const where = `${layout.where}.sparse`;
    const count = integerOf(sparse, 'count', where, 1, layout.count);
    const componentBytes = COMPONENT_BYTES.get(layout.componentType)!;
    const { indices, values } = this.sparseParts(sparse, where);
    const indexBytes = COMPONENT_BYTES.get(indices.componentType)!;
    for (const { viewNumber } of [indices, values])
      if (this.views[viewNumber].byteStride !== undefined)
        refuse(where, 'has indices or values in a buffer view with byteStride, which glTF does not allow');
    this.checkFit(
      `${where}.indices`,
      indices.viewNumber,
      indices.byteOffset,
      indexBytes,
      indexBytes,
      indexBytes,
      count,
    );
    const elementBytes = elementSize(layout.type, componentBytes, layout.componentCount);
    this.checkFit(
      `${where}.values`,
      values.viewNumber,
      values.byteOffset,
      elementBytes,
      elementBytes,
      componentBytes,
      count,
    );
  }

  private sparseParts(sparse: JsonObject, where: string) {
    const [indices, values] = (['indices', 'values'] as const).map(key => {
      const item = objectOf(sparse, key, where) ?? refuse(`${where}.${key}`, 'is missing');
      const viewNumber = referenceOf(item, 'bufferView', `${where}.${key}`, this.views.length, 'bufferViews');
      const byteOffset =
        item.byteOffset === undefined ? 0 : integerOf(item, 'byteOffset', `${where}.${key}`, 0, 0xffffffff);
      const componentType =
        key === 'indices' ? integerOf(item, 'componentType', `${where}.${key}`, 5121, 5125) : 0;
      if (key === 'indices' && !INDEX_TYPES.includes(componentType))
        refuse(`${where}.indices.componentType`, `is ${componentType}, not ${INDEX_TYPES.join(' or ')}`);
      return { viewNumber, byteOffset, componentType };
    });
    return { indices: indices!, values: values! };
  }

  private read<Values extends Float64Array | Uint32Array>(layout: Layout, values: Values): Values {
    const { where, item, componentCount, componentType, viewNumber, byteOffset, stride, sparse } = layout;
    const decoded = this.decoded.get(layout.number);
    // Compression changes coordinates, and the bounds may describe the data before compression. So the bounds
    // are not checked.
    if (decoded) {
      values.set(decoded.values);
      return values;
    }
    if (viewNumber !== undefined)
      this.copy(values, viewNumber, byteOffset, stride, layout, element => element);
    if (sparse) this.applySparse(values, sparse, layout);
    // An accessor without its own data is all zeros until an extension fills it. Its bounds describe the
    // filled data, so they are not checked.
    if (viewNumber !== undefined || sparse)
      checkBounds(item, values, componentCount, componentType === FLOAT, where);
    return values;
  }

  private applySparse(values: Float64Array | Uint32Array, sparse: JsonObject, layout: Layout): void {
    const where = `${layout.where}.sparse`;
    const parts = this.sparseParts(sparse, where);
    const sparseIndices = new Float64Array(sparse.count as number);
    const indexBytes = COMPONENT_BYTES.get(parts.indices.componentType)!;
    const placeLayout = { ...layout, componentType: parts.indices.componentType, componentCount: 1 };
    this.copy(
      sparseIndices,
      parts.indices.viewNumber,
      parts.indices.byteOffset,
      indexBytes,
      placeLayout,
      element => element,
    );
    for (let i = 0; i < sparseIndices.length; i++) {
      if (sparseIndices[i] >= layout.count || (i > 0 && sparseIndices[i] <= sparseIndices[i - 1])) {
        refuse(
          `${where}.indices`,
          `must be ascending and less than ${layout.count}, but the entry at position ${i} is ${sparseIndices[i]}`,
        );
      }
    }
    const stride = COMPONENT_BYTES.get(layout.componentType)! * layout.componentCount;
    this.copy(
      values,
      parts.values.viewNumber,
      parts.values.byteOffset,
      stride,
      layout,
      element => sparseIndices[element],
      sparseIndices.length,
    );
  }

  private copy(
    values: Float64Array | Uint32Array,
    viewNumber: number,
    byteOffset: number,
    stride: number,
    layout: Layout,
    destinationOf: (element: number) => number,
    elements = values.length / layout.componentCount,
  ): void {
    const bytes = bytesOf(this.views[viewNumber], layout.where);
    const read = componentReader(
      new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      layout.componentType,
    );
    const componentBytes = COMPONENT_BYTES.get(layout.componentType)!;
    for (let element = 0; element < elements; element++) {
      const at = byteOffset + element * stride;
      const out = destinationOf(element) * layout.componentCount;
      for (let i = 0; i < layout.componentCount; i++) values[out + i] = read(at + i * componentBytes);
    }
  }
}

// Returns the bytes of an element. Each column of a matrix is padded to a multiple of 4 bytes.
function elementSize(type: string, componentBytes: number, componentCount: number): number {
  if (!type.startsWith('MAT')) return componentBytes * componentCount;
  const rows = Math.sqrt(componentCount);
  return rows * Math.ceil((rows * componentBytes) / 4) * 4;
}

function componentReader(view: DataView, componentType: number): (at: number) => number {
  switch (componentType) {
    case 5120:
      return at => view.getInt8(at);
    case 5121:
      return at => view.getUint8(at);
    case 5122:
      return at => view.getInt16(at, true);
    case 5123:
      return at => view.getUint16(at, true);
    case 5125:
      return at => view.getUint32(at, true);
    default:
      return at => view.getFloat32(at, true);
  }
}

// Converts normalized integers to numbers with the formula of the glTF specification: the maximum becomes 1,
// and a number that would be less than -1 becomes -1.
function normalize(values: Float64Array, componentType: number): void {
  const max = NORMALIZED_MAX.get(componentType)!;
  for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i] / max, -1);
}
