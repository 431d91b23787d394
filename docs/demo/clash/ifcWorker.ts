// A web worker of the clash page: reads an IFC file with web-ifc. The wasm file of web-ifc must be in the
// same folder as this script.

import type { CollisionError } from 'pfront';
import * as webIfc from 'web-ifc';
import { readModel } from '../../../dist/formats/ifcModel.js';
import type { Part, Unread } from '../../../dist/formats/part.js';
import { captureErrors, readingError } from '../../../dist/formats/webIfcErrors.js';

/**
 * A message that the worker posts. While the worker reads the file, it posts the number of elements begun so
 * far. At the end, it posts the parts or an error.
 */
export type IfcMessage =
  | { begun: number }
  | { parts: Part[]; unread: Unread[] }
  | { error: { message: string; fix: string } };

// In web-ifc 0.0.78 the wasm file for pages is older than the script: the StreamMeshes function of the wasm
// file takes one argument fewer than the script passes. This class passes only the arguments that the
// function takes.
class IfcAPI extends webIfc.IfcAPI {
  override StreamMeshes(...[model, elements, take]: Parameters<webIfc.IfcAPI['StreamMeshes']>): void {
    this.wasmModule.StreamMeshes(model, elements, take);
  }
}
const library = { ...webIfc, IfcAPI };

const INTERVAL = 100;
const takeErrors = captureErrors();
const post = (message: IfcMessage): void => postMessage(message);

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  let begun = 0;
  let postedAt = 0;
  const onProgress = (): void => {
    begun++;
    if (performance.now() - postedAt < INTERVAL) return;
    postedAt = performance.now();
    post({ begun });
  };
  try {
    post(
      await readModel(data, { library, takeErrors, onProgress, onWarning: () => undefined, skip: new Map() }),
    );
  } catch (error) {
    const { message, fix }: CollisionError = readingError(error);
    post({ error: { message, fix } });
  }
};
