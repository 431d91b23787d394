// Fuzz target for engine.loadMesh, the reader of the bytes that mesh.serialize() makes.
import { checkMemory, checkMesh } from '../../../dist/debug/index.js';
import { createEngine, type Engine, type Mesh, type MeshData } from '../../../dist/index.js';
import { AT, checksumOf, HEADER_WORDS } from '../../../dist/mesh/serialize.js';
import { createRandom } from '../../../dist/samples/index.js';
import { byteMutators } from '../mutators/bytes.js';
import { requireSameNumbers } from '../oracles/parts.js';
import { type Mutator, require, requireTypedError, type Target } from '../target.js';

const NOTHING = 0xffffffff;
const LEAF_BIT = 0x80000000;

/** Returns a copy of an input as 32-bit words, or undefined if the input is shorter than the header. */
const wordsOf = (bytes: Uint8Array): Uint32Array | undefined =>
  bytes.length < 4 * HEADER_WORDS ? undefined : new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer);

function withChecksum(words: Uint32Array): Uint8Array {
  words[AT.checksum] = checksumOf(words);
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/**
 * Makes a mutator that also sets the right checksum. Otherwise, the reader would refuse every mutant because
 * of its checksum.
 */
const checked =
  (mutator: Mutator): Mutator =>
  (bytes, context) => {
    const words = wordsOf(mutator(bytes, context));
    return words ? withChecksum(words.slice()) : bytes.slice();
  };

/**
 * Replaces one word, usually in the tree at the end of the input, with the handle of a node or leaf, NOTHING or
 * a copy of another word, or changes the word by 1.
 */
const changeHandle: Mutator = (bytes, { random }) => {
  const words = wordsOf(bytes);
  if (!words) return bytes.slice();
  const at =
    random.below(4) === 0
      ? random.below(words.length)
      : words.length - 1 - random.below(Math.min(words.length, 64));
  const values = [
    NOTHING,
    LEAF_BIT + random.below(8),
    random.below(12),
    words[random.below(words.length)],
    words[at] + 1,
    words[at] - 1,
  ];
  words[at] = values[random.below(values.length)];
  return withChecksum(words);
};

/** Adds or removes the words of one vertex, triangle, node or leaf, and updates the count in the header. */
const changeCount: Mutator = (bytes, { random }) => {
  const words = wordsOf(bytes);
  if (!words) return bytes.slice();
  const sizes = [3, 3, 4, 4];
  const section = random.below(4);
  let end = HEADER_WORDS;
  for (let i = 0; i <= section; i++) end += sizes[i] * words[AT.vertices + i];
  if (end > words.length) return bytes.slice();
  const all = [...words];
  const isRemoved = random.below(2) === 0 && words[AT.vertices + section] > 0;
  if (isRemoved) all.splice(end - sizes[section], sizes[section]);
  else
    all.splice(
      end,
      0,
      ...Array.from({ length: sizes[section] }, (_, i) => (random.below(2) === 0 ? NOTHING : i)),
    );
  all[AT.vertices + section] += isRemoved ? -1 : 1;
  return withChecksum(Uint32Array.from(all));
};

let engine: Engine | undefined;
let probe: Mesh | undefined;

// Returns the engine that all reads use. The first call creates the engine and `probe`.
async function engineOf(): Promise<Engine> {
  if (engine) return engine;
  engine = await createEngine({ threads: 1 });
  probe = engine.createMesh(soup(20, 7));
  return engine;
}

function soup(count: number, seed: number): MeshData {
  const random = createRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) {
    const center = [0, 1, 2].map(() => random.between(-1, 1));
    for (let k = 0; k < 9; k++) positions[9 * i + k] = center[k % 3] + random.between(-0.4, 0.4);
  }
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

const seedMeshes: MeshData[] = [
  soup(1, 1),
  soup(5, 2),
  soup(40, 3),
  {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  },
  { positions: new Float32Array(0), indices: new Uint32Array(0) },
];
let seeds: Uint8Array[] = [];

/**
 * Fails unless a loaded mesh gives the same query results as a mesh that is built from the same triangles.
 */
function checkLikeBuilt(own: Engine, mesh: Mesh, bytes: Uint8Array): void {
  const words = wordsOf(bytes)!;
  const [vertices, triangles] = words.subarray(AT.vertices);
  const from = HEADER_WORDS + 3 * vertices;
  const positions = new Float32Array(words.slice(HEADER_WORDS, from).buffer);
  const built = own.createMesh({ positions, indices: words.slice(from, from + 3 * triangles) });
  try {
    const [a, b] = [mesh, built].map(one => {
      const { a, b } = own.query(one, probe!).copy();
      return [...a, ...b];
    });
    requireSameNumbers('pairs of the loaded mesh and of a mesh built from its triangles', a, b);
  } finally {
    built.dispose();
  }
}

function check(own: Engine, bytes: Uint8Array): boolean {
  const { usedBytes } = (own as unknown as { context: { arena: { usedBytes: number } } }).context.arena;
  const used = (): number =>
    (own as unknown as { context: { arena: { usedBytes: number } } }).context.arena.usedBytes;
  let mesh: Mesh;
  try {
    mesh = own.loadMesh(bytes);
  } catch (error) {
    requireTypedError(error, ['InvalidMesh', 'Capacity']);
    require(used() === usedBytes, () =>
      `${used() - usedBytes} bytes stay in use after the input was refused`);
    return false;
  }
  const faults = checkMesh(mesh);
  require(faults.length === 0, () => faults.join('; '));
  requireSameNumbers('the bytes of serialize()', mesh.serialize(), bytes);
  checkLikeBuilt(own, mesh, bytes);
  mesh.dispose();
  const memoryFaults = checkMemory(own);
  require(memoryFaults.length === 0, () => memoryFaults.join('; '));
  return true;
}

export const storedMesh: Target = {
  name: 'stored mesh',
  covers: /^(mesh\/(loadMesh|restore|serialize|meshData)|bvh\/(normalize|tree))\.js$/,
  mutants: 37_500,
  maxBytes: 4096,
  mutators: [
    ...byteMutators.map(checked),
    changeHandle,
    changeHandle,
    changeHandle,
    changeCount,
    changeCount,
    ...byteMutators.slice(0, 3),
  ],
  dictionary: [],
  async seeds() {
    const own = await engineOf();
    seeds = seedMeshes.flatMap(data =>
      [{}, { builder: 'morton' }, { deformable: true }].map(options => {
        const mesh = own.createMesh(data, options as object);
        const bytes = mesh.serialize();
        mesh.dispose();
        return bytes;
      }),
    );
    return seeds;
  },
  async check(bytes) {
    return check(await engineOf(), bytes);
  },
};
