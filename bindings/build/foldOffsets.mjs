// Optimizes a wasm file: a constant that is added to the address of a SIMD load becomes the offset of the
// load. Only SIMD loads that splat, widen, fill with zeros or replace one lane are changed, because the
// AssemblyScript compiler (asc) already optimizes all other loads.
import binaryen from 'assemblyscript/binaryen';

/**
 * Only offsets below this limit are folded. The sum of an address and such an offset is assumed not to wrap
 * around; asc makes this assumption too.
 */
const MAX_OFFSET = 1024;
const SIMD_LOAD = /^v128\.load(\d+_(splat|zero|lane)|\d+x\d+_[su])$/;

// Parses the text format of WebAssembly into nested arrays of words, one array per pair of parentheses.
function parse(text) {
  const stack = [[]];
  for (const [word] of text.matchAll(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g)) {
    if (word === '(') stack.push([]);
    else if (word === ')') {
      const list = stack.pop();
      stack.at(-1).push(list);
    } else stack.at(-1).push(word);
  }
  return stack[0][0];
}

const format = node => (Array.isArray(node) ? `(${node.map(format).join(' ')})` : node);

function fold(node) {
  if (!Array.isArray(node)) return;
  node.forEach(fold);
  if (!SIMD_LOAD.test(node[0])) return;
  const at = node.findIndex(Array.isArray);
  const [sum, base, [kind, term] = []] = node[at];
  if (sum !== 'i32.add' || kind !== 'i32.const') return;
  const existing = node.findIndex(word => String(word).startsWith('offset='));
  const offset = Number(term) + (existing < 0 ? 0 : Number(node[existing].slice(7)));
  if (!(Number(term) > 0 && offset < MAX_OFFSET)) return;
  node[at] = base;
  if (existing < 0) node.splice(1, 0, `offset=${offset}`);
  else node[existing] = `offset=${offset}`;
}

/** Optimizes the module with these bytes. Returns the bytes of the optimized module. */
export function foldOffsets(bytes) {
  const module = binaryen.readBinary(bytes);
  const tree = parse(module.emitText());
  fold(tree);
  const folded = binaryen.parseText(format(tree));
  folded.setFeatures(module.getFeatures());
  return folded.emitBinary();
}
