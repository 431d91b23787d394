// The bytes of an IFC file -> parts, one an element, and the elements that cannot be read. Runs in a worker:
// web-ifc may never come to an end.
import type { FlatMesh, IfcAPI } from 'web-ifc';
import { blame, hasBody, isThing } from './ifcBlame.js';
import { type CheckedFile, checkIfc } from './ifcCheck.js';
import { type IfcSchema, readSchema } from './ifcSchema.js';
import { lengthUnit } from './ifcUnit.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Tell, type Unread } from './part.js';
import { StepFile } from './step.js';
import { TEXT } from './stepTokens.js';
import { uniqueNames } from './uniqueNames.js';
import { METRES, type Unit } from './units.js';

type Library = typeof import('web-ifc');

/** What a reader is given of its surroundings. */
export interface Surroundings {
  library: Library;
  tell: Tell;
  /** Hears that work goes on, and at which record. */
  begin(record: number): void;
  /** Records of elements that are left out, and why. */
  skip: ReadonlyMap<number, string>;
  /** What web-ifc has said since the last call. Throws InvalidFile where it has been refused memory. */
  takeErrors(): string[];
}

interface Element {
  number: number;
  /** x, y, z per vertex, z up, in the file's unit. */
  points: Float64Array;
  indices: Uint32Array;
}

const GLOBAL_ID = /^[0-9A-Za-z_$]{22}$/;

interface Named {
  name: string;
  type: string;
  id: string | undefined;
}

/** Throws InvalidFile where the file cannot be read at all. */
export async function readModel(
  bytes: Uint8Array,
  surroundings: Surroundings,
): Promise<{ parts: Part[]; unread: Unread[] }> {
  const { library, begin, takeErrors } = surroundings;
  const schema = readSchema(library);
  const checked = checkIfc(new StepFile(bytes), schema);
  checkProject(checked);
  const blamed = blame(checked);
  begin(0);
  const api = new library.IfcAPI();
  await api.Init();
  api.SetLogLevel(library.LogLevel.LOG_LEVEL_ERROR);
  const model = api.OpenModel(bytes);
  if (model < 0)
    throw new InvalidFile('is of no IFC version that web-ifc reads', 'Export the file as IFC 2x3 or IFC 4.');
  const [error] = takeErrors();
  if (error !== undefined && blamed.size === 0)
    throw new InvalidFile(`web-ifc cannot read it: ${error}`, EXPORT_AGAIN);
  const unit = unitOf(api, model, library.IFCPROJECT, surroundings.tell);
  const elements = readElements(api, model, checked, blamed, 1 / METRES[unit], surroundings);
  const parts = makeParts(
    elements.map(element => ({ ...element, ...nameOf(api, model, element.number) })),
    unit,
  );
  const read = new Set(elements.map(({ number }) => number));
  const unread = [...blamed]
    .sort(([x], [y]) => x - y)
    .map(([record, reason]) => ({
      ...unreadOf(api, model, checked, schema, record, reason),
      ...(read.has(checked.file.numbers[record]) ? { isPartial: true } : {}),
    }));
  return { parts, unread };
}

// One wrong unit makes every length wrong.
function checkProject(checked: CheckedFile): void {
  const { file, faults, links, linksAt, isA } = checked;
  const records = Array.from({ length: file.count }, (_, record) => record);
  const projects = records.filter(record => isA(record, 'IFCPROJECT'));
  if (projects.length !== 1)
    throw new InvalidFile(`has ${projects.length} projects (IFCPROJECT), but must have one`, EXPORT_AGAIN);
  const open = [...projects];
  const seen = new Set(open);
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    if (faults.has(record))
      throw new InvalidFile(
        `${file.names[file.entities[record]]} #${file.numbers[record]} ${faults.get(record)}`,
        EXPORT_AGAIN,
      );
    for (const target of links.subarray(linksAt[record], linksAt[record + 1])) {
      if (
        seen.has(target) ||
        !['IFCUNITASSIGNMENT', 'IFCNAMEDUNIT', 'IFCMEASUREWITHUNIT'].some(base => isA(target, base))
      )
        continue;
      seen.add(target);
      open.push(target);
    }
  }
}

function unitOf(api: IfcAPI, model: number, project: number, tell: Tell): Unit {
  const unit = lengthUnit(api, model, project);
  if (unit === undefined)
    tell('names no unit of length, so its numbers are taken as metres', 'Export the file with its units.');
  return unit ?? 'm';
}

// Takes those that have no triangles, or wrong ones, down in `blamed`.
function readElements(
  api: IfcAPI,
  model: number,
  checked: CheckedFile,
  blamed: Map<number, string>,
  scale: number,
  { begin, skip, takeErrors }: Surroundings,
): Element[] {
  const { file } = checked;
  const elements: Element[] = [];
  for (let record = 0; record < file.count; record++) {
    if (!isThing(checked, record) || blamed.has(record)) continue;
    const number = file.numbers[record];
    const reason = skip.get(number);
    if (reason !== undefined) {
      blamed.set(record, reason);
      continue;
    }
    begin(number);
    let element: Element | undefined;
    api.StreamMeshes(model, [number], mesh => {
      element = readElement(api, model, mesh, scale);
    });
    const [error] = takeErrors();
    const areFinite = element?.points.every(value => Number.isFinite(Math.fround(value)));
    const isEmpty = element === undefined || element.indices.length === 0;
    if (!isEmpty && areFinite && isWhole(element!)) elements.push(element!);
    else if (!isEmpty)
      blamed.set(
        record,
        areFinite ? 'has a triangle beyond its vertices' : 'has a coordinate that is no finite float32',
      );
    else if (hasBody(checked, record)) blamed.set(record, 'has a shape of which web-ifc makes no triangles');
    if (error !== undefined) blamed.set(record, `web-ifc says: ${error}`);
  }
  return elements;
}

const isWhole = ({ points, indices }: Element): boolean =>
  indices.every(vertex => 3 * vertex < points.length);

function readElement(api: IfcAPI, model: number, mesh: FlatMesh, scale: number): Element {
  const points: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < mesh.geometries.size(); i++) {
    const { geometryExpressID, flatTransformation } = mesh.geometries.get(i);
    const geometry = api.GetGeometry(model, geometryExpressID);
    // A position and a normal each.
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const first = points.length / 3;
    for (let at = 0; at < vertices.length; at += 6)
      pushPlaced(points, flatTransformation, vertices, at, scale);
    for (const vertex of api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize()))
      indices.push(first + vertex);
    geometry.delete();
  }
  return { number: mesh.expressID, points: Float64Array.from(points), indices: Uint32Array.from(indices) };
}

// web-ifc turns y up and counts in metres; this turns z up again, as IFC has it.
function pushPlaced(
  points: number[],
  m: ArrayLike<number>,
  vertices: Float32Array,
  at: number,
  scale: number,
): void {
  const x = vertices[at];
  const y = vertices[at + 1];
  const z = vertices[at + 2];
  const row = (i: number) => scale * (m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12]);
  points.push(row(0), -row(2), row(1));
}

// Elements that touch in the model come here with differently rounded places. All are rounded to float32 in
// one common frame: what was equal is so again.
function makeParts(elements: (Element & Named)[], unit: Unit): Part[] {
  const origin = commonOrigin(elements);
  const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...origin, 1);
  const names = uniqueNames(elements.map(({ name }) => name));
  return elements.map(({ type, id, points, indices }, i) => {
    const positions = Float32Array.from(points, (value, at) => value - origin[at % 3]);
    return { name: names[i], type, id, unit, up: 'z', positions, indices, transform };
  });
}

// Where the model lies far off, as in a country's grid, floats about its middle are sharper.
function commonOrigin(elements: Element[]): [number, number, number] {
  const least = [Infinity, Infinity, Infinity];
  const greatest = [-Infinity, -Infinity, -Infinity];
  for (const { points } of elements) {
    for (let i = 0; i < points.length; i++) {
      least[i % 3] = Math.min(least[i % 3], points[i]);
      greatest[i % 3] = Math.max(greatest[i % 3], points[i]);
    }
  }
  const extent = Math.max(...greatest.map((value, axis) => value - least[axis]));
  const middles = least.map((value, axis) => Math.round((value + greatest[axis]) / 2));
  return middles.every(middle => Math.abs(middle) <= 4 * extent)
    ? [0, 0, 0]
    : (middles as [number, number, number]);
}

function nameOf(api: IfcAPI, model: number, number: number): Named {
  const { type: code, Name, GlobalId } = api.GetLine(model, number);
  const type = api.GetNameFromTypeCode(code);
  const id = GlobalId?.value ?? undefined;
  // A file may have a number where a text belongs.
  return { name: `${type} ${Name?.value || `#${number}`}`, type, id: id === undefined ? id : String(id) };
}

// web-ifc may not be able to read a record that is wrong; what it begins with, if it is an element, is read
// here.
function unreadOf(
  api: IfcAPI,
  model: number,
  { file, faults }: CheckedFile,
  schema: IfcSchema,
  record: number,
  reason: string,
): Unread {
  const number = file.numbers[record];
  const entity = file.names[file.entities[record]];
  const code = schema.codeOf(entity);
  const { kinds } = file.load(record);
  const textOf = (token: number): string => (kinds[token] === TEXT ? file.textOf(token).slice(1, -1) : '');
  const isRooted = GLOBAL_ID.test(textOf(0));
  if (isRooted && !faults.has(record)) return { ...nameOf(api, model, number), reason };
  const type = code === undefined ? entity : api.GetNameFromTypeCode(code);
  return isRooted
    ? { name: `${type} ${textOf(2) || `#${number}`}`, type, id: textOf(0), reason }
    : { name: `${type} #${number}`, reason };
}
