// Runs in a worker thread: reads one of several files. The thread that started the worker terminates it.
import { parentPort, workerData } from 'node:worker_threads';
import { postOutput } from './postOutput.js';
import { type FileTask, readContents } from './readFiles.js';

const { path, options } = workerData as FileTask;
const onProgress = (done: number): void => parentPort!.postMessage(done);

void postOutput([], () => readContents(path, options, onProgress));
