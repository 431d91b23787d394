// Runs in a worker thread: reads an IFC file with web-ifc within a memory limit. The thread that started the
// worker terminates it.
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { readModel } from './ifcModel.js';
import { postOutput } from './postOutput.js';
import { checkMemory, checkMemoryAfterError, loadLibrary, reportProgress } from './readerTask.js';
import type { IfcTask } from './readIfc.js';
import type { ReaderOutput } from './watchedReader.js';
import { captureErrors, readingError } from './webIfcErrors.js';

const { bytes, skip, withProperties } = workerData as IfcTask;
const notes: ReaderOutput['notes'] = [];
const takeCapturedErrors = captureErrors();

// To import a CommonJS script, Node first scans its text for exports. For web-ifc, whose script is 6 MB long,
// this takes longer than everything else that loading takes. `require` does not scan.
const require = createRequire(import.meta.url);

void postOutput(notes, async () => {
  const library = await loadLibrary('IFC', async (): Promise<typeof import('web-ifc')> => require('web-ifc'));
  const takeErrors = (): string[] => {
    checkMemory();
    return takeCapturedErrors();
  };
  try {
    return await readModel(bytes, {
      library,
      onWarning: (message, fix) => notes.push({ message, fix }),
      onProgress: reportProgress,
      skip,
      withProperties,
      takeErrors,
    });
  } catch (error) {
    if (!(error instanceof CollisionError)) checkMemoryAfterError();
    throw readingError(error);
  }
});
