// Encodes and decodes messages. A message has a heading, a record of fixed size, and arrays. The kind of the
// message defines the record and the arrays. Decoding throws unless the whole message is valid.
import { type RecordLayout, record } from '../records/record.js';
import { Malformed, SAME_VERSION } from './errors.js';

type Scalar = 'u32' | 'f32' | 'f64';
type Fields = Record<string, Scalar | readonly [Scalar, number]>;
type ArrayType = 'u8' | 'u32' | 'f32' | 'f64';
interface ArrayOf {
  u8: Uint8Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
}

export type Values<F extends Fields, A extends Record<string, ArrayType>> = {
  [K in keyof F]: F[K] extends readonly unknown[] ? ArrayLike<number> : number;
} & { [K in keyof A]: ArrayOf[A[K]] };

/**
 * The heading of every message. `run` identifies the job or swarm by two random words. `step` is the number of
 * a step or a serial number, depending on the kind of the message. `from` is the id of the sender.
 */
export interface Heading {
  run: readonly [number, number];
  step: number;
  from: number;
}

/** The values of a kind of message as they are sent. */
export type SentValues<Kind extends { encode(heading: Heading, values: never): Uint8Array }> = Parameters<
  Kind['encode']
>[1];
/** The values of a kind of message as they are received, with the heading. */
export type ReceivedMessage<Kind extends { decode(bytes: Uint8Array): unknown }> = ReturnType<Kind['decode']>;

/** A kind of message. */
export interface MessageKind<V> {
  readonly name: string;
  readonly code: number;
  encode(heading: Heading, values: V): Uint8Array;
  /** @throws Malformed */
  decode(bytes: Uint8Array): V & Heading;
}

const MAGIC = 0x4e524650;
const MAGIC_SWAPPED = 0x5046524e;
/** The version of the protocol; messages of any other version are refused. */
export const VERSION = 4;
const headingFields = {
  magic: 'u32',
  version: 'u32',
  kind: 'u32',
  bytes: 'u32',
  run: ['u32', 2],
  step: 'u32',
  from: 'u32',
} as const;
const HeadingRecord = record(headingFields);
/** The constructors of message arrays by type. */
export const arrayConstructors = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Returns the offsets of a record's padding: the bytes that belong to no field. */
function paddingOf({ at, size, fields }: RecordLayout<Fields>): number[] {
  const isField = new Uint8Array(size);
  for (const [name, type] of Object.entries(fields)) {
    const [scalar, count] = typeof type === 'string' ? [type, 1] : type;
    isField.fill(1, at[name], at[name] + count * (scalar === 'f64' ? 8 : 4));
  }
  return [...isField.keys()].filter(offset => isField[offset] === 0);
}

/** Reads the heading of a message of any kind. @throws Malformed */
export function headingOf(bytes: Uint8Array): Heading & { kind: number } {
  if (bytes.length < HeadingRecord.size)
    throw new Malformed(
      `a message has ${bytes.length} bytes, fewer than the minimum of ${HeadingRecord.size}`,
      SAME_VERSION,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number): number => view.getUint32(at, true);
  if (word(HeadingRecord.at.magic) === MAGIC_SWAPPED)
    throw new Malformed(
      'a message has big-endian byte order',
      'use only little-endian machines in a cluster',
    );
  if (word(HeadingRecord.at.magic) !== MAGIC)
    throw new Malformed(
      `a message begins with ${word(HeadingRecord.at.magic)}, so it is not a message of pfront`,
      'publish no other messages on subjects of pfront',
    );
  if (word(HeadingRecord.at.version) !== VERSION)
    throw new Malformed(
      `a message has format version ${word(HeadingRecord.at.version)}, not ${VERSION}`,
      SAME_VERSION,
    );
  if (word(HeadingRecord.at.bytes) !== bytes.length)
    throw new Malformed(
      `a message has ${bytes.length} bytes, but its heading says ${word(HeadingRecord.at.bytes)}`,
      'check the network: the message was truncated or extended',
    );
  return {
    kind: word(HeadingRecord.at.kind),
    run: [word(HeadingRecord.at.run), word(HeadingRecord.at.run + 4)],
    step: word(HeadingRecord.at.step),
    from: word(HeadingRecord.at.from),
  };
}

/**
 * Defines a kind of message. code: identifies the kind in every message; never reused for another kind.
 * check: returns, as text, the rule that the values break; undefined if they are valid. Numbers in fields
 * must be finite. Numbers in lists need not be, unless `check` requires it.
 */
export function messageKind<const F extends Fields, const A extends Record<string, ArrayType>>(
  name: string,
  code: number,
  fields: F,
  lists: A,
  check?: (values: Values<F, A> & Heading) => string | undefined,
): MessageKind<Values<F, A>> {
  const names = Object.keys(lists);
  const body = record({
    ...fields,
    ...Object.fromEntries(names.map(list => [`${list}Count`, 'u32'])),
  } as Fields) as RecordLayout<Fields>;
  const padding = paddingOf(body);

  function encode({ run, step, from }: Heading, values: Values<F, A>): Uint8Array {
    const given = values as Record<string, number | ArrayLike<number>>;
    let bytes = HeadingRecord.size + body.size;
    const offsets = names.map(list => {
      const at = bytes;
      bytes = aligned(at + (values[list] as Uint8Array).byteLength);
      return at;
    });
    const message = new Uint8Array(bytes);
    const view = new DataView(message.buffer);
    [MAGIC, VERSION, code, bytes, run[0], run[1], step, from].forEach((word, i) =>
      writeField(view, 4 * i, 'u32', word),
    );
    for (const [field, type] of Object.entries(fields))
      writeField(view, HeadingRecord.size + body.at[field], type, given[field]);
    names.forEach((list, i) => {
      const { buffer, byteOffset, byteLength, length } = values[list] as Uint8Array;
      view.setUint32(HeadingRecord.size + body.at[`${list}Count`], length, true);
      message.set(new Uint8Array(buffer, byteOffset, byteLength), offsets[i]);
    });
    return message;
  }

  function decode(bytes: Uint8Array): Values<F, A> & Heading {
    const { kind, ...heading } = headingOf(bytes);
    const reject = (rule: string): never => {
      throw new Malformed(`a message '${name}' is invalid: ${rule}`, SAME_VERSION);
    };
    if (kind !== code) reject(`its kind is ${kind}, not ${code}`);
    if (bytes.length < HeadingRecord.size + body.size)
      reject(`it has ${bytes.length} bytes, fewer than the minimum of ${HeadingRecord.size + body.size}`);
    // This is a loop, not a closure that reads `bytes`: a thrown error keeps the closures on its stack in
    // memory, so it would keep `bytes` in memory, too.
    for (const offset of padding)
      if (bytes[HeadingRecord.size + offset] !== 0) reject('the padding of its fields is not zero');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const values: Record<string, unknown> = { ...heading };
    for (const [field, type] of Object.entries(fields))
      values[field] = readField(view, HeadingRecord.size + body.at[field], type);
    let at = HeadingRecord.size + body.size;
    for (const list of names) {
      const type = arrayConstructors[lists[list]];
      const count = view.getUint32(HeadingRecord.size + body.at[`${list}Count`], true);
      const length = count * type.BYTES_PER_ELEMENT;
      if (at + length > bytes.length)
        reject(
          `it declares ${count} ${list}, but has bytes for at most ${Math.floor((bytes.length - at) / type.BYTES_PER_ELEMENT)}`,
        );
      // The array is copied, because received bytes may be unaligned. Node's Buffer has a `slice` that does
      // not copy, so the `slice` of Uint8Array is called.
      values[list] = new type(Uint8Array.prototype.slice.call(bytes, at, at + length).buffer);
      const end = at + length;
      at = aligned(end);
      if (bytes.subarray(end, at).some(byte => byte !== 0))
        reject('the padding between its lists is not zero');
    }
    if (at !== bytes.length) reject(`it has ${bytes.length} bytes, but its lists end at byte ${at}`);
    const brokenRule = check?.(values as Values<F, A> & Heading);
    if (brokenRule) reject(brokenRule);
    for (const field of Object.keys(fields))
      if (![values[field]].flat().every(Number.isFinite)) reject(`its ${field} is ${values[field]}`);
    return values as Values<F, A> & Heading;
  }
  return { name, code, encode, decode };
}

function writeField(
  view: DataView,
  at: number,
  type: Scalar | readonly [Scalar, number],
  value: number | ArrayLike<number>,
): void {
  if (typeof type !== 'string') {
    for (let i = 0; i < type[1]; i++)
      writeField(view, at + i * (type[0] === 'f64' ? 8 : 4), type[0], (value as ArrayLike<number>)[i]);
  } else if (
    typeof value !== 'number' ||
    (type === 'u32' && !(value >>> 0 === value || value >> 0 === value))
  )
    throw new RangeError(`${String(value)} is not a number of type ${type}`);
  else if (type === 'f64') view.setFloat64(at, value as number, true);
  else if (type === 'f32') view.setFloat32(at, value as number, true);
  else view.setUint32(at, value as number, true);
}

function readField(view: DataView, at: number, type: Scalar | readonly [Scalar, number]): number | number[] {
  if (typeof type !== 'string')
    return Array.from(
      { length: type[1] },
      (_, i) => readField(view, at + i * (type[0] === 'f64' ? 8 : 4), type[0]) as number,
    );
  return type === 'f64'
    ? view.getFloat64(at, true)
    : type === 'f32'
      ? view.getFloat32(at, true)
      : view.getUint32(at, true);
}
