// Runs in a worker thread: reads an IFC file with web-ifc within a memory limit. The thread that started the
// worker terminates it.
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

void postOutput(notes, async () => {
  const library = await loadLibrary('IFC', () => import('web-ifc'));
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
