// Checks JSON text before it is parsed: limits its depth of nesting and the memory that its values need. Even
// a small file can exceed these limits.
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MAX_DEPTH = 500;
// Memory of one parsed container (list or object) or value, measured on Node 22. The text itself is extra.
const CONTAINER_BYTES = 96;
const VALUE_BYTES = 24;

/**
 * Checks JSON text; its syntax is left to the parser.
 * @throws InvalidFile if values are nested more than 500 levels deep, or if the parsed values would exceed
 * the budget
 */
export function checkJsonText(bytes: Uint8Array, budget: MemoryBudget): void {
  let depth = 0;
  let containers = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === COMMA || byte === COLON) values++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      containers++;
      depth++;
      if (depth > MAX_DEPTH)
        throw new InvalidFile(
          `the JSON is nested more than ${MAX_DEPTH} levels deep, at byte ${at}`,
          EXPORT_AGAIN,
        );
    }
  }
  budget.take(bytes.length + CONTAINER_BYTES * containers + VALUE_BYTES * values, 'its JSON');
}

// Returns the offset of the closing quote of the string that begins at `at`; the length of the text if the
// string has no closing quote.
function stringEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, end));
  return end;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
