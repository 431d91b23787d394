// Lets tests in Node use the GPU of a page in Chromium. RemoteGpu has the same methods as the GPU objects in
// Node, so that the same checks run on both.

import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import type { GpuQueryAnswer, GpuQueryOptions } from '../../dist/gpu/gpuQueries.js';
import type { Mesh } from '../../dist/index.js';
import type { PlacedMeshes } from '../../dist/mesh/pairWriter.js';
import { dataTest } from '../support/data.js';
import type { DeformingSweep } from '../support/gpuMeshes.js';
import type { FeatureSweep } from '../support/gpuSweep.js';
import type { FindBoxes, QueryRunner, TestTriangles } from '../support/gpuTruth.js';
import { chromiumPath, closeBrowser, type OpenPage, openPage, pageTest, root } from '../support/pages.js';
import { test } from '../support/test.js';
import type { PageGpu } from './pageGpu.js';

declare const pageGpu: PageGpu;

const html =
  '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
// Results are sent to Node as text. Only byte arrays have a fast conversion to text, so this script adds it
// to the other typed arrays.
const script = `for (const Kind of [Uint32Array, Float32Array, Float64Array]) {
  Kind.prototype.toBase64 = function () { return new Uint8Array(this.buffer, this.byteOffset, this.byteLength).toBase64(); };
}
const { startPageGpu } = await import('/pageGpu.js');
globalThis.pageGpu = await startPageGpu();`;

// Bundles the tests' own sources; the package itself is loaded from the server.
async function bundled(): Promise<string> {
  const {
    outputFiles: [file],
  } = await build({
    entryPoints: [`${root}test/browser/pageGpu.ts`],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'the package',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/dist\// }, ({ path }) => ({
            path: path.slice(path.indexOf('/dist/')),
            external: true,
          })),
      },
    ],
  });
  return file!.text;
}

export class RemoteGpu {
  readonly queries: QueryRunner = { query: (pairs, options) => this.runQuery(pairs, options) };
  readonly features: FeatureSweep = {
    sweepFeatures: (...parameters) => this.call('sweepFeatures', ...parameters),
    contactTimes: (...parameters) => this.call('contactTimes', ...parameters),
    filter: (...parameters) => this.call('filter', ...parameters),
  };
  readonly moving: DeformingSweep = {
    deform: async (mesh, from, to, how) =>
      this.call('deform', await this.numberOf(mesh), Float64Array.from(from), Float64Array.from(to), how),
  };
  readonly findBoxes: FindBoxes = (boxes, options) => this.call('findBoxes', boxes, options);
  readonly testTriangles: TestTriangles = corners => this.call('testTriangles', corners);
  private readonly opened: OpenPage;
  /** For each mesh in Node: the number of its copy in the page. */
  private readonly meshes = new Map<Mesh, number>();
  private count = 0;

  private constructor(opened: OpenPage) {
    this.opened = opened;
  }

  static async open(): Promise<RemoteGpu> {
    const opened = await openPage(
      { hasGpu: true, made: { '/page.html': html, '/page.js': script, '/pageGpu.js': await bundled() } },
      '/page.html',
    );
    await opened.page.waitForFunction('globalThis.pageGpu');
    return new RemoteGpu(opened);
  }

  get errors(): readonly string[] {
    return this.opened.errors;
  }

  close(): Promise<void> {
    return this.opened.close();
  }

  private call<Name extends keyof PageGpu>(
    name: Name,
    ...parameters: Parameters<PageGpu[Name]>
  ): Promise<Awaited<ReturnType<PageGpu[Name]>>> {
    return this.opened.page.evaluate(
      ([method, values]) =>
        (pageGpu[method as Name] as (...all: unknown[]) => unknown)(...(values as unknown[])),
      [name, parameters] as const,
    ) as never;
  }

  private async runQuery(pairs: readonly PlacedMeshes[], options?: GpuQueryOptions): Promise<GpuQueryAnswer> {
    for (const [mesh, id] of this.meshes) {
      if (!mesh.isDisposed) continue;
      this.meshes.delete(mesh);
      await this.call('drop', id);
    }
    const numbers: { a: number; b: number; placed: Omit<PlacedMeshes, 'a' | 'b'> }[] = [];
    for (const { a, b, ...placed } of pairs)
      numbers.push({ a: await this.numberOf(a), b: await this.numberOf(b), placed });
    return this.call('query', numbers, options);
  }

  private async numberOf(mesh: Mesh): Promise<number> {
    const known = this.meshes.get(mesh);
    if (known !== undefined) return known;
    const id = this.count++;
    await this.call('load', id, mesh.serialize());
    this.meshes.set(mesh, id);
    return id;
  }
}

let opened: Promise<RemoteGpu> | undefined;

/**
 * Registers a test that uses published data and runs on the GPU of a page. All tests of a file share one
 * page. Without Chromium or these data, the test is skipped, and its name is printed.
 */
export function remoteTest(name: string, use: (gpu: RemoteGpu) => Promise<void>): void {
  (chromiumPath ? dataTest : pageTest)(name, async () => {
    const startedAt = performance.now();
    const gpu = await (opened ??= RemoteGpu.open());
    await use(gpu);
    assert.equal(gpu.errors, []);
    console.log(`\ncounted: in Chromium: ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  });
}

test.after(async () => {
  await (await opened)?.close();
  await closeBrowser();
});
