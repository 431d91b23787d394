// Reads the model files of a 3MF package: objects with meshes or components, and the items to build. Content
// other than shapes, such as materials and metadata, is skipped.
import { type GrowingList, growingDoubles, growingIndices } from './growingList.js';
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, identity, quote } from './part.js';
import { coordinateOf, integerOf, numbersOf, parseXml, textOf, type XmlElement } from './threeMfXml.js';
import type { Unit } from './units.js';

/** A placed object: an item to build, or a component of another object. */
export interface PlacedObject {
  id: string;
  /** The model file that has the object; undefined if this is the file with the reference to the object. */
  path: string | undefined;
  transform: Float64Array;
  /** The place in the file, for errors. */
  where: string;
}

/** An object has either a mesh or components. */
export interface ModelObject {
  name: string | undefined;
  type: string;
  mesh: { points: Float64Array; indices: Uint32Array } | undefined;
  components: PlacedObject[];
}

/** The content of a model file. */
export interface Model {
  path: string;
  unit: Unit;
  /** The length of the file's unit, in `unit`. */
  scale: number;
  objects: Map<string, ModelObject>;
  items: PlacedObject[];
  /** The namespaces of skipped elements, except namespaces that are known not to change shapes. */
  skipped: Set<string>;
}

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const MODEL_RELATIONSHIP = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';
// Extensions that change neither triangles nor placements.
const HARMLESS = new Set([
  PRODUCTION,
  'http://schemas.microsoft.com/3dmanufacturing/material/2015/02',
  'http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07',
]);
// Extensions that add shapes, or replace them.
const SHAPES = /\/3dmanufacturing\/(beamlattice|booleans|volumetric|implicit|displacement)/;
const UNITS: Record<string, [Unit, number]> = {
  micron: ['mm', 0.001],
  millimeter: ['mm', 1],
  centimeter: ['cm', 1],
  inch: ['in', 1],
  foot: ['ft', 1],
  meter: ['m', 1],
};
const OBJECT_TYPES = ['model', 'solidsupport', 'support', 'surface', 'other'];
// The elements that each element of the core specification may contain. Any other element is an error, because
// a misspelled name would hide a shape.
const CHILDREN: Record<string, string[]> = {
  '': ['model'],
  model: ['metadata', 'metadatagroup', 'resources', 'build'],
  resources: ['object', 'basematerials'],
  object: ['metadatagroup', 'mesh', 'components'],
  mesh: ['vertices', 'triangles'],
  vertices: ['vertex'],
  triangles: ['triangle'],
  components: ['component'],
  build: ['item'],
  item: ['metadatagroup'],
  metadatagroup: ['metadata'],
  basematerials: ['base'],
};
// The attributes without a namespace that each element may have. Any other attribute is an error, because a
// misspelled transform would leave an object at the origin.
const ATTRIBUTES: Record<string, string[]> = {
  model: ['unit', 'requiredextensions', 'recommendedextensions'],
  metadata: ['name', 'preserve', 'type'],
  object: ['id', 'type', 'thumbnail', 'partnumber', 'name', 'pid', 'pindex'],
  vertex: ['x', 'y', 'z'],
  triangle: ['v1', 'v2', 'v3', 'p1', 'p2', 'p3', 'pid'],
  component: ['objectid', 'transform'],
  item: ['objectid', 'transform', 'partnumber'],
  basematerials: ['id'],
  base: ['name', 'displaycolor'],
};
// Attributes that PrusaSlicer, Bambu Studio and OrcaSlicer write without a namespace. They change neither
// triangles nor placements.
const OF_SLICERS: Record<string, string[]> = {
  item: ['printable'],
  triangle: ['paint_supports', 'paint_seam', 'paint_color', 'paint_fuzzy_skin', 'face_property'],
};
const OBJECT_BYTES = 512;
const MAX_INDEX = 2 ** 31 - 2;
const ONCE = ['resources', 'build', 'mesh', 'components', 'vertices', 'triangles'];

/**
 * Returns the path of the root model, which a package gives in its relationships.
 * @throws InvalidFile
 */
export function parseRelationships(path: string, bytes: Uint8Array): string {
  const targets: string[] = [];
  parseXml(
    path,
    bytes,
    element => {
      if (element.space !== PACKAGE || element.name !== 'Relationship') return;
      if (textOf(element, 'Type') === MODEL_RELATIONSHIP) targets.push(pathIn(textOf(element, 'Target')));
    },
    () => {},
  );
  if (targets.length !== 1)
    throw new InvalidFile(`${path}: names ${targets.length} models, but must name one`, EXPORT_AGAIN);
  return targets[0];
}

// Paths in packages begin with a slash, but the names of the entries of an archive do not.
const pathIn = (path: string): string => path.replace(/^\//, '');

/** Reads a model file. @throws InvalidFile */
export function parseModel(path: string, bytes: Uint8Array, budget: MemoryBudget): Model {
  const reader = new ModelReader(path, budget);
  parseXml(
    path,
    bytes,
    element => reader.open(element),
    () => reader.close(),
  );
  return reader.model;
}

class ModelReader {
  readonly model: Model;
  /** Names of the open elements. */
  private readonly openNames: string[] = [];
  /** How many open elements belong to skipped content. */
  private skippedDepth = 0;
  /** The elements of ONCE that have occurred in the open object, or in the file. */
  private readonly seen = new Set<string>();
  private object: ModelObject | undefined;
  private element: XmlElement | undefined;
  private points: GrowingList<Float64Array> | undefined;
  private indices: GrowingList<Uint32Array> | undefined;

  constructor(
    path: string,
    private readonly budget: MemoryBudget,
  ) {
    this.model = { path, unit: 'mm', scale: 1, objects: new Map(), items: [], skipped: new Set() };
  }

  open(element: XmlElement): void {
    const { space, name } = element;
    if (this.skippedDepth > 0) {
      this.skippedDepth++;
      return;
    }
    const parent = this.openNames.at(-1) ?? '';
    if (space !== CORE) {
      if (parent === '') element.refuse(`expected a model of 3MF, found ${quote(name)}`);
      if (SHAPES.test(space))
        element.refuse(
          `has ${quote(name)}, a shape of an extension that is not supported`,
          'Export the model as triangle meshes.',
        );
      if (!HARMLESS.has(space)) this.model.skipped.add(space);
      this.skippedDepth = 1;
      return;
    }
    if (!CHILDREN[parent]?.includes(name))
      element.refuse(`${quote(name)} is not an element of ${parent || 'the file'}`);
    for (const attribute of element.names())
      if (!ATTRIBUTES[name]?.includes(attribute) && !OF_SLICERS[name]?.includes(attribute))
        element.refuse(`${quote(attribute)} is not an attribute of ${name}`);
    this.openNames.push(name);
    if (ONCE.includes(name)) {
      if (this.seen.has(name)) element.refuse(`has a second element ${name}`);
      this.seen.add(name);
    }
    this.element = element;
    this.read(element);
  }

  close(): void {
    if (this.skippedDepth > 0) {
      this.skippedDepth--;
      return;
    }
    const name = this.openNames.pop();
    if (name === 'mesh') {
      if (!this.indices || !this.points) this.element!.refuse('the mesh has no vertices or no triangles');
      this.object!.mesh = { points: this.points!.toArray(), indices: this.indices!.toArray() };
      this.points = this.indices = undefined;
    } else if (name === 'object') {
      const { mesh, components } = this.object!;
      if (!mesh && components.length === 0)
        this.element!.refuse('the object has neither a mesh nor components');
      for (const once of ['mesh', 'components', 'vertices', 'triangles']) this.seen.delete(once);
    }
  }

  private read(element: XmlElement): void {
    switch (element.name) {
      case 'model':
        return this.readModel(element);
      case 'object':
        return this.readObject(element);
      case 'mesh':
      case 'components':
        if (this.seen.has('mesh') && this.seen.has('components'))
          element.refuse('the object has both a mesh and components');
        return;
      case 'vertices':
        this.points = growingDoubles(this.budget);
        return;
      case 'triangles':
        if (!this.points) element.refuse('the triangles come before the vertices');
        this.indices = growingIndices(this.budget);
        return;
      case 'vertex':
        for (const axis of ['x', 'y', 'z']) this.points!.push(coordinateOf(element, axis));
        return;
      case 'triangle':
        return this.readTriangle(element);
      case 'component':
        this.object!.components.push(this.readPlaced(element));
        return;
      case 'item':
        this.model.items.push(this.readPlaced(element));
    }
  }

  private readModel(element: XmlElement): void {
    const unit = element.get('unit') ?? 'millimeter';
    if (!Object.hasOwn(UNITS, unit))
      element.refuse(`has the unit ${quote(unit)}, not one of ${Object.keys(UNITS).join(', ')}`);
    [this.model.unit, this.model.scale] = UNITS[unit];
    for (const prefix of (element.get('requiredextensions') ?? '').split(/\s+/).filter(Boolean)) {
      const space = element.spaceOf(prefix);
      if (space === undefined)
        element.refuse(`requires the extension ${quote(prefix)}, which it does not declare`);
      if (!HARMLESS.has(space))
        element.refuse(
          `requires the extension ${quote(prefix)} (${quote(space)}), which is not supported`,
          'Export the file without that extension.',
        );
    }
  }

  private readObject(element: XmlElement): void {
    const id = textOf(element, 'id');
    const type = element.get('type') ?? 'model';
    if (!OBJECT_TYPES.includes(type))
      element.refuse(`the object has the type ${quote(type)}, not one of ${OBJECT_TYPES.join(', ')}`);
    if (this.model.objects.has(id)) element.refuse(`has two objects with the id ${quote(id)}`);
    this.budget.take(OBJECT_BYTES, 'its objects');
    const name = element.get('name')?.trim() || undefined;
    this.object = { name, type, mesh: undefined, components: [] };
    this.model.objects.set(id, this.object);
  }

  private readTriangle(element: XmlElement): void {
    const vertexCount = this.points!.length / 3;
    for (const corner of ['v1', 'v2', 'v3']) {
      const vertex = integerOf(element, corner, MAX_INDEX);
      if (vertex >= vertexCount)
        element.refuse(`the triangle names vertex ${vertex}, but the vertices are 0..${vertexCount - 1}`);
      this.indices!.push(vertex);
    }
  }

  private readPlaced(element: XmlElement): PlacedObject {
    this.budget.take(OBJECT_BYTES, 'its objects');
    const path = element.get('path', PRODUCTION);
    const text = element.get('transform');
    const transform = identity();
    // In a matrix of 3MF, the rows are the images of the axes; in a matrix of pfront, the columns are.
    if (text !== undefined)
      numbersOf(element, 'transform', text, 12).forEach((value, i) => {
        transform[4 * Math.floor(i / 3) + (i % 3)] = value;
      });
    return {
      id: textOf(element, 'objectid'),
      path: path === undefined ? undefined : pathIn(path),
      transform,
      where: `${this.model.path}: ${element.name} of object ${quote(textOf(element, 'objectid'))}`,
    };
  }
}
