// Runs a query with `certificate: true`, and defines its result: intersecting triangle pairs with a proof
// that they are complete.

import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { type AnyQueryOptions, type QueryOptions, readPair } from '../core/queryOptions.js';
import { type PairsCopy, TrianglePairs } from '../core/results.js';
import { placeOn, readTransform, type Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { Certificate } from './certificate.js';
import { certify } from './certify.js';

/** Options of `query` with a certificate. */
export interface CertificateOptions extends Omit<QueryOptions, 'want'> {
  /** Only 'pairs' (default), since a certificate covers all pairs of triangles. */
  want?: 'pairs';
  /** Adds a certificate to the result. */
  certificate: true;
}

/** A copy of certified pairs, outside of engine memory. */
export interface CertifiedPairsCopy extends PairsCopy {
  /** A proof that the pairs are complete. */
  certificate: Certificate;
}

/** Intersecting triangle pairs with a certificate. */
export class CertifiedPairs extends TrianglePairs {
  /** A proof that the pairs are complete. It stays valid after the views of the pairs have become stale. */
  readonly certificate: Certificate;

  /** @internal */
  constructor(certificate: Certificate, ...pairs: ConstructorParameters<typeof TrianglePairs>) {
    super(...pairs);
    this.certificate = certificate;
  }

  /** Returns a copy of the pairs with their certificate. @throws Stale */
  override copy(): CertifiedPairsCopy {
    return Object.assign(super.copy(), { certificate: this.certificate });
  }
}

/** Returns the result of `query` with `certificate: true`. @throws the errors of `query` */
export function findCertifiedPairs(
  host: EngineHost,
  a: Mesh,
  b: Mesh,
  options: AnyQueryOptions,
): CertifiedPairs {
  const { transformA, transformB, want, order, clearance, parts, stealing, coherence } = options;
  if ((want !== undefined && want !== 'pairs') || clearance !== undefined)
    throw new Unsupported(
      `certificate is true, but ${clearance === undefined ? `want is '${want}'` : `clearance is ${clearance}`}: only a query for all intersecting pairs has a certificate`,
      'omit certificate, or omit want and clearance',
    );
  const pair = readPair({ a, b, transformA, transformB });
  host.run('run', front => host.writer.write(front, [pair]), { parts, stealing, coherence });
  const place = host.join(1, host.writer.swapped, order);
  const { u32 } = host.context.arena;
  const [pairsA, pairsB] = [place.aAt, place.bAt].map(at => u32.slice(at / 4, at / 4 + place.count));
  const certificate = certify(
    placedCorners(a, 'transformA', pair.transformA),
    placedCorners(b, 'transformB', pair.transformB),
    pairsA!,
    pairsB!,
  );
  return new CertifiedPairs(certificate, place, host.clock, host.summarize);
}

// Returns the 9 coordinates of the placed corners of each triangle.
function placedCorners(mesh: Mesh, name: string, transform: Transform | undefined): Float64Array {
  const {
    recordAt,
    triangleCount,
    context: { arena },
  } = mesh;
  const { u32 } = arena;
  const { list, from } = verticesOf(arena, recordAt);
  const indices = u32[(recordAt + MeshRecord.at.indicesAt) / 4]! / 4;
  const rows = new Float64Array(12);
  if (transform) readTransform(name, transform, rows, 0);
  const corners = new Float64Array(9 * triangleCount);
  for (let corner = 0; corner < 3 * triangleCount; corner++) {
    const vertex = from + 3 * u32[indices + corner]!;
    for (let axis = 0; axis < 3; axis++)
      corners[3 * corner + axis] = transform
        ? placeOn(rows, 4 * axis, list[vertex]!, list[vertex + 1]!, list[vertex + 2]!)
        : list[vertex + axis]!;
  }
  return corners;
}
