// Optimizes a wasm file: constants that are added to the addresses of SIMD loads become the offsets of these
// loads. asc does this for all other loads.
import binaryen from 'assemblyscript/binaryen';

/** Sums with smaller constants are assumed not to wrap around, as asc assumes for other loads. */
const MAX_OFFSET = 1024;
const SIMD_LOAD = /^v128\.load(\d+_(splat|zero|lane)|\d+x\d+_[su])$/;

// Parses text into nested lists of its words.
function read(text) {
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

const write = node => (Array.isArray(node) ? `(${node.map(write).join(' ')})` : node);

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

/** Returns the bytes of an optimized module. */
export function foldOffsets(bytes) {
  const module = binaryen.readBinary(bytes);
  const tree = read(module.emitText());
  fold(tree);
  const folded = binaryen.parseText(write(tree));
  folded.setFeatures(module.getFeatures());
  return folded.emitBinary();
}
