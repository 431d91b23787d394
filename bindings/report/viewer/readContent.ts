// Reads the content of the report from the compressed data blocks of the page. Each block is removed from the
// page when it has been read, so that the page does not keep a second copy of the data in memory.
import { CONTACT_ARRAYS, type ContactArrays, type SceneContent, type SceneHeader } from '../content.js';
import { ByteReader } from './byteReader.js';

/**
 * Reads and decompresses the content of the report.
 *
 * @param onProgress - Receives the percentage that is done, 0 to 100, whenever it has changed.
 * @throws If the page is incomplete or the browser cannot decompress it.
 */
export async function readContent(onProgress: (done: number) => void): Promise<SceneContent> {
  const reader = new ByteReader(
    packedBlocks().pipeThrough(
      new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>,
    ),
  );
  const [headerBytes] = new Uint32Array(await reader.take(4));
  const header: SceneHeader = JSON.parse(new TextDecoder().decode(await reader.take(headerBytes)));
  const total = numberCount(header);
  let done = 0;
  let percent = -1;
  // There may be 50,000 short arrays, so the progress is reported only if its text changes.
  const numbers = async (count: number): Promise<ArrayBuffer> => {
    const buffer = await reader.take(4 * count);
    done += count;
    if (Math.floor((100 * done) / total) > percent) {
      percent = Math.floor((100 * done) / total);
      onProgress(percent);
    }
    return buffer;
  };
  const meshes: SceneContent['meshes'] = [];
  const contacts: SceneContent['contacts'] = [];
  for (const { positions, indices } of header.meshes) {
    meshes.push({
      positions: new Float32Array(await numbers(positions)),
      indices: new Uint32Array(await numbers(indices)),
    });
  }
  for (const clash of header.clashes) {
    const contact: Partial<Record<keyof ContactArrays, Uint32Array | Float32Array>> = {};
    for (const name of CONTACT_ARRAYS) {
      const buffer = clash[name] === 0 ? new ArrayBuffer(0) : await numbers(clash[name]);
      contact[name] = name === 'lineLengths' ? new Uint32Array(buffer) : new Float32Array(buffer);
    }
    contacts.push(contact as ContactArrays);
  }
  const doubles: Float64Array[] = [];
  for (const length of header.doubles ?? []) doubles.push(new Float64Array(await numbers(2 * length)));
  return { header, meshes, contacts, doubles };
}

/** Returns how many 4-byte numbers follow the header. */
export function numberCount({ meshes, clashes, doubles = [] }: SceneHeader): number {
  const ofMeshes = meshes.reduce((sum, { positions, indices }) => sum + positions + indices, 0);
  const ofContacts = clashes.reduce(
    (total, clash) => CONTACT_ARRAYS.reduce((sum, name) => sum + clash[name], total),
    0,
  );
  return ofMeshes + ofContacts + 2 * doubles.reduce((sum, length) => sum + length, 0);
}

function packedBlocks(): ReadableStream<Uint8Array> {
  const blocks = [...document.querySelectorAll('script.data')];
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const block = blocks[next++];
      if (!block) return controller.close();
      const text = atob(block.textContent ?? '');
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
      controller.enqueue(bytes);
      block.remove();
    },
  });
}
