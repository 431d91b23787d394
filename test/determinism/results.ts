// Computes all results that a platform can compute in one process: the results of the queries and, unless the
// queries run on a GPU, those of the readers of mesh files. Works in Node and in pages.

import { parseGlb, parseGltf } from '../../dist/formats/gltf.js';
import { MemoryBudget } from '../../dist/formats/memoryBudget.js';
import { parseObj } from '../../dist/formats/obj.js';
import type { Part } from '../../dist/formats/part.js';
import { parsePly } from '../../dist/formats/ply.js';
import type { ReadContext } from '../../dist/formats/readContext.js';
import { parseStl } from '../../dist/formats/stl.js';
import type * as Pfront from '../../dist/index.js';
import type * as Scenes from '../../dist/samples/index.js';
import { type Answers, answers, hashOf, queryNames } from '../support/answers.js';
import { makeFiles } from './files.js';

type Parse = (name: string, bytes: Uint8Array, context: ReadContext) => Part[];

/** The readers that need no module of Node. The extension of their files is the name of the format. */
const readers: Record<string, Parse> = {
  OBJ: parseObj,
  STL: parseStl,
  PLY: parsePly,
  GLB: (_, bytes, context) => parseGlb(bytes, context),
  glTF: (_, bytes, context) => parseGltf(bytes, context),
};

/** Returns the name of the group of a result. */
export const groupOf = (result: string): string => result.split(': ', 1)[0]!;

/** Groups of results that every platform has, pages included. */
export const pageGroups = [...queryNames.map(groupOf), ...Object.keys(readers)];

function hashParts(parts: readonly Part[]): string {
  return hashOf(
    ...parts.flatMap(({ positions, indices, transform, ...words }) => [
      new TextEncoder().encode(JSON.stringify(words)),
      positions,
      indices,
      transform,
    ]),
  );
}

/**
 * Returns the hashes of all results. With the backend 'webgpu', only queries are run. readIfc: reads one
 * of the files that makeFiles makes, by its name; undefined if the platform cannot read IFC files. leftOut: the
 * names of queries that are not run.
 */
export async function results(
  pfront: typeof Pfront,
  scenes: typeof Scenes,
  options: Pfront.EngineOptions,
  readIfc?: (name: string) => Promise<Part[]>,
  leftOut: readonly string[] = [],
): Promise<Answers> {
  // A worker that is lost or replaced on a busy machine changes no result.
  const found = await answers(pfront, scenes, options, leftOut, code => code === 'fewer-threads');
  if (options.backend === 'webgpu') return found;
  const files = makeFiles(scenes);
  for (const [format, parse] of Object.entries(readers))
    for (const [name, bytes] of Object.entries(files)) {
      if (!name.endsWith(`.${format.toLowerCase()}`)) continue;
      const context = {
        budget: new MemoryBudget(bytes.length),
        onWarning() {},
        readBeside: (other: string) => files[other]!,
      };
      found.hashes[`${format}: ${name}`] = hashParts(parse(name, bytes, context));
    }
  if (readIfc) found.hashes['IFC: beams.ifc'] = hashParts(await readIfc('beams.ifc'));
  return found;
}
