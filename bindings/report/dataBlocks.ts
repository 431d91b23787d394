// Writes the data of a page as script elements, each with one block of the data. Browsers do not run these
// elements, because their type is not a script type.

/**
 * Every block but the last has at least this many bytes. Their number is a multiple of three, so that the
 * base64 text of the block needs no padding.
 */
const BLOCK_BYTES = 3 << 20;

/**
 * Yields the HTML elements that hold compressed content.
 * @param base64Of Encodes bytes as base64.
 */
export async function* dataBlocks(
  chunks: AsyncIterable<Uint8Array>,
  base64Of: (bytes: Uint8Array) => string,
): AsyncGenerator<string> {
  const write = (bytes: Uint8Array): string =>
    `<script type="application/octet-stream" class="data">${base64Of(bytes)}</script>\n`;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < BLOCK_BYTES) continue;
    const bytes = joined(pending, pendingBytes);
    const end = bytes.length - (bytes.length % 3);
    yield write(bytes.subarray(0, end));
    pending = [bytes.subarray(end)];
    pendingBytes -= end;
  }
  yield write(joined(pending, pendingBytes));
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
