// Writes and reads certificate files: the JSON files of `pfront clash --certify`. A certificate proves that a
// search found every clash of a model.
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ModelCertificate } from '../../certificate/certifyParts.js';
import { CollisionError } from '../../core/errors.js';
import { quote, type Up } from '../../formats/part.js';
import { isUnit, type Unit } from '../../formats/units.js';
import { writeOutputFile } from '../outputFile.js';

/** The source of the parts: the model files, and the options with which they are read. */
export interface ModelSource {
  /** The names of the files, without folders, in the order of the command line. */
  files: string[];
  /** `--units`. */
  units?: Unit;
  /** `--up`. */
  up?: Up;
  /** `--split`. */
  split?: 'components';
  /** `--deflection`, in mm, if there is a STEP or IGES file. */
  deflection?: number;
  /** 'double' if any part has coordinates in doubles; undefined if all coordinates are float32 numbers. */
  coordinates?: 'double';
}

/** A part: its name, and the number and hash of its placed triangles. */
export interface CertifiedPart {
  name: string;
  triangles: number;
  /** The hash of the placed corners: see `hashOf` in placedCorners.ts. */
  sha256: string;
}

/** Two parts a < b that share a point, and all pairs of their triangles that share a point. */
export interface CertifiedClash {
  a: number;
  b: number;
  pairs: { a: Uint32Array; b: Uint32Array };
}

/** The content of a certificate file. */
export interface CertifiedModel {
  model: ModelSource;
  parts: CertifiedPart[];
  clashes: CertifiedClash[];
  certificate: ModelCertificate;
}

const FORMAT = 'pfront certificate';
/**
 * Larger files are rejected: a file is read as one string, and JavaScript limits the length of a string to
 * about 2^29 characters.
 */
export const MAX_CERTIFICATE_BYTES = 500e6;

/** Thrown if a certificate cannot be written, or would be too large to be read again. */
export class CertificateFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('CertificateFailed', message, fix);
  }
}

/** Thrown if a file is not a certificate of this version. The file may have been changed or truncated. */
export class InvalidCertificate extends CollisionError {
  constructor(message: string) {
    super('InvalidCertificate', message, 'Write it again with pfront clash FILE --certify CERTIFICATE.json.');
  }
}

/**
 * Writes a certificate file.
 *
 * @returns The size of the file in bytes.
 * @throws CertificateFailed. In this case, a file that already existed at the path is unchanged.
 */
export async function writeCertificate(
  path: string,
  { model, parts, clashes, certificate }: CertifiedModel,
  maxBytes = MAX_CERTIFICATE_BYTES,
): Promise<number> {
  const { orders, partOrder, steps } = certificate;
  const lists = [...orders, partOrder, steps, ...clashes.flatMap(({ pairs }) => [pairs.a, pairs.b])];
  const minBytes = lists.reduce((sum, { byteLength }) => sum + (4 / 3) * byteLength, 0);
  if (minBytes > maxBytes) throw tooLarge(maxBytes);
  const content = {
    format: FORMAT,
    version: certificate.version,
    model,
    parts: parts.map((part, i) => ({ ...part, order: base64Of(orders[i]) })),
    partOrder: base64Of(partOrder),
    clashes: clashes.map(({ a, b, pairs }) => ({
      a,
      b,
      trianglesA: base64Of(pairs.a),
      trianglesB: base64Of(pairs.b),
    })),
    steps: Buffer.from(steps).toString('base64'),
  };
  let text: string;
  try {
    text = JSON.stringify(content);
  } catch (error) {
    // The text exceeds the maximum length of a string.
    throw error instanceof RangeError ? tooLarge(maxBytes) : error;
  }
  const bytes = Buffer.from(`${text}\n`);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  await writeOutputFile(path, CertificateFailed, file => file.writeFile(bytes));
  return bytes.length;
}

const tooLarge = (maxBytes: number): CertificateFailed =>
  new CertificateFailed(
    `the certificate would be larger than ${maxBytes / 1e6} MB`,
    'Give fewer files, or files with fewer triangles.',
  );

/**
 * Reads a certificate file. Checks the format of the file, but not the proof, so the clashes in the result may
 * be wrong.
 *
 * @throws InvalidCertificate
 */
export async function readCertificate(path: string): Promise<CertifiedModel> {
  const name = basename(path);
  const refuse = (problem: string): never => {
    throw new InvalidCertificate(`${name}: ${problem}`);
  };
  let content: unknown;
  try {
    const { size } = await stat(path);
    if (size > MAX_CERTIFICATE_BYTES) refuse(`has ${size} bytes, more than ${MAX_CERTIFICATE_BYTES}`);
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof InvalidCertificate) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(code ? `cannot be read (${code})` : `is not JSON (${message.replace(/\s+/g, ' ').slice(0, 100)})`);
  }
  return new CertificateReader(refuse).file(content);
}

type Fields = Record<string, unknown>;

// Checks and converts the values of a certificate file. `place` is the name of a value in error messages.
class CertificateReader {
  constructor(private readonly refuse: (problem: string) => never) {}

  file(content: unknown): CertifiedModel {
    const { format, version } = (content ?? {}) as Fields;
    if (format !== FORMAT) this.refuse(`is not a certificate: "format" is not "${FORMAT}"`);
    if (version !== 1)
      this.refuse(`has version ${quote(String(version))}, but this version of pfront reads only version 1`);
    const fields = this.fields('the file', content, [
      'format',
      'version',
      'model',
      'parts',
      'partOrder',
      'clashes',
      'steps',
    ]);
    const parts = this.list('parts', fields.parts).map((part, i) => this.part(`parts[${i}]`, part));
    return {
      model: this.model(fields.model),
      parts: parts.map(({ order, ...part }) => part),
      clashes: this.list('clashes', fields.clashes).map((clash, i) => this.clash(`clashes[${i}]`, clash)),
      certificate: {
        version: 1,
        partOrder: this.numbers('partOrder', fields.partOrder),
        orders: parts.map(({ order }) => order),
        steps: this.bytes('steps', fields.steps),
      },
    };
  }

  model(content: unknown): ModelSource {
    const { files, units, up, split, deflection, coordinates } = this.fields(
      'model',
      content,
      ['files'],
      ['units', 'up', 'split', 'deflection', 'coordinates'],
    );
    const names = this.list('model.files', files);
    const areNames = names.every(name => typeof name === 'string' && name !== '' && basename(name) === name);
    if (!areNames || names.length === 0)
      this.refuse('model.files is not a list of at least one file name without a folder');
    if (units !== undefined && !(typeof units === 'string' && isUnit(units)))
      this.refuse('model.units is not a unit');
    if (up !== undefined && up !== 'y' && up !== 'z') this.refuse('model.up is neither y nor z');
    if (split !== undefined && split !== 'components') this.refuse('model.split is not "components"');
    if (coordinates !== undefined && coordinates !== 'double')
      this.refuse('model.coordinates is not "double"');
    if (deflection !== undefined && !(Number.isFinite(deflection) && (deflection as number) > 0))
      this.refuse('model.deflection is not a number above 0');
    const source = { files: names, units, up, split } as ModelSource;
    return {
      ...source,
      ...(deflection === undefined ? {} : { deflection: deflection as number }),
      ...(coordinates === undefined ? {} : { coordinates: 'double' }),
    };
  }

  part(place: string, content: unknown): CertifiedPart & { order: Uint32Array } {
    const { name, triangles, sha256, order } = this.fields(place, content, [
      'name',
      'triangles',
      'sha256',
      'order',
    ]);
    if (typeof name !== 'string') this.refuse(`${place}.name is not a string`);
    if (typeof sha256 !== 'string') this.refuse(`${place}.sha256 is not a string`);
    return {
      name: name as string,
      triangles: this.count(`${place}.triangles`, triangles),
      sha256: sha256 as string,
      order: this.numbers(`${place}.order`, order),
    };
  }

  clash(place: string, content: unknown): CertifiedClash {
    const { a, b, trianglesA, trianglesB } = this.fields(place, content, [
      'a',
      'b',
      'trianglesA',
      'trianglesB',
    ]);
    return {
      a: this.count(`${place}.a`, a),
      b: this.count(`${place}.b`, b),
      pairs: {
        a: this.numbers(`${place}.trianglesA`, trianglesA),
        b: this.numbers(`${place}.trianglesB`, trianglesB),
      },
    };
  }

  fields(place: string, content: unknown, required: string[], optional: string[] = []): Fields {
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      return this.refuse(`${place} is not an object`);
    const missing = required.find(key => !Object.hasOwn(content, key));
    if (missing !== undefined) this.refuse(`${place} has no ${missing}`);
    const unknown = Object.keys(content).find(key => !required.includes(key) && !optional.includes(key));
    if (unknown !== undefined)
      this.refuse(`${place} has ${quote(unknown)}, which the format does not define`);
    return content as Fields;
  }

  list(place: string, content: unknown): unknown[] {
    return Array.isArray(content) ? content : this.refuse(`${place} is not a list`);
  }

  count(place: string, content: unknown): number {
    const isCount = Number.isSafeInteger(content) && (content as number) >= 0;
    return isCount ? (content as number) : this.refuse(`${place} is not a whole number of at least 0`);
  }

  bytes(place: string, content: unknown): Uint8Array {
    if (typeof content !== 'string') return this.refuse(`${place} is not a string`);
    // Buffer skips invalid characters, so the bytes are encoded again and compared with the text.
    const bytes = Buffer.from(content, 'base64');
    return bytes.toString('base64') === content
      ? new Uint8Array(bytes)
      : this.refuse(`${place} is not base64`);
  }

  numbers(place: string, content: unknown): Uint32Array {
    const bytes = this.bytes(place, content);
    if (bytes.length % 4 !== 0) this.refuse(`${place} has ${bytes.length} bytes, not a multiple of 4`);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  }
}

function base64Of(numbers: Uint32Array): string {
  const bytes = Buffer.alloc(numbers.byteLength);
  numbers.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  return bytes.toString('base64');
}
