// Writes UUIDs (RFC 9562) as text, in Node and in browsers.

/** Returns 16 bytes as a UUID, in which the bits of the version and variant are replaced. */
export function uuidText(bytes: Uint8Array, version: 4 | 5): string {
  const own = Uint8Array.from(bytes);
  own[6] = (own[6] & 0x0f) | (version << 4);
  own[8] = (own[8] & 0x3f) | 0x80;
  return [...own]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
