// Makes the certificate of a finished search: a proof that the search found all clashes of the model.
import { certifyParts, type ModelCertificate } from '../../certificate/certifyParts.js';
import { CollisionError } from '../../core/errors.js';
import { type Part, placementsOf } from '../../formats/part.js';
import type { ClashEngine } from '../clashEngine.js';
import { type ClashResult, comparePairs } from '../findClashes.js';
import type { Progress } from '../progress.js';
import type { CertifiedClash, CertifiedPart } from './certificateFile.js';
import { hashOf, placedCorners } from './placedCorners.js';

/** The parts and clashes of a search, and a proof that no clash is missing. */
export interface ClashCertificate {
  parts: CertifiedPart[];
  /** Sorted by a, then b. */
  clashes: CertifiedClash[];
  certificate: ModelCertificate;
}

const NO_PAIRS = { a: new Uint32Array(0), b: new Uint32Array(0) };

/**
 * Returns the certificate of a search.
 *
 * @throws CollisionError with the code 'Internal' if the result of the search is wrong; errors of the engine.
 */
export function certifyModel(
  engine: ClashEngine,
  parts: Part[],
  { meshes, clashes }: ClashResult,
  progress: Progress,
): ClashCertificate {
  const corners = parts.map(placedCorners);
  const counts = new Map(clashes.map(({ a, b, trianglePairs }) => [a * parts.length + b, trianglePairs]));
  const certified: CertifiedClash[] = [];
  progress.begin('Proving clashes', clashes.length);
  const certificate = certifyParts(corners, (a, b) => {
    const count = counts.get(a * parts.length + b);
    if (count === undefined) return NO_PAIRS;
    const { a: trianglesA, b: trianglesB } = engine
      .query(meshes[a], meshes[b], placementsOf(parts[a], parts[b]))
      .copy();
    if (trianglesA.length !== count)
      throw inconsistent(
        `parts ${a} and ${b} have ${trianglesA.length} triangle pairs, but ${count} were counted`,
      );
    const pairs = { a: trianglesA, b: trianglesB };
    certified.push({ a, b, pairs });
    progress.step();
    return pairs;
  });
  if (certified.length !== clashes.length)
    throw inconsistent(
      `${clashes.length} clashes were found, but the boxes of only ${certified.length} overlap`,
    );
  return {
    parts: parts.map(({ name }, i) => ({
      name,
      triangles: corners[i].length / 9,
      sha256: hashOf(corners[i]),
    })),
    clashes: certified.sort(comparePairs),
    certificate,
  };
}

const inconsistent = (message: string): CollisionError =>
  new CollisionError('Internal', message, 'Report this as a bug, with the files.');
