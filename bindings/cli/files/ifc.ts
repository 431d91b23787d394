// IFC -> parts, one an element: web-ifc makes the triangles, here they are named, placed and given in the file's own unit.
import type { FlatMesh, IfcAPI } from 'web-ifc';
import { CollisionError } from '../../errors.js';
import { METRES, type Unit } from '../units.js';
import { lengthUnit } from './ifcUnit.js';
import { EXPORT_AGAIN, InvalidFile, uniqueNames, type Part, type Tell } from './part.js';

type Library = typeof import('web-ifc');
export type ParseIfc = (name: string, bytes: Uint8Array, tell: Tell) => Part[];

interface Element {
  number: number;
  /** x, y, z per vertex, z up, in the file's unit. */
  points: Float64Array;
  indices: Uint32Array;
}

// What has a shape but is no thing: holes, rooms, borders. web-ifc leaves them out.
const NO_THINGS = /^Ifc(Opening|Space|Virtual|Spatial|ExternalSpatial)/;

/** Loads web-ifc. Throws MissingPackage where it is not installed. */
export async function loadIfcReader(): Promise<ParseIfc> {
  const library = await loadLibrary();
  const api = new library.IfcAPI();
  await api.Init();
  api.SetLogLevel(library.LogLevel.LOG_LEVEL_OFF);
  return (_, bytes, tell) => {
    checkFrame(bytes);
    try {
      return readModel(library, api, bytes, tell);
    } catch (error) {
      if (error instanceof CollisionError) throw error;
      // It throws whatever its own code comes upon.
      throw new InvalidFile('web-ifc cannot read it', EXPORT_AGAIN);
    }
  };
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('web-ifc');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CollisionError('MissingPackage', 'IFC files need the package web-ifc, which is not installed', 'Run npm install web-ifc, then this command again.');
  }
}

// web-ifc reads what it finds of a file that is cut off; the elements that are missing would never clash.
function checkFrame(bytes: Uint8Array): void {
  const text = (from: number, to?: number) => new TextDecoder('latin1').decode(bytes.subarray(from, to));
  if (!/^(\xef\xbb\xbf)?\s*ISO-10303-21\s*;/.test(text(0, 64))) throw new InvalidFile('does not begin with ISO-10303-21, as IFC does', EXPORT_AGAIN);
  if (!/END-ISO-10303-21\s*;\s*(\/\*[^]*\*\/\s*)?\0*$/.test(text(Math.max(0, bytes.length - 1024)))) throw new InvalidFile('is cut off: END-ISO-10303-21 is missing', EXPORT_AGAIN);
}

function readModel(library: Library, api: IfcAPI, bytes: Uint8Array, tell: Tell): Part[] {
  const model = api.OpenModel(bytes);
  if (model < 0) throw new InvalidFile('is of no IFC version that web-ifc reads', 'Export the file as IFC 2x3 or IFC 4.');
  const unit = lengthUnit(api, model, library.IFCPROJECT);
  const elements: Element[] = [];
  api.StreamAllMeshes(model, (mesh) => { elements.push(readElement(api, model, mesh, 1 / METRES[unit])); });
  tellOfShapeless(api, model, elements, tell);
  const parts = nameParts(api, model, elements.filter(({ indices }) => indices.length > 0), unit);
  api.CloseModel(model);
  return parts;
}

function readElement(api: IfcAPI, model: number, mesh: FlatMesh, scale: number): Element {
  const points: number[] = [], indices: number[] = [];
  for (let i = 0; i < mesh.geometries.size(); i++) {
    const { geometryExpressID, flatTransformation } = mesh.geometries.get(i);
    const geometry = api.GetGeometry(model, geometryExpressID);
    // A position and a normal each.
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const first = points.length / 3;
    for (let at = 0; at < vertices.length; at += 6) pushPlaced(points, flatTransformation, vertices, at, scale);
    for (const vertex of api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize())) indices.push(first + vertex);
    geometry.delete();
  }
  return { number: mesh.expressID, points: Float64Array.from(points), indices: Uint32Array.from(indices) };
}

// web-ifc turns y up and counts in metres; this turns z up again, as IFC has it.
function pushPlaced(points: number[], m: ArrayLike<number>, vertices: Float32Array, at: number, scale: number): void {
  const x = vertices[at], y = vertices[at + 1], z = vertices[at + 2];
  const row = (i: number) => scale * (m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12]);
  points.push(row(0), -row(2), row(1));
}

// Elements that touch in the model come here with differently rounded places. All are rounded to float32 in one common frame: what was equal is so again.
function nameParts(api: IfcAPI, model: number, elements: Element[], unit: Unit): Part[] {
  const origin = commonOrigin(elements);
  const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...origin, 1);
  const lines = elements.map(({ number }) => api.GetLine(model, number));
  const types = lines.map(({ type }) => api.GetNameFromTypeCode(type));
  const names = uniqueNames(lines.map(({ Name }, i) => `${types[i]} ${Name?.value || `#${elements[i].number}`}`));
  return elements.map(({ number, points, indices }, i) => {
    const positions = Float32Array.from(points, (value, at) => value - origin[at % 3]);
    if (!positions.every(Number.isFinite)) throw new InvalidFile(`element #${number} has a coordinate that is no finite float32`, EXPORT_AGAIN);
    // A file may have a number where a text belongs.
    const id = lines[i].GlobalId?.value ?? undefined;
    return { name: names[i], type: types[i], id: id === undefined ? id : String(id), unit, up: 'z', positions, indices, transform };
  });
}

// Where the model lies far off, as in a country's grid, floats about its middle are sharper.
function commonOrigin(elements: Element[]): [number, number, number] {
  const least = [Infinity, Infinity, Infinity], greatest = [-Infinity, -Infinity, -Infinity];
  for (const { points } of elements) {
    for (let i = 0; i < points.length; i++) {
      least[i % 3] = Math.min(least[i % 3], points[i]);
      greatest[i % 3] = Math.max(greatest[i % 3], points[i]);
    }
  }
  const extent = Math.max(...greatest.map((value, axis) => value - least[axis]));
  const middles = least.map((value, axis) => Math.round((value + greatest[axis]) / 2));
  return middles.every((middle) => Math.abs(middle) <= 4 * extent) ? [0, 0, 0] : middles as [number, number, number];
}

function tellOfShapeless(api: IfcAPI, model: number, elements: Element[], tell: Tell): void {
  const shaped = new Set(elements.filter(({ indices }) => indices.length > 0).map(({ number }) => number));
  const missing: string[] = [];
  for (const { typeID, typeName } of api.GetAllTypesOfModel(model)) {
    if (!api.IsIfcElement(typeID) || NO_THINGS.test(typeName)) continue;
    for (const number of api.GetLineIDsWithType(model, typeID)) {
      if (!shaped.has(number) && api.GetLine(model, number).Representation) missing.push(`${typeName} #${number}`);
    }
  }
  if (missing.length === 0) return;
  const shown = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', ...' : '');
  tell(`${missing.length} ${missing.length === 1 ? 'element has a shape that gives' : 'elements have shapes that give'} no triangles: ${shown}`, 'Look at them in the program that wrote the file: they are left out.');
}
