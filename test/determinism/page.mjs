// Locates the table of platforms in docs/determinism.md, and the digest of the hashes that the table is about.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathOf } from '../../bindings/build/paths.mjs';

export const pagePath = pathOf('docs/determinism.md');

export const HEAD = ['| platform | version | threads | equal | date |', '|---|---|---|---|---|'];

/** Matches the sentence of the page that contains the digest. The first group is the digest. */
export const DIGEST = /The digest of these hashes is ([0-9a-f]{16})\./;

/** Returns the digest of hashes.json: the first 16 digits of its SHA-256. */
export const digestOfHashes = () =>
  createHash('sha256')
    .update(readFileSync(pathOf('test/determinism/hashes.json')))
    .digest('hex')
    .slice(0, 16);
