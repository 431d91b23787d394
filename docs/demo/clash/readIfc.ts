// Reads an IFC file in a worker, so that the page stays responsive and the reading can be aborted.
import { mat4d } from 'wgpu-matrix';
import type { IfcMessage } from './ifcWorker.js';
import type { Part } from './parts.js';

/**
 * A column-major matrix that converts coordinates from z up (IFC files, samples) to y up (the clash page).
 */
export const Z_TO_Y_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];

export interface IfcResult {
  parts: Part[];
  /** Names of the elements that could not be read, each with the reason. */
  unread: string[];
}

/**
 * Reads an IFC file from its bytes. Each element of the file becomes a part.
 *
 * @param onProgress Called with the number of elements begun so far.
 * @throws Error with a message for the user; AbortError if `signal` aborts
 */
export async function readIfc(
  bytes: ArrayBuffer,
  onProgress: (begun: number) => void,
  signal: AbortSignal,
): Promise<IfcResult> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('ifcWorker.js', import.meta.url), { type: 'module' });
  return new Promise<IfcResult>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onerror = ({ message }) => reject(new Error(message || 'web-ifc could not be loaded'));
    worker.onmessage = ({ data }: MessageEvent<IfcMessage>) => {
      if ('begun' in data) onProgress(data.begun);
      else if ('error' in data) reject(new Error(`${data.error.message}. ${data.error.fix}`));
      else
        resolve({
          parts: data.parts.map(({ name, positions, indices, transform }) => ({
            name,
            mesh: { positions, indices },
            transform: mat4d.multiply(Z_TO_Y_UP, transform),
          })),
          unread: data.unread.map(({ name, reason }) => `${name} ${reason}`),
        });
    };
    worker.postMessage(new Uint8Array(bytes));
  }).finally(() => worker.terminate());
}
