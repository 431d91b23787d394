// Reads the bytes of a STEP or IGES file with the package occt-import-js: one part for each solid or shell,
// and a list of what was not read, or only in part. Runs in a worker thread, because a call of the package
// may never return.
import type { Occt, OcctMesh, OcctNode } from 'occt-import-js';
import type { CadContents, CadFormat } from './cadContents.js';
import { roundInCommonFrame } from './commonFrame.js';
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
  /** Reports that a step of the reading is done. */
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
  path: string[];
}

// Angular deflection in radians: the max angle by which a curved surface may bend along one edge of a triangle.
const ANGULAR_DEFLECTION = 0.5;

/** Reads a model. @throws InvalidFile if the file cannot be read at all */
export function readCadModel(
  bytes: Uint8Array,
  format: CadFormat,
  { occt, deflection, onProgress, takeErrors }: CadContext,
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
  if (shapes.length < contents.solidCount)
    unread.push({
      name: 'the file',
      reason: `has ${contents.solidCount} placed solids, but occt-import-js returns ${shapes.length}`,
      isAnyPart: true,
    });
  const read = shapes.flatMap(({ mesh }, i) => {
    const name = names[i];
    const fault = faultOf(mesh, contents);
    if (fault) unread.push({ name, ...fault });
    return fault && !fault.isPartial ? [] : [{ name, mesh }];
  });
  // Open CASCADE adds places and sizes in doubles, so solids that touch in the file may not touch in its output. See
  // ifcModel.ts for the same rounding.
  const frame = roundInCommonFrame(read.map(({ mesh }) => mesh.attributes.position.array));
  const parts = read.map(
    ({ name, mesh }, i): Part => ({
      name,
      unit: 'mm',
      positions: frame.positions[i],
      rounding: frame.rounding[i],
      indices: Uint32Array.from(mesh.index.array),
      transform: frame.transform,
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
      return { mesh: meshes[number], path: name === '' || name === path.at(-1) ? path : [...path, name] };
    }),
    ...node.children.flatMap(child => shapesOf(child, meshes, path)),
  ];
}

// Returns what is missing in a mesh; undefined if it is complete as far as can be checked.
function faultOf(
  { attributes, index, brep_faces }: OcctMesh,
  { hasSurfaces }: CadContents,
): Pick<Unread, 'reason' | 'isPartial'> | undefined {
  const points = attributes.position.array;
  if (!points.every(value => Number.isFinite(Math.fround(value))))
    return { reason: 'has a coordinate that is not a finite float32 number' };
  const empty = brep_faces.filter(({ first, last }) => last < first).length;
  if (empty > 0 || index.array.length === 0)
    return {
      reason: `occt-import-js makes no triangles for ${empty} of its ${brep_faces.length} faces`,
      ...(index.array.length > 0 ? { isPartial: true } : {}),
    };
  const open = hasSurfaces ? 0 : countOpenEdges(points, index.array);
  return open > 0
    ? {
        reason: `is a solid, but ${open} edges of its triangles are open: faces are missing`,
        isPartial: true,
      }
    : undefined;
}

// Returns the number of edges that are not used equally often in both directions. Vertices with equal
// coordinates count as one vertex, because each face has vertices of its own.
function countOpenEdges(points: number[], corners: number[]): number {
  const numbers = new Map<string, number>();
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => {
    const key = `${points[3 * i]},${points[3 * i + 1]},${points[3 * i + 2]}`;
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  });
  const uses = new Map<number, number>();
  corners.forEach((corner, i) => {
    const from = vertices[corner];
    const to = vertices[corners[i % 3 === 2 ? i - 2 : i + 1]];
    const edge = Math.min(from, to) * vertices.length + Math.max(from, to);
    if (from !== to) uses.set(edge, (uses.get(edge) ?? 0) + (from < to ? 1 : -1));
  });
  return [...uses.values()].filter(balance => balance !== 0).length;
}
