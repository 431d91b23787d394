// A finished search -> the content of its report.
import { basename } from 'node:path';
import type { Part } from '../files/readParts.js';
import type { Clash } from '../findClashes.js';
import { shareMeshes } from '../sharedMeshes.js';
import type { ClashTriangles, ReportContent, ReportHeader } from './content.js';

export interface FinishedSearch extends Pick<ReportHeader, 'boxPairs' | 'trianglePairs' | 'threads' | 'milliseconds' | 'version'> {
  parts: (Part & { file: string })[];
  clashes: Clash[];
  /** One entry a clash. */
  triangles: ClashTriangles[];
}

export function makeContent({ parts, clashes, triangles, ...facts }: FinishedSearch): ReportContent {
  const paths = [...new Set(parts.map(({ file }) => file))];
  const { meshes, meshOfPart } = shareMeshes(parts);
  const header: ReportHeader = {
    files: paths.map((path) => basename(path)), up: upOf(paths),
    parts: parts.map(({ name, file, transform }, i) => ({ name, file: paths.indexOf(file), mesh: meshOfPart[i], transform: [...transform] })),
    meshes: meshes.map(({ positions, indices }) => ({ positions: positions.length, indices: indices.length })),
    clashes: clashes.map((clash, i) => ({ ...clash, trianglesA: triangles[i].a.length, trianglesB: triangles[i].b.length })),
    madeAt: new Date().toISOString(),
    ...facts,
  };
  return { header, meshes, triangles };
}

// glTF says that y points up; programs that write the other formats mostly let z do it.
function upOf(paths: string[]): 'y' | 'z' {
  return paths.every((path) => /\.(glb|gltf)(\.gz)?$/i.test(path)) ? 'y' : 'z';
}
