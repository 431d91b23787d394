// A mesh file or its bytes -> its parts; the ending of the name says the format, `.gz` around it is unpacked.
import { constants } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CollisionError } from '../../errors.js';
import type { ReadBeside } from './gltfBuffers.js';
import { parseGlb, parseGltf } from './gltf.js';
import { readIfc, type IfcLimits } from './ifc.js';
import { parseObj } from './obj.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Tell, type Unread } from './part.js';
import { parsePly } from './ply.js';
import { parseStl } from './stl.js';

export { InvalidFile, type Part, type Unread } from './part.js';

type Parse = (name: string, bytes: Uint8Array, readBeside: ReadBeside | undefined) => Part[];

const FORMATS: Record<string, Parse> = {
  glb: (_, bytes) => parseGlb(bytes),
  gltf: (_, bytes, readBeside) => parseGltf(bytes, readBeside),
  obj: parseObj,
  stl: parseStl,
  ply: parsePly,
};
const ENDINGS = [...Object.keys(FORMATS), 'ifc'];
const LARGEST_FILE_BYTES = Math.min(2 ** 31 - 1, constants.MAX_LENGTH);
const CHECK_PATH = 'Check the path.';
const BUFFER_BESIDE = 'Put the buffer beside the file.';

export interface ReadOptions {
  /** Hears what is wrong with the file although it can be read. */
  tell?: Tell;
  /** Hears of each element of an IFC file that cannot be read. Without it such a file is refused. */
  tellUnread?: (unread: Unread) => void;
  ifcLimits?: IfcLimits;
}

/** Parts of the file at `path`, in file order. Throws InvalidFile, whose message begins with the file's name, or MissingPackage. */
export async function readParts(path: string, { tell = () => {}, tellUnread = refuse, ifcLimits }: ReadOptions = {}): Promise<Part[]> {
  const name = basename(path);
  const format = formatOf(name);
  const bytes = await readWhole(path, name);
  if (format !== 'ifc') return parseWith(FORMATS[format], name, bytes, (relativePath) => readBeside(dirname(path), relativePath));
  try {
    return await readIfc(unpackNamed(name, bytes), (message, fix) => tell(`${name}: ${message}`, fix), tellUnread, ifcLimits);
  } catch (error) {
    throw withName(name, error);
  }
}

function refuse({ name, reason }: Unread): never {
  throw new InvalidFile(`${name} cannot be read: ${reason}`, EXPORT_AGAIN);
}

/**
 * Parts of a file's bytes of any format but IFC, which `readParts` alone reads. name: with the ending that says the format.
 * readBeside: buffers of a .gltf file; without it such a file is refused.
 * Parts without a triangle are left out, so that the list of a file of points is empty. Throws InvalidFile.
 */
export function parseParts(name: string, bytes: Uint8Array, readBeside?: ReadBeside): Part[] {
  return parseWith(FORMATS[formatOf(name, Object.keys(FORMATS))], name, bytes, readBeside);
}

function parseWith(parse: Parse, name: string, bytes: Uint8Array, readBeside: ReadBeside | undefined): Part[] {
  try {
    return parse(stem(name), unpackNamed(name, bytes), readBeside);
  } catch (error) {
    throw withName(name, error);
  }
}

function unpackNamed(name: string, bytes: Uint8Array): Uint8Array {
  return name.toLowerCase().endsWith('.gz') ? unpack(bytes) : bytes;
}

function withName(name: string, error: unknown): unknown {
  if (error instanceof InvalidFile) return new InvalidFile(`${name}: ${error.message}`, error.fix);
  // Nothing else can go wrong in a reader but an allocation that this machine refuses.
  if (error instanceof RangeError) return new InvalidFile(`${name}: is too large for this machine (${error.message})`, 'Split the file into smaller ones.');
  return error;
}

function formatOf(name: string, endings = ENDINGS): string {
  const format = name.toLowerCase().replace(/\.gz$/, '').split('.').at(-1)!;
  if (endings.includes(format) && name.includes('.')) return format;
  throw new InvalidFile(`${name}: is of no format that can be read`, `Give a file that ends in ${endings.map((ending) => `.${ending}`).join(', ')}, or one of these with .gz.`);
}

function stem(name: string): string {
  return basename(name).replace(/\.gz$/i, '').replace(/\.[^.]*$/, '') || name;
}

async function readWhole(path: string, name: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    // Reading a pipe or a device might never end.
    if (!stats.isFile() && !stats.isDirectory()) throw new InvalidFile(`${name}: is not a regular file`, CHECK_PATH);
    const { size } = stats;
    if (size > LARGEST_FILE_BYTES) throw new InvalidFile(`${name}: has ${size} bytes, more than ${LARGEST_FILE_BYTES}`, 'Split the file into smaller ones.');
    return await readFile(path);
  } catch (error) {
    throw error instanceof CollisionError ? error : unreadable(name, error);
  }
}

function readBeside(folder: string, relativePath: string): Uint8Array {
  const path = join(folder, relativePath);
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES) {
      throw new InvalidFile(`its buffer ${relativePath} is not a file of at most ${LARGEST_FILE_BYTES} bytes`, BUFFER_BESIDE);
    }
    return readFileSync(path);
  } catch (error) {
    throw error instanceof CollisionError ? error : new InvalidFile(`its buffer ${relativePath} cannot be read`, BUFFER_BESIDE);
  }
}

function unreadable(name: string, error: unknown): InvalidFile {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new InvalidFile(`${name}: there is no such file`, CHECK_PATH);
  if (code === 'EISDIR') return new InvalidFile(`${name}: is a folder`, 'Give a file in it.');
  return new InvalidFile(`${name}: cannot be read (${code ?? (error as Error).message})`, CHECK_PATH);
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_FILE_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new InvalidFile(`unpacks to more than ${LARGEST_FILE_BYTES} bytes`, 'Split the file into smaller ones.');
    throw new InvalidFile(`cannot be unpacked (${message})`, EXPORT_AGAIN);
  }
}
