// Posts what a worker thread has read, or the error, to the thread that started it.
import { parentPort } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { transferListOf } from './transferList.js';
import type { ReaderOutput } from './watchedReader.js';

/**
 * Posts the output of `read`, or the CollisionError that it throws. Large arrays of the parts are transferred.
 * @param notes Posted with the error if `read` throws a CollisionError.
 * @throws Any other error of `read`. In this case, nothing is posted.
 */
export async function postOutput(
  notes: ReaderOutput['notes'],
  read: () => Promise<Omit<ReaderOutput, 'notes'>>,
): Promise<void> {
  try {
    const found = await read();
    parentPort!.postMessage({ notes, ...found } satisfies ReaderOutput, transferListOf(found.parts));
  } catch (error) {
    if (!(error instanceof CollisionError)) throw error;
    parentPort!.postMessage({
      notes,
      parts: [],
      unread: [],
      error: { code: error.code, message: error.message, fix: error.fix },
    } satisfies ReaderOutput);
  }
}
