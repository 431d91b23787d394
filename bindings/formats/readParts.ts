// Reads a mesh file, or its bytes, into parts. The file name's extension determines the format; `.gz` files
// are unpacked.
import { constants } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Gunzip, gunzipSync } from 'node:zlib';
import { CollisionError } from '../core/errors.js';
import type { CadFormat } from './cadContents.js';
import { parseGlb, parseGltf } from './gltf.js';
import { loadDecoders } from './gltfDecoders.js';
import { MemoryBudget } from './memoryBudget.js';
import { parseObj } from './obj.js';
import { parseOff } from './off.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';
import { parsePly } from './ply.js';
import { readCad } from './readCad.js';
import type { ReadContext } from './readContext.js';
import { readIfc } from './readIfc.js';
import { parseStl } from './stl.js';
import type { ReaderLimits } from './watchedReader.js';

export { InvalidFile, type Part, type Unread } from './part.js';

type Parse = (name: string, bytes: Uint8Array, reading: ReadContext) => Part[];

const FORMATS: Record<string, Parse> = {
  glb: (_, bytes, reading) => parseGlb(bytes, reading),
  gltf: (_, bytes, reading) => parseGltf(bytes, reading),
  obj: parseObj,
  stl: parseStl,
  ply: parsePly,
  off: parseOff,
};
const CAD_FORMATS: Record<string, CadFormat> = { step: 'step', stp: 'step', iges: 'iges', igs: 'iges' };
const ENDINGS = [...Object.keys(FORMATS), '3mf', 'ifc', ...Object.keys(CAD_FORMATS)];
const MAX_FILE_BYTES = Math.min(2 ** 31 - 1, constants.MAX_LENGTH);
/** Default of `maxUnpackRatio`. Text meshes compress by a factor of 5 to 20, zeros by a factor of 1000. */
export const MAX_UNPACK_RATIO = 50;
const ALWAYS_UNPACKED_BYTES = 64 * 2 ** 20;
const CHECK_PATH = 'Check the path.';
const BUFFER_BESIDE = 'Put the buffer into the folder of the file.';

/** Options of readParts and parseParts. */
export interface ReadOptions {
  /** Receives warnings about content that was left out, and about faults that do not prevent reading. */
  onWarning?: WarningHandler;
  /**
   * Called for each unreadable element of an IFC, STEP or IGES file. Without it, a file with such an element is
   * rejected.
   */
  onUnread?: (unread: Unread) => void;
  /**
   * Called while a file is read, with the share that is done, 0 to 1. Reading 3MF, STEP and IGES files does not
   * report progress.
   */
  onProgress?: (done: number) => void;
  /** Whether parts of IFC files have their properties. */
  withProperties?: boolean;
  /** Scales the time and memory limits for IFC files. */
  ifcLimits?: ReaderLimits;
  /** Scales the time and memory limits for STEP and IGES files. */
  cadLimits?: ReaderLimits;
  /** The linear deflection of the triangulation of STEP and IGES files, in mm. */
  deflection?: number;
  /** Max size of an unpacked .gz or .3mf file, as a multiple of its packed size. 64 MiB is always allowed. */
  maxUnpackRatio?: number;
  /**
   * Whether parts of OBJ, OFF, PLY, STL, 3MF, STEP and IGES files have `exact`: the coordinates in doubles.
   * Coordinates of STEP and IGES files are rounded: see roundCadCoordinate. Parts of IFC files never have
   * `exact`, because web-ifc rounds the shape of each element to float32 in a frame of its own. In doubles,
   * elements that touch in the model would therefore be apart or overlap by rounding errors.
   */
  keepsDoubles?: boolean;
  /** Receives the nodes and animations of a glTF file. Without it, animations are not read. */
  onScene?: ReadContext['onScene'];
}

/**
 * Reads the parts of the file at `path`, in file order.
 * @throws InvalidFile, whose message begins with the file's name; MissingPackage
 */
export async function readParts(path: string, options: ReadOptions = {}): Promise<Part[]> {
  const name = basename(path);
  const format = formatOf(name);
  const bytes = await readWhole(path, name);
  const {
    onUnread = refuse,
    onProgress,
    withProperties,
    ifcLimits,
    cadLimits,
    deflection,
    maxUnpackRatio,
    keepsDoubles,
    onScene,
  } = options;
  const onWarning = withFileName(name, options.onWarning);
  try {
    const whole = unpackNamed(name, bytes, maxUnpackRatio);
    if (Object.hasOwn(FORMATS, format))
      return parseWhole(name, whole, {
        onWarning,
        onProgress,
        readBeside: relativePath => readBeside(dirname(path), relativePath),
        decoders: format === 'glb' || format === 'gltf' ? await loadDecoders(whole) : undefined,
        keepsDoubles,
        ...(onScene ? { onScene } : {}),
      });
    if (format === '3mf') {
      // Loaded only for 3MF files, because it loads packages that other files do not need.
      const { readThreeMf } = await import('./readThreeMf.js');
      return await readThreeMf(whole, onWarning, unpackLimit(whole.length, maxUnpackRatio), keepsDoubles);
    }
    return format === 'ifc'
      ? await readIfc(whole, { onWarning, onUnread, onProgress, withProperties }, ifcLimits)
      : await readCad(whole, CAD_FORMATS[format], onWarning, onUnread, deflection, cadLimits, keepsDoubles);
  } catch (error) {
    throw withName(name, error);
  }
}

/** Returns whether a file is a STEP or IGES file, judging by its name. */
export function isCadFile(name: string): boolean {
  return /\.(step|stp|iges|igs)(\.gz)?$/i.test(name);
}

/** Returns whether a file, judging by its name, has a format that does not define which axis is up. */
export function lacksUpAxis(name: string): boolean {
  return isCadFile(name) || /\.(obj|stl|ply|off)(\.gz)?$/i.test(name);
}

/** Returns whether a file is an IFC file, judging by its name. */
export function isIfcFile(name: string): boolean {
  return /\.ifc(\.gz)?$/i.test(name);
}

function refuse({ name, reason }: Unread): never {
  throw new InvalidFile(`${name} cannot be read: ${reason}`, EXPORT_AGAIN);
}

/**
 * Reads the parts from the bytes of a file in any format except 3MF, IFC, STEP and IGES, which only `readParts`
 * reads. Parts without a triangle are left out, so a file that contains only points gives an empty list.
 * @param name The file's name; its extension determines the format.
 * @param readBeside Reads the separate buffers of a .gltf file. If it is undefined, a file with separate
 * buffers is rejected.
 * @throws InvalidFile
 */
export function parseParts(
  name: string,
  bytes: Uint8Array,
  readBeside?: ReadContext['readBeside'],
  { onWarning, onProgress, maxUnpackRatio, keepsDoubles, onScene }: ReadOptions = {},
): Part[] {
  formatOf(name, Object.keys(FORMATS));
  try {
    return parseWhole(name, unpackNamed(name, bytes, maxUnpackRatio), {
      onWarning: withFileName(name, onWarning),
      onProgress,
      readBeside,
      keepsDoubles,
      ...(onScene ? { onScene } : {}),
    });
  } catch (error) {
    throw withName(name, error);
  }
}

// Parses the bytes of an unpacked file.
function parseWhole(name: string, bytes: Uint8Array, reading: Omit<ReadContext, 'budget'>): Part[] {
  const { readBeside } = reading;
  const budget = new MemoryBudget(bytes.length);
  const readCounted =
    readBeside &&
    ((relativePath: string): Uint8Array => {
      const beside = readBeside(relativePath);
      budget.addFile(beside.length);
      return beside;
    });
  return FORMATS[formatOf(name)](stem(name), bytes, { ...reading, budget, readBeside: readCounted });
}

function withFileName(name: string, warn: WarningHandler = () => {}): WarningHandler {
  return (message, fix) => warn(`${name}: ${message}`, fix);
}

function unpackNamed(name: string, bytes: Uint8Array, maxUnpackRatio = MAX_UNPACK_RATIO): Uint8Array {
  return name.toLowerCase().endsWith('.gz') ? unpack(bytes, maxUnpackRatio) : bytes;
}

function withName(name: string, error: unknown): unknown {
  if (error instanceof InvalidFile) return new InvalidFile(`${name}: ${error.message}`, error.fix);
  if (isAllocationFailure(error))
    return new InvalidFile(
      `${name}: is too large for this machine (${error.message})`,
      'Split the file into smaller ones.',
    );
  return error;
}

function isAllocationFailure(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_STRING_TOO_LONG' ||
    (error instanceof RangeError && /allocation failed|invalid .*length|maximum size/i.test(error.message))
  );
}

function formatOf(name: string, endings = ENDINGS): string {
  const format = name.toLowerCase().replace(/\.gz$/, '').split('.').at(-1)!;
  if (endings.includes(format) && name.includes('.')) return format;
  throw new InvalidFile(
    `${name}: has no file extension that can be read`,
    `Give a file that ends with ${endings.map(ending => `.${ending}`).join(', ')}, or with one of these and .gz.`,
  );
}

function stem(name: string): string {
  return (
    basename(name)
      .replace(/\.gz$/i, '')
      .replace(/\.[^.]*$/, '') || name
  );
}

async function readWhole(path: string, name: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    // Reading a pipe or a device might never end.
    if (!stats.isFile() && !stats.isDirectory())
      throw new InvalidFile(`${name}: is not a regular file`, CHECK_PATH);
    const { size } = stats;
    if (size > MAX_FILE_BYTES)
      throw new InvalidFile(
        `${name}: has ${size} bytes, more than ${MAX_FILE_BYTES}`,
        'Split the file into smaller ones.',
      );
    return await readFile(path);
  } catch (error) {
    throw error instanceof CollisionError ? error : unreadable(name, error);
  }
}

function readBeside(folder: string, relativePath: string): Uint8Array {
  const path = join(folder, relativePath);
  try {
    const stats = statSync(path);
    if (!stats.isFile())
      throw new InvalidFile(`its buffer ${relativePath} is not a regular file`, BUFFER_BESIDE);
    if (stats.size > MAX_FILE_BYTES)
      throw new InvalidFile(
        `its buffer ${relativePath} has ${stats.size} bytes, more than ${MAX_FILE_BYTES}`,
        'Split the file into smaller ones.',
      );
    return readFileSync(path);
  } catch (error) {
    throw error instanceof CollisionError
      ? error
      : new InvalidFile(`its buffer ${relativePath} cannot be read`, BUFFER_BESIDE);
  }
}

function unreadable(name: string, error: unknown): InvalidFile {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new InvalidFile(`${name}: does not exist`, CHECK_PATH);
  if (code === 'EISDIR') return new InvalidFile(`${name}: is a folder`, 'Give a file in this folder.');
  return new InvalidFile(`${name}: cannot be read (${code ?? (error as Error).message})`, CHECK_PATH);
}

function unpackLimit(packedBytes: number, maxRatio = MAX_UNPACK_RATIO): number {
  return Math.min(MAX_FILE_BYTES, Math.max(ALWAYS_UNPACKED_BYTES, maxRatio * packedBytes));
}

// A gzip file is a sequence of compressed members. zlib stops as soon as its output exceeds the limit. It also
// stops at a zero byte after a member, because archives on tapes are padded with zeros. If any byte after that
// is not zero, the file is damaged.
function unpack(bytes: Uint8Array, maxRatio: number): Uint8Array {
  const limit = unpackLimit(bytes.length, maxRatio);
  try {
    // With `info`, gunzipSync also returns the stream, which @types/node does not know.
    const { buffer, engine } = gunzipSync(bytes, { maxOutputLength: limit, info: true }) as unknown as {
      buffer: Buffer;
      engine: Gunzip;
    };
    if (bytes.subarray(engine.bytesWritten).some(byte => byte !== 0))
      throw new InvalidFile('has data after the end of its compressed content', EXPORT_AGAIN);
    return buffer;
  } catch (error) {
    if (error instanceof InvalidFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_BUFFER_TOO_LARGE')
      throw new InvalidFile(`cannot be unpacked (${message})`, EXPORT_AGAIN);
    if (limit === MAX_FILE_BYTES)
      throw new InvalidFile(`unpacks to more than ${limit} bytes`, 'Split the file into smaller ones.');
    throw new InvalidFile(
      `unpacks to more than ${limit} bytes, the limit for a .gz file of ${bytes.length} bytes`,
      'Check where the file is from. If you trust it, raise the limit with --max-unpack-ratio 1000, or unpack it first.',
    );
  }
}
