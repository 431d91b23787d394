// Makes the parts of a robot from the shapes of its links: primitives, and meshes in other files.
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WarningHandler } from '../../../formats/part.js';
import { readParts } from '../../../formats/readParts.js';
import { compose, multiplyAffine } from '../../../formats/transforms.js';
import type { NamedPart } from '../../clash/readModel.js';
import { meshOf, type ShapeMesh } from './primitives.js';
import type { PlacedShape, Robot } from './urdf.js';
import { refuse } from './xmlFile.js';

/** A part of a link. Its transform is its placement in the frame of the link, in meters. */
export interface RobotPart {
  link: number;
  part: NamedPart;
}

/** Returns the parts of all links. @throws InvalidFile */
export async function robotParts(
  robot: Robot,
  path: string,
  maxUnpackRatio: number | undefined,
  warn: WarningHandler,
): Promise<RobotPart[]> {
  const parts: RobotPart[] = [];
  for (const [link, { name, shapes, isVisual }] of robot.links.entries()) {
    if (isVisual && shapes.length > 0)
      warn(
        `${basename(path)}: the link ${name} has no collision shape, so its visual shape is used`,
        'Add an element <collision> to the link if the shape for collisions differs.',
      );
    for (const placed of shapes)
      for (const mesh of await meshesOf(placed, path, maxUnpackRatio, warn))
        parts.push({
          link,
          part: { name, file: path, unit: 'm', up: 'z', ...mesh },
        });
  }
  if (parts.length === 0)
    refuse(`${basename(path)}:`, 'has no link with a shape', 'Add <collision> elements.');
  return parts;
}

async function meshesOf(
  { where, origin, shape }: PlacedShape,
  path: string,
  maxUnpackRatio: number | undefined,
  onWarning: WarningHandler,
): Promise<(ShapeMesh & { transform: Float64Array })[]> {
  if (shape.kind !== 'mesh') return [{ ...meshOf(shape), transform: origin }];
  const file = fileOf(shape.file, path, where);
  if (!/\.(stl|obj|ply|glb|gltf)(\.gz)?$/i.test(file))
    refuse(
      where,
      `names ${basename(file)}, whose format cannot be read`,
      'Convert the mesh to STL, OBJ, PLY or GLB.',
    );
  const placed = multiplyAffine(origin, compose([0, 0, 0], [0, 0, 0, 1], shape.scale));
  const parts = await readParts(file, { maxUnpackRatio, onWarning });
  if (parts.length === 0) refuse(where, `names ${basename(file)}, which has no triangles`);
  return parts.map(({ positions, indices, transform }) => ({
    positions,
    indices,
    transform: multiplyAffine(placed, transform),
  }));
}

// Returns the path of a mesh. For a `package://` URI, the folder of the package is found by its name: it is a
// folder above the URDF file, or lies directly in such a folder.
function fileOf(uri: string, path: string, where: string): string {
  const folder = dirname(resolve(path));
  const [, name, rest] = /^package:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  if (name === undefined) {
    if (uri.startsWith('file://')) return pathOfUrl(uri, where);
    if (/^[a-z]+:\/\//i.test(uri))
      refuse(where, `names ${uri.slice(0, 80)}, which is not a file`, 'Write a path or package://.');
    return resolve(folder, uri);
  }
  for (let at = folder; ; at = dirname(at)) {
    const candidates = [...(basename(at) === name ? [join(at, rest)] : []), join(at, name, rest)];
    const found = candidates.find(candidate => existsSync(candidate));
    if (found !== undefined) return found;
    if (dirname(at) === at) break;
  }
  return refuse(
    where,
    `names ${uri.slice(0, 80)}, which was not found: the package folder ${name} must be a folder above the URDF file, or lie directly in such a folder`,
    'Put the package beside the URDF file, or write a relative path.',
  );
}

// Returns the path of a file URL. Refuses URLs without a path on this computer: those with a host, an encoded
// slash or an invalid escape.
function pathOfUrl(url: string, where: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return refuse(
      where,
      `names ${url.slice(0, 80)}, which is not a path on this computer`,
      'Write a path, package:// or file:/// with a path.',
    );
  }
}
