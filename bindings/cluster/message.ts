// Kinds of messages, each a record and some arrays -> bytes, and back: nothing is believed that was not
// checked.
import { type RecordLayout, record } from '../records/record.js';
import { Malformed } from './errors.js';

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

/** Of which message: what all kinds begin with. `run`: which job or swarm, two words drawn at random. */
export interface Heading {
  run: readonly [number, number];
  step: number;
  from: number;
}

/** What a message of a kind says, as it is sent; and as it is received, with its heading. */
export type Saying<Kind extends { encode(heading: Heading, values: never): Uint8Array }> = Parameters<
  Kind['encode']
>[1];
export type Said<Kind extends { decode(bytes: Uint8Array): unknown }> = ReturnType<Kind['decode']>;

/** A kind of message. */
export interface MessageKind<V> {
  readonly name: string;
  readonly code: number;
  encode(heading: Heading, values: V): Uint8Array;
  /** @throws Malformed */
  decode(bytes: Uint8Array): V & Heading;
}

const MAGIC = 0x4e524650;
const MAGIC_TURNED = 0x5046524e;
/** Of all messages: who speaks another one is not understood. */
export const VERSION = 3;
const headFields = {
  magic: 'u32',
  version: 'u32',
  kind: 'u32',
  bytes: 'u32',
  run: ['u32', 2],
  step: 'u32',
  from: 'u32',
} as const;
const Head = record(headFields);
/** Arrays of messages, by their types. */
export const arrays = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** What a message of any kind begins with. @throws Malformed */
export function headingOf(bytes: Uint8Array): Heading & { kind: number } {
  if (bytes.length < Head.size)
    throw new Malformed(`a message of ${bytes.length} bytes`, `${Head.size} are the least`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number): number => view.getUint32(at, true);
  if (word(Head.at.magic) === MAGIC_TURNED)
    throw new Malformed(
      'a message with its bytes in the other order',
      'all machines of a cluster must be little-endian',
    );
  if (word(Head.at.magic) !== MAGIC)
    throw new Malformed(`a message that begins with ${word(Head.at.magic)}`, 'it is not of pfront');
  if (word(Head.at.version) !== VERSION)
    throw new Malformed(
      `a message of version ${word(Head.at.version)}`,
      `this is version ${VERSION}: run the same one everywhere`,
    );
  if (word(Head.at.bytes) !== bytes.length)
    throw new Malformed(
      `a message of ${bytes.length} bytes that tells of ${word(Head.at.bytes)}`,
      'it was cut or added to',
    );
  return {
    kind: word(Head.at.kind),
    run: [word(Head.at.run), word(Head.at.run + 4)],
    step: word(Head.at.step),
    from: word(Head.at.from),
  };
}

/**
 * code: in every message, never used for another kind again. check: what the values must keep to, by the text
 * of what they break.
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

  function encode({ run, step, from }: Heading, values: Values<F, A>): Uint8Array {
    const given = values as Record<string, number | ArrayLike<number>>;
    let bytes = Head.size + body.size;
    const places = names.map(list => {
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
      writeField(view, Head.size + body.at[field], type, given[field]);
    names.forEach((list, i) => {
      const { buffer, byteOffset, byteLength, length } = values[list] as Uint8Array;
      view.setUint32(Head.size + body.at[`${list}Count`], length, true);
      message.set(new Uint8Array(buffer, byteOffset, byteLength), places[i]);
    });
    return message;
  }

  function decode(bytes: Uint8Array): Values<F, A> & Heading {
    const { kind, ...heading } = headingOf(bytes);
    if (kind !== code) throw new Malformed(`a message of kind ${kind}`, `${name} has ${code}`);
    if (bytes.length < Head.size + body.size)
      throw new Malformed(`${name} of ${bytes.length} bytes`, `${Head.size + body.size} are the least`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const values: Record<string, unknown> = { ...heading };
    for (const [field, type] of Object.entries(fields))
      values[field] = readField(view, Head.size + body.at[field], type);
    let at = Head.size + body.size;
    for (const list of names) {
      const type = arrays[lists[list]];
      const count = view.getUint32(Head.size + body.at[`${list}Count`], true);
      const length = count * type.BYTES_PER_ELEMENT;
      if (at + length > bytes.length)
        throw new Malformed(
          `${name} with ${count} ${list}`,
          `it has room for ${Math.floor((bytes.length - at) / type.BYTES_PER_ELEMENT)}`,
        );
      // A copy: what arrives lies at any address. Node's Buffers have a slice of their own, which copies
      // nothing.
      values[list] = new type(Uint8Array.prototype.slice.call(bytes, at, at + length).buffer);
      const end = at + length;
      at = aligned(end);
      if (bytes.subarray(end, at).some(byte => byte !== 0))
        throw new Malformed(`${name} with bytes between its lists`, 'there are zeros');
    }
    if (at !== bytes.length)
      throw new Malformed(`${name} of ${bytes.length} bytes`, `its lists end at ${at}`);
    const wrong = check?.(values as Values<F, A> & Heading);
    if (wrong) throw new Malformed(`${name} with ${wrong}`, 'it is refused');
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
    throw new RangeError(`${String(value)} is no number of type ${type}`);
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
