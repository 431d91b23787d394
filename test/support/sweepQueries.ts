// Reads files of published queries of continuous collision detection: 24 doubles per query, and whether the
// features touch.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { dataPath } from './data.js';
import type { Kind } from './sweep.js';

export interface QuerySet {
  name: string;
  kind: Kind;
  /** 24 doubles per query: four points at time 0, then at time 1. */
  queries: Float64Array;
  touches: boolean[];
}

const folders = [
  'unit-tests',
  'erleben-cube-cliff-edges',
  'erleben-cube-internal-edges',
  'erleben-sliding-spike',
  'erleben-spike-crack',
  'erleben-spike-wedge',
  'erleben-spikes',
  'erleben-wedge-crack',
];
const kinds = ['VF', 'EE'] as const;
const folderOf = { VF: 'vertex-face', EE: 'edge-edge' } as const;

const readText = (name: string): string =>
  gunzipSync(readFileSync(dataPath(name)))
    .toString('latin1')
    .trim();

/**
 * Reads 1,929 queries that were made by hand or taken from hard scenes; the last column says whether the
 * features touch.
 */
export function readHandcrafted(): QuerySet[] {
  return folders.flatMap(folder =>
    kinds.map(kind =>
      toSet(`${folder}, ${kind}`, kind, readText(`ccd-queries/${folder}/${folderOf[kind]}/data_0_0.csv.gz`)),
    ),
  );
}

/** Reads 5,171 queries of one step of a simulation of twisted rods. */
export function readSimulated(): QuerySet[] {
  return (
    [
      ['VF', '3036vf'],
      ['EE', '3036ee'],
    ] as const
  ).map(([kind, file]) => {
    const set = toSet(`rod-twist, ${kind}`, kind, readText(`sccd/rod-twist/queries/${file}.csv.gz`));
    return { ...set, touches: JSON.parse(readText(`sccd/rod-twist/mma_bool/${file}_mma_bool.json.gz`)) };
  });
}

// Parses queries of eight rows with three rational numbers each; every denominator is a power of two, so the
// quotient is exact.
function toSet(name: string, kind: Kind, text: string): QuerySet {
  const rows = text.split('\n').map(line => line.split(',').map(Number));
  const queries = Float64Array.from(rows.flatMap(row => [row[0] / row[1], row[2] / row[3], row[4] / row[5]]));
  return { name, kind, queries, touches: rows.filter((_, i) => i % 8 === 0).map(row => row[6] === 1) };
}
