// Reads the bytes of a STEP or IGES file with the package occt-import-js: returns one part for each solid or
// shell, and a list of what could not be read completely. Runs in a worker thread, because a call of the
// package may never return.
import type { Occt, OcctMesh, OcctNode } from 'occt-import-js';
import { colorOf } from './cadColor.js';
import type { CadFormat } from './cadContents.js';
import { roundCadCoordinate } from './cadRounding.js';
import { exactOf, maxChange, roundInCommonFrame } from './commonFrame.js';
import { checkIges } from './igesCheck.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Unread } from './part.js';
import { pathNames } from './pathNames.js';
import { checkStep } from './stepCheck.js';
import { uniqueNames } from './uniqueNames.js';

/** What the worker provides to the reader. */
export interface CadContext {
  occt: Occt;
  /** The linear deflection of the triangulation, in mm. */
  deflection: number;
  /** Whether the parts keep their vertices in doubles, in the field `exact`. */
  keepsDoubles: boolean;
  /** Reports that a stage of reading the file is done. */
  onProgress(): void;
  /**
   * Returns the errors that the library has printed.
   * @throws InvalidFile if the library hit the memory limit
   */
  takeErrors(): string[];
}

/** A part that was read, before its coordinates are rounded. */
interface Shape {
  mesh: OcctMesh;
  /** The names of the assemblies that contain the part, outermost first, and then its own name. */
  path: string[];
  /** The names of the assemblies that contain the part, outermost first. */
  above: string[];
}

// Angular deflection in radians: the max angle by which a curved surface may bend along one edge of a triangle.
const ANGULAR_DEFLECTION = 0.5;

/** Reads a model. @throws InvalidFile if the file cannot be read at all */
export function readCadModel(
  bytes: Uint8Array,
  format: CadFormat,
  { occt, deflection, keepsDoubles, onProgress, takeErrors }: CadContext,
): { parts: Part[]; unread: Unread[] } {
  const contents = format === 'step' ? checkStep(bytes) : checkIges(bytes);
  onProgress();
  const result = occt.ReadFile(format, bytes, {
    linearUnit: 'millimeter',
    linearDeflectionType: 'absolute_value',
    linearDeflection: deflection,
    angularDeflection: ANGULAR_DEFLECTION,
  });
  const errors = takeErrors();
  if (!result.success) {
    if (contents.documents.length > 0) return { parts: [], unread: contents.documents.map(unreadDocument) };
    throw new InvalidFile(
      `occt-import-js finds no shape in the file${errors.length > 0 ? ` (${errors[0]})` : ''}`,
      EXPORT_AGAIN,
    );
  }
  onProgress();
  const shapes = shapesOf(result.root, result.meshes, []);
  const names = uniqueNames(pathNames(shapes.map(({ path }) => path)));
  const unread: Unread[] = contents.documents.map(unreadDocument);
  for (const error of errors)
    unread.push({ name: 'the file', reason: `occt-import-js reports: ${error}`, isAnyPart: true });
  const { solidCount, hasSurfaces } = contents;
  if (shapes.length < solidCount)
    unread.push({
      name: 'the file',
      reason: `has ${solidCount} placed solids, but occt-import-js returns ${shapes.length}`,
      isAnyPart: true,
    });
  let openCount = 0;
  const read = shapes.flatMap(({ mesh, above }, i) => {
    const name = names[i];
    let fault = faultOf(mesh);
    // Without solids, all shapes may be open.
    if (!fault && (solidCount > 0 || !hasSurfaces)) {
      const openEdges = countOpenEdges(mesh);
      if (openEdges > 0) openCount++;
      // It is not known which shapes of a file with surfaces are solids.
      if (openEdges > 0 && !hasSurfaces)
        fault = {
          reason: `is a solid, but ${openEdges} edges of its triangles are open: faces are missing`,
          isPartial: true,
        };
    }
    if (fault) unread.push({ name, ...fault });
    return fault && !fault.isPartial ? [] : [{ name, mesh, above }];
  });
  const closedCount = shapes.length - openCount;
  if (hasSurfaces && closedCount < solidCount && shapes.length >= solidCount)
    unread.push({
      name: 'the file',
      reason: `has ${solidCount} placed solids, but only ${closedCount} of the ${shapes.length} shapes that occt-import-js returns are closed: faces are missing`,
      isAnyPart: true,
    });
  // Open CASCADE adds positions and sizes in doubles and rounds the sums. So solids that touch in the file may
  // be apart in the output of Open CASCADE.
  const points = read.map(({ mesh }) =>
    Float64Array.from(mesh.attributes.position.array, roundCadCoordinate),
  );
  const frame = roundInCommonFrame(points, keepsDoubles);
  const parts = read.map(
    ({ name, mesh, above }, i): Part => ({
      name,
      ...(above.length > 0 ? { assembly: above.join('/') } : {}),
      ...colorOf(mesh),
      unit: 'mm',
      positions: frame.positions[i],
      rounding: frame.rounding[i] + maxChange(mesh.attributes.position.array, points[i]),
      indices: Uint32Array.from(mesh.index.array),
      transform: frame.transform,
      ...exactOf(frame.doubles[i]),
    }),
  );
  return { parts, unread };
}

const unreadDocument = (name: string): Unread => ({
  name,
  reason: 'is a part in another file, which is not read',
  isAnyPart: true,
});

// Returns the meshes below a node, each with the names of the nodes above it and its own name.
function shapesOf(node: OcctNode, meshes: OcctMesh[], above: string[]): Shape[] {
  const path = node.name.trim() === '' ? above : [...above, node.name.trim()];
  return [
    ...node.meshes.map(number => {
      const name = meshes[number].name.trim();
      // The node of a product with one solid has the name of the solid.
      const isOwnNode = name === '' || name === path.at(-1);
      return isOwnNode
        ? { mesh: meshes[number], path, above: path.slice(0, -1) }
        : { mesh: meshes[number], path: [...path, name], above: path };
    }),
    ...node.children.flatMap(child => shapesOf(child, meshes, path)),
  ];
}

// Returns what is wrong with a mesh; undefined if nothing is wrong. Does not look for open edges, which show
// that faces are missing: see countOpenEdges.
function faultOf({
  attributes,
  index,
  brep_faces,
}: OcctMesh): Pick<Unread, 'reason' | 'isPartial'> | undefined {
  if (!attributes.position.array.every(value => Number.isFinite(Math.fround(value))))
    return { reason: 'has a coordinate that is not a finite float32 number' };
  const empty = brep_faces.filter(({ first, last }) => last < first).length;
  return empty > 0 || index.array.length === 0
    ? {
        reason: `occt-import-js makes no triangles for ${empty} of its ${brep_faces.length} faces`,
        ...(index.array.length > 0 ? { isPartial: true } : {}),
      }
    : undefined;
}

// Returns the number of edges that are not used equally often in both directions. Vertices with equal
// coordinates count as one vertex, because each face has vertices of its own.
function countOpenEdges({ attributes, index }: OcctMesh): number {
  const points = attributes.position.array;
  const numbers = new Map<string, number>();
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => {
    const key = `${points[3 * i]},${points[3 * i + 1]},${points[3 * i + 2]}`;
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  });
  const uses = new Map<number, number>();
  index.array.forEach((corner, i) => {
    const from = vertices[corner];
    const to = vertices[index.array[i % 3 === 2 ? i - 2 : i + 1]];
    const edge = Math.min(from, to) * vertices.length + Math.max(from, to);
    if (from !== to) uses.set(edge, (uses.get(edge) ?? 0) + (from < to ? 1 : -1));
  });
  return [...uses.values()].filter(balance => balance !== 0).length;
}
