// Runs in a worker thread: reads a STEP or IGES file with occt-import-js within a memory limit. The thread that
// started the worker terminates it.
import { workerData } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { readCadModel } from './cadModel.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';
import { postOutput } from './postOutput.js';
import type { CadTask } from './readCad.js';
import { checkMemory, checkMemoryAfterError, loadLibrary, reportProgress } from './readerTask.js';

const { bytes, format, deflection, keepsDoubles, wasm } = workerData as CadTask;
const printed: string[] = [];
const print = (line: string): void => void printed.push(line);

const instantiate =
  (wasm: WebAssembly.Module) =>
  (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void): object => {
    const instance = new WebAssembly.Instance(wasm, imports);
    onInstance(instance);
    return instance.exports;
  };

void postOutput([], async () => {
  const { default: load } = await loadLibrary('STEP and IGES', () => import('occt-import-js'));
  try {
    return readCadModel(bytes, format, {
      occt: await load({ print, printErr: print, ...(wasm && { instantiateWasm: instantiate(wasm) }) }),
      deflection,
      keepsDoubles,
      onProgress: () => reportProgress(0),
      takeErrors: () => {
        checkMemory();
        return printed
          .filter(line => /\b(ERR|FAIL)\b/i.test(line))
          .map(line => line.replace(/^[*\s]+|[*\s]+$/g, ''));
      },
    });
  } catch (error) {
    if (error instanceof CollisionError) throw error;
    checkMemoryAfterError();
    throw new InvalidFile(
      `occt-import-js cannot read the file (${String((error as Error)?.message ?? error).split('\n')[0]})`,
      EXPORT_AGAIN,
    );
  }
});
