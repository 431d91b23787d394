// Reads the bytes of an IFC file with the package web-ifc: returns one part for each element that can be
// read, and a list of the elements that cannot be read. Runs in a worker thread, because a call of web-ifc
// may never return.
import type { FlatMesh, IfcAPI } from 'web-ifc';
import { roundInCommonFrame } from './commonFrame.js';
import { type CheckedFile, checkIfc } from './ifcCheck.js';
import { hasBody, isElement, unreadableElements } from './ifcElements.js';
import { readLinks } from './ifcLinks.js';
import { readProperties } from './ifcProperties.js';
import { type ElementRelations, readRelations } from './ifcRelations.js';
import { type IfcSchema, readSchema } from './ifcSchema.js';
import { lengthUnit } from './ifcUnit.js';
import { orientTriangles } from './orientTriangles.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';
import { StepFile } from './stepFile.js';
import { TEXT } from './stepTokens.js';
import { uniqueNames } from './uniqueNames.js';
import { METERS, type Unit } from './units.js';

type Library = typeof import('web-ifc');

/** What the worker provides to the reader. */
export interface ReaderContext {
  library: Library;
  onWarning: WarningHandler;
  /**
   * Reports progress: the number of the record that is read next, or 0 while the file is opened, and the share
   * of elements that are done, 0 to 1.
   */
  onProgress(record: number, done?: number): void;
  /** Whether the properties of the parts are read, too. */
  withProperties?: boolean;
  /** The elements to leave out. A key is the number of an element's record, and its value is the reason. */
  skip: ReadonlyMap<number, string>;
  /**
   * Returns the errors that web-ifc has printed since the last call.
   * @throws InvalidFile if web-ifc hit the memory limit
   */
  takeErrors(): string[];
}

interface Element {
  number: number;
  /** x, y, z of each vertex, z up, in the file's unit. */
  points: Float64Array;
  indices: Uint32Array;
  /** The bodies that the shape consists of. */
  bodies: Body[];
}

/** Ranges of an element's vertices and indices; `end` is the first number after the range. */
interface Body {
  vertices: { begin: number; end: number };
  indices: { begin: number; end: number };
}

const GLOBAL_ID = /^[0-9A-Za-z_$]{22}$/;

interface Named {
  name: string;
  type: string;
  id: string | undefined;
}

/** Reads a model. @throws InvalidFile if the file cannot be read at all */
export async function readModel(
  bytes: Uint8Array,
  context: ReaderContext,
): Promise<{ parts: Part[]; unread: Unread[] }> {
  const { library, onProgress, takeErrors } = context;
  const schema = readSchema(library);
  const checked = checkIfc(new StepFile(bytes), schema);
  checkProject(checked);
  const reasons = unreadableElements(checked);
  onProgress(0);
  const api = new library.IfcAPI();
  // `true` makes web-ifc use one thread. Otherwise, it would start threads of its own in a browser.
  await api.Init(undefined, true);
  api.SetLogLevel(library.LogLevel.LOG_LEVEL_ERROR);
  const model = api.OpenModel(bytes);
  if (model < 0)
    throw new InvalidFile('has no IFC version that web-ifc can read', 'Export the file as IFC 2x3 or IFC 4.');
  const [error] = takeErrors();
  if (error !== undefined && reasons.size === 0)
    throw new InvalidFile(`web-ifc cannot read the file: ${error}`, EXPORT_AGAIN);
  const unit = unitOf(api, model, library.IFCPROJECT, context.onWarning);
  const elements = readElements(api, model, checked, reasons, 1 / METERS[unit], context);
  const { file } = checked;
  const textOf = (record: number, attribute: string): string | undefined =>
    attributeOf(api, model, file.numbers[record], attribute);
  const relationsOf = readRelations(checked, textOf);
  const linksOf = readLinks(checked, record => textOf(record, 'Name'));
  const propertiesOf = context.withProperties ? readProperties(checked, textOf) : undefined;
  const parts = makeParts(
    elements.map(element => {
      const record = file.recordOf(element.number);
      return {
        ...element,
        ...nameOf(api, model, element.number),
        ...relationsOf(record),
        ...linksOf(record),
        ...(propertiesOf ? { properties: propertiesOf(record) } : {}),
        bases: schema.basesOf(file.names[file.entities[record]]),
      };
    }),
    unit,
  );
  const read = new Set(elements.map(({ number }) => number));
  const unread = [...reasons]
    .sort(([x], [y]) => x - y)
    .map(([record, reason]) => ({
      ...unreadOf(api, model, checked, schema, record, reason),
      ...(read.has(checked.file.numbers[record]) ? { isPartial: true } : {}),
    }));
  return { parts, unread };
}

// A fault in the project or its units makes every length uncertain, so the file is rejected.
function checkProject(checked: CheckedFile): void {
  const { file, faults, links, linksAt, isA } = checked;
  const records = Array.from({ length: file.count }, (_, record) => record);
  const projects = records.filter(record => isA(record, 'IFCPROJECT'));
  if (projects.length !== 1)
    throw new InvalidFile(`has ${projects.length} projects (IFCPROJECT), but must have one`, EXPORT_AGAIN);
  const stack = [...projects];
  const seen = new Set(stack);
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
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
      stack.push(target);
    }
  }
}

function unitOf(api: IfcAPI, model: number, project: number, warn: WarningHandler): Unit {
  const unit = lengthUnit(api, model, project);
  if (unit === undefined)
    warn('declares no unit of length; meters are assumed', 'Export the file with its units.');
  return unit ?? 'm';
}

// Returns the elements that could be read. Adds to `reasons` each element that is skipped, that has invalid
// triangles, that has a shape but no triangles, or for which web-ifc reports an error.
function readElements(
  api: IfcAPI,
  model: number,
  checked: CheckedFile,
  reasons: Map<number, string>,
  scale: number,
  { onProgress, skip, takeErrors }: ReaderContext,
): Element[] {
  const { file } = checked;
  const elements: Element[] = [];
  const records = Array.from({ length: file.count }, (_, record) => record).filter(record =>
    isElement(checked, record),
  );
  for (const [i, record] of records.entries()) {
    if (reasons.has(record)) continue;
    const number = file.numbers[record];
    const reason = skip.get(number);
    if (reason !== undefined) {
      reasons.set(record, reason);
      continue;
    }
    onProgress(number, i / records.length);
    let element: Element | undefined;
    api.StreamMeshes(model, [number], mesh => {
      element = readElement(api, model, mesh, scale);
    });
    const [error] = takeErrors();
    const areFinite = element?.points.every(value => Number.isFinite(Math.fround(value)));
    const isEmpty = element === undefined || element.indices.length === 0;
    if (!isEmpty && areFinite && hasValidIndices(element!)) elements.push(element!);
    else if (!isEmpty)
      reasons.set(
        record,
        areFinite
          ? 'has a triangle that names a missing vertex'
          : 'has a coordinate that is not a finite float32 number',
      );
    else if (hasBody(checked, record))
      reasons.set(record, 'has a shape for which web-ifc makes no triangles');
    if (error !== undefined) reasons.set(record, `web-ifc reports: ${error}`);
  }
  return elements;
}

const hasValidIndices = ({ indices, bodies }: Element): boolean =>
  bodies.every(body =>
    indices
      .subarray(body.indices.begin, body.indices.end)
      .every(vertex => vertex >= body.vertices.begin && vertex < body.vertices.end),
  );

function readElement(api: IfcAPI, model: number, mesh: FlatMesh, scale: number): Element {
  const points: number[] = [];
  const indices: number[] = [];
  const bodies: Body[] = [];
  for (let i = 0; i < mesh.geometries.size(); i++) {
    const { geometryExpressID, flatTransformation } = mesh.geometries.get(i);
    const geometry = api.GetGeometry(model, geometryExpressID);
    // Six numbers for each vertex: position and normal.
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const first = points.length / 3;
    const firstIndex = indices.length;
    for (let at = 0; at < vertices.length; at += 6)
      pushPlaced(points, flatTransformation, vertices, at, scale);
    for (const vertex of api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize()))
      indices.push(first + vertex);
    bodies.push({
      vertices: { begin: first, end: points.length / 3 },
      indices: { begin: firstIndex, end: indices.length },
    });
    geometry.delete();
  }
  return {
    number: mesh.expressID,
    points: Float64Array.from(points),
    indices: Uint32Array.from(indices),
    bodies,
  };
}

// Places a vertex and appends it to `points`. web-ifc's output has y up and is in meters; the appended vertex
// has z up, as in IFC, and is in the file's unit.
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

// web-ifc rounds the coordinates of each element differently, so elements that touch in the model may not
// touch in web-ifc's output. Rounding all coordinates in one common frame makes coordinates that are equal in
// the model equal again.
function makeParts(
  elements: (Element & Named & ElementRelations & Pick<Part, 'links' | 'system' | 'properties' | 'bases'>)[],
  unit: Unit,
): Part[] {
  const { transform, positions, rounding } = roundInCommonFrame(elements.map(({ points }) => points));
  const names = uniqueNames(elements.map(({ name }) => name));
  return elements.map(({ number, points, indices, bodies, ...known }, i) => {
    for (const body of bodies) orientBody(body, positions[i], indices);
    return {
      ...known,
      name: names[i],
      unit,
      up: 'z',
      positions: positions[i],
      rounding: rounding[i],
      indices,
      transform,
    };
  });
}

// web-ifc orients the triangles of some bodies inconsistently. Bodies of the same element may touch, so each is
// oriented by itself.
function orientBody({ vertices, indices }: Body, positions: Float32Array, all: Uint32Array): void {
  const own = all.subarray(indices.begin, indices.end);
  const local = own.map(vertex => vertex - vertices.begin);
  orientTriangles(positions.subarray(3 * vertices.begin, 3 * vertices.end), local);
  own.set(local.map(vertex => vertex + vertices.begin));
}

function nameOf(api: IfcAPI, model: number, number: number): Named {
  const { type: code, Name, GlobalId } = api.GetLine(model, number);
  const type = api.GetNameFromTypeCode(code);
  const id = GlobalId?.value ?? undefined;
  // In faulty files, the name and the GlobalId may be numbers instead of text.
  return { name: `${type} ${Name?.value || `#${number}`}`, type, id: id === undefined ? id : String(id) };
}

// Returns a text attribute of a record. In faulty files, the attribute may be a number, which becomes a text.
function attributeOf(api: IfcAPI, model: number, number: number, attribute: string): string | undefined {
  const value = api.GetLine(model, number)[attribute]?.value;
  return value === undefined || value === null ? undefined : String(value);
}

// Describes an element that could not be read completely. web-ifc may be unable to read a faulty record, so the
// GlobalId and the name of a faulty record are read from the STEP text.
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
