// Reads 3MF files: unpacks the models from the zip archive with the package yauzl, and checks sizes and
// checksums.
import { crc32 } from 'node:zlib';
import { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, type Part, quote, type WarningHandler } from './part.js';
import { type Model, parseModel, parseRelationships } from './threeMfModel.js';
import { fromBufferPromise } from './threeMfPackages.js';
import { makeParts } from './threeMfParts.js';

const RELATIONSHIPS = '_rels/.rels';
const ENCRYPTED = 1;

/**
 * Reads a 3MF file.
 * @param maxBytes Limit of the unpacked size of all models together.
 * @throws InvalidFile
 */
export async function readThreeMf(
  bytes: Uint8Array,
  onWarning: WarningHandler,
  maxBytes: number,
  keepsDoubles = false,
): Promise<Part[]> {
  const budget = new MemoryBudget(bytes.length);
  const files = await unpackModels(bytes, budget, maxBytes);
  const relationships = files.get(RELATIONSHIPS);
  if (!relationships) throw new InvalidFile(`has no ${RELATIONSHIPS}, so it is not a 3MF file`, EXPORT_AGAIN);
  const root = parseRelationships(RELATIONSHIPS, relationships);
  const models = new Map<string, Model>();
  const modelAt = (path: string): Model => {
    let model = models.get(path);
    if (!model) {
      const text = files.get(path);
      if (!text) throw new InvalidFile(`has no model ${quote(path)}, which it refers to`, EXPORT_AGAIN);
      models.set(path, (model = parseModel(path, text, budget)));
    }
    return model;
  };
  return makeParts(modelAt(root), modelAt, models, { budget, onWarning, keepsDoubles });
}

// Returns the relationships and the models of the archive, by path.
async function unpackModels(
  bytes: Uint8Array,
  budget: MemoryBudget,
  maxBytes: number,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  let total = 0;
  try {
    const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    for await (const entry of archive.eachEntry()) {
      const { fileName, uncompressedSize, generalPurposeBitFlag } = entry;
      if (seen.has(fileName)) throw new InvalidFile(`has two entries ${quote(fileName)}`, EXPORT_AGAIN);
      seen.add(fileName);
      if (fileName !== RELATIONSHIPS && !/\.model$/i.test(fileName)) continue;
      if ((generalPurposeBitFlag & ENCRYPTED) !== 0)
        throw new InvalidFile(`${quote(fileName)} is encrypted`, 'Export the file without a password.');
      total += uncompressedSize;
      if (total > maxBytes)
        throw new InvalidFile(
          `unpacks to more than ${maxBytes} bytes, the limit for a 3MF file of ${bytes.length} bytes`,
          'Check where the file is from. If you trust it, raise the limit with --max-unpack-ratio 1000.',
        );
      budget.addFile(uncompressedSize);
      const chunks: Buffer[] = [];
      for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      const whole = Buffer.concat(chunks);
      if (crc32(whole) !== entry.crc32 >>> 0)
        throw new InvalidFile(`${quote(fileName)} has a wrong checksum`, EXPORT_AGAIN);
      files.set(fileName, whole);
    }
  } catch (error) {
    if (error instanceof InvalidFile) throw error;
    throw new InvalidFile(
      `is not a complete zip archive (${String((error as Error)?.message ?? error).split('\n')[0]})`,
      EXPORT_AGAIN,
    );
  }
  return files;
}
