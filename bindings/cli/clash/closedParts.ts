// Closes the narrow gaps between the faces of parts, which models that were exported from CAD programs often
// have. The closed parts are solids, so their overlap can be measured.
import type { Part } from '../../formats/part.js';
import type { Classification, ClosedMesh, Mesh } from '../../index.js';
import type { ClashEngine } from '../clashEngine.js';
import { exactMeshOf } from '../findClashes.js';
import { formatCount } from '../terminal.js';
import type { MeasuredModel } from './measurePairs.js';
import type { Note } from './readModel.js';

/** The gaps of a part that were closed. */
export type Gaps = Pick<ClosedMesh, 'openEdges' | 'addedArea'>;

/** A part with closed gaps, and its mesh in the engine. */
interface Closed {
  indices: Uint32Array;
  mesh: Mesh;
  gaps: Gaps;
}

/** Closes the gaps of the parts of a model on demand. Parts with the same arrays share one mesh. */
export class ClosedParts {
  readonly #engine: ClashEngine;
  readonly #model: MeasuredModel;
  // The closed mesh of each mesh; undefined if the mesh has no gaps, or they are too large.
  readonly #closed = new Map<Mesh, Closed | undefined>();

  constructor(engine: ClashEngine, model: MeasuredModel) {
    this.#engine = engine;
    this.#model = model;
  }

  /** The gaps of each part whose gaps were closed so far, by the number of the part. */
  get gaps(): ReadonlyMap<number, Gaps> {
    const gaps = new Map<number, Gaps>();
    this.#model.meshes.forEach((mesh, part) => {
      const closed = this.#closed.get(mesh);
      if (closed) gaps.set(part, closed.gaps);
    });
    return gaps;
  }

  /** Closes the gaps of a part, if it has gaps and they are not too large. @throws Capacity */
  close(part: number): void {
    const mesh = this.#model.meshes[part];
    if (!this.#closed.has(mesh)) this.#closed.set(mesh, this.#closeMesh(this.#model.parts[part], mesh));
  }

  /** The model, with the closed parts instead of those whose gaps were closed so far. */
  get model(): MeasuredModel {
    const { parts, meshes } = this.#model;
    const closed = meshes.map(mesh => this.#closed.get(mesh));
    return {
      parts: parts.map((part, i) => ({ ...part, indices: closed[i]?.indices ?? part.indices })),
      meshes: meshes.map((mesh, i) => closed[i]?.mesh ?? mesh),
    };
  }

  #closeMesh(part: Part, mesh: Mesh): Closed | undefined {
    const closed = this.#engine.closeGaps(mesh);
    if (!closed || closed.openEdges === 0) return undefined;
    const { indices, ...gaps } = closed;
    return { indices, mesh: this.#engine.createMesh({ ...exactMeshOf(part), indices }), gaps };
  }
}

/** Returns a note about the parts whose gaps were closed and that clash; none if there is no such part. */
export function gapsNotes(
  gaps: ReadonlyMap<number, Gaps>,
  clashes: readonly { a: number; b: number }[],
): Note[] {
  const parts = new Set(clashes.flatMap(({ a, b }) => [a, b]).filter(part => gaps.has(part)));
  if (parts.size === 0) return [];
  const count = parts.size === 1 ? '1 part has' : `${formatCount(parts.size)} parts have`;
  return [
    {
      message: `${count} narrow gaps between faces; clashes are measured as if these gaps were closed`,
      fix: 'Export closed solids to measure the parts as they are. The field gaps of --json lists the parts.',
    },
  ];
}

/**
 * Combines the results of a pair of parts as they are with those of the closed parts.
 *
 * The sizes of the contact are those of the parts as they are. A pair only changes its class if the closed parts
 * prove it: a clash may be within the tolerance, parts that touch may overlap, and one part may lie inside the
 * other. All other figures are those of the closed parts. Duplicate parts stay as they are.
 */
export function combine(own: Classification, closed: Classification): Classification {
  const kind = combinedClass(own, closed);
  if (kind === undefined) return own;
  const { pairs, size, contactLength, contactArea } = own;
  return {
    ...closed,
    class: kind,
    pairs,
    size,
    ...(contactLength && { contactLength }),
    ...(contactArea && { contactArea }),
  };
}

// Returns undefined if the closed parts say nothing about the pair.
function combinedClass(own: Classification, closed: Classification): Classification['class'] | undefined {
  if (own.duplicate) return undefined;
  const isHard = closed.class === 'hard';
  const isTouch = closed.class === 'touch' || closed.class === 'coplanar';
  switch (own.class) {
    case 'hard':
      return isTouch ? closed.class : isHard ? 'hard' : undefined;
    case 'touch':
    case 'coplanar':
      if (isHard) return (closed.overlapDepth?.lower ?? 0) > 0 ? 'hard' : undefined;
      return isTouch ? own.class : undefined;
    default:
      return closed.class === 'contained' ? 'contained' : undefined;
  }
}
