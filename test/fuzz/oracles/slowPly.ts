// A slow reader of PLY, and a writer that writes the same content in another of the three PLY encodings. They
// share no code with pfront, so that the results can be compared.
import { latin, ofLatin } from '../mutators/text.js';

type Format = 'ascii' | 'binary_little_endian' | 'binary_big_endian';
interface Property {
  type: string;
  countType: string | undefined;
  name: string;
}
interface Element {
  name: string;
  count: number;
  properties: Property[];
  /** rows[i][k]: the values of property k in row i: a single value, or the items of a list. */
  rows: number[][][];
}
export interface SlowPly {
  format: Format;
  header: string;
  elements: Element[];
}

const KINDS: Record<string, [name: 'Int' | 'Uint' | 'Float', bytes: number]> = {
  char: ['Int', 1],
  int8: ['Int', 1],
  uchar: ['Uint', 1],
  uint8: ['Uint', 1],
  short: ['Int', 2],
  int16: ['Int', 2],
  ushort: ['Uint', 2],
  uint16: ['Uint', 2],
  int: ['Int', 4],
  int32: ['Int', 4],
  uint: ['Uint', 4],
  uint32: ['Uint', 4],
  float: ['Float', 4],
  float32: ['Float', 4],
  double: ['Float', 8],
  float64: ['Float', 8],
}; // prettier-ignore

/** Parses a file; returns undefined if this reader does not understand the header or the rows. */
export function slowPly(bytes: Uint8Array): SlowPly | undefined {
  const text = latin(bytes);
  const header =
    /^ply\r?\nformat (ascii|binary_little_endian|binary_big_endian) 1\.0\r?\n((?:(?:comment|obj_info|element|property)[ \t][^\n]*\n)*)end_header\r?\n/.exec(
      text,
    );
  if (!header) return undefined;
  const elements: Element[] = [];
  for (const line of header[2].split('\n')) {
    const words = line.trim().split(/[ \t]+/);
    if (words[0] === 'element' && words.length === 3 && /^\d{1,6}$/.test(words[2]))
      elements.push({ name: words[1], count: Number(words[2]), properties: [], rows: [] });
    else if (words[0] === 'property' && words.length === 3 && Object.hasOwn(KINDS, words[1]))
      elements.at(-1)?.properties.push({ type: words[1], countType: undefined, name: words[2] });
    else if (
      words[0] === 'property' &&
      words[1] === 'list' &&
      words.length === 5 &&
      Object.hasOwn(KINDS, words[2]) &&
      Object.hasOwn(KINDS, words[3])
    )
      elements.at(-1)?.properties.push({ type: words[3], countType: words[2], name: words[4] });
    else if (!['comment', 'obj_info', ''].includes(words[0])) return undefined;
  }
  const format = header[1] as Format;
  const body = bytes.subarray(header[0].length);
  const file = { format, header: header[0], elements };
  return (format === 'ascii' ? readText(elements, latin(body)) : readBinary(elements, body, format))
    ? file
    : undefined;
}

function readText(elements: Element[], body: string): boolean {
  const lines = body
    .split('\n')
    .map(line => line.split(/[ \t\r]+/).filter(word => word !== ''))
    .filter(words => words.length > 0);
  for (const { count, properties, rows } of elements) {
    for (let row = 0; row < count; row++) {
      const words = lines.shift();
      if (!words || words.some(word => !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word))) return false;
      rows.push(
        properties.map(({ type, countType }) =>
          words
            .splice(0, countType ? Number(words.shift()) : 1)
            // Integers have no negative zero.
            .map(word => (KINDS[type][0] === 'Float' ? Number(word) : Number(word) + 0)),
        ),
      );
      if (words.length > 0) return false;
    }
  }
  return lines.length === 0;
}

function readBinary(elements: Element[], body: Uint8Array, format: Format): boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  const next = (type: string): number => {
    const [name, bytes] = KINDS[type];
    at += bytes;
    return view[`get${name}${8 * bytes}` as 'getInt16'](at - bytes, format === 'binary_little_endian');
  };
  try {
    for (const { count, properties, rows } of elements)
      for (let row = 0; row < count; row++)
        rows.push(
          properties.map(({ type, countType }) =>
            Array.from({ length: countType ? next(countType) : 1 }, () => next(type)),
          ),
        );
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return at === body.length;
}

/**
 * Splits the polygons into triangles, and returns the coordinates of the corners of all triangles. Returns
 * undefined if the file has elements other than vertices and faces.
 */
export function cornersOf({ elements }: SlowPly): number[] | undefined {
  if (elements.some(({ name }) => !['vertex', 'face'].includes(name))) return undefined;
  const [vertices, faces] = ['vertex', 'face'].map(name => elements.find(element => element.name === name));
  if (!vertices || !faces) return [];
  const axes = ['x', 'y', 'z'].map(axis => vertices.properties.findIndex(({ name }) => name === axis));
  const list = faces.properties.findIndex(({ name }) => /^vertex_ind(ices|ex)$/.test(name));
  return faces.rows.flatMap(row => {
    const polygon = row[list];
    return polygon
      .slice(2)
      .flatMap((last, i) => [polygon[0], polygon[i + 1], last])
      .flatMap(corner => axes.map(axis => vertices.rows[corner][axis][0]));
  });
}

/** Writes the rows in the encoding `to`. */
export function writePly({ format, header, elements }: SlowPly, to: Format): Uint8Array {
  const head = header.replace(`format ${format}`, `format ${to}`);
  const values = elements.flatMap(({ rows, properties }) =>
    rows.map(row =>
      row.flatMap((items, i): [string, number][] => [
        ...(properties[i].countType ? [[properties[i].countType, items.length] as [string, number]] : []),
        ...items.map((item): [string, number] => [properties[i].type, item]),
      ]),
    ),
  );
  if (to === 'ascii')
    return ofLatin(
      head +
        values
          .map(row => `${row.map(([, value]) => (Object.is(value, -0) ? '-0' : value)).join(' ')}\n`)
          .join(''),
    );
  const all = values.flat();
  const view = new DataView(new ArrayBuffer(all.reduce((sum, [type]) => sum + KINDS[type][1], 0)));
  let at = 0;
  for (const [type, value] of all) {
    const [name, bytes] = KINDS[type];
    view[`set${name}${8 * bytes}` as 'setInt16'](at, value, to === 'binary_little_endian');
    at += bytes;
  }
  return new Uint8Array(Buffer.concat([ofLatin(head), new Uint8Array(view.buffer)]));
}
