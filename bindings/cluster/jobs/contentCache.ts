// A node's cache of content, as bytes or as meshes of its engine. The least recently used entry is evicted
// first.
import { Capacity } from '../../core/errors.js';
import type { Engine } from '../../engine/engine.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type HashText, textOf } from './content.js';
import { readMesh } from './meshContent.js';

export interface CachedContent {
  bytes: Uint8Array | undefined;
  mesh: Mesh | undefined;
  size: number;
  pins: number;
}

export class ContentCache {
  bytes = 0;
  private readonly engine: Engine;
  private readonly mostBytes: number;
  // In the order of last use, oldest first.
  private readonly kept = new Map<HashText, CachedContent>();

  constructor(engine: Engine, mostBytes: number) {
    this.engine = engine;
    this.mostBytes = mostBytes;
  }

  /** Protects an entry from eviction until it is released. @returns undefined if it is not cached */
  pin(hash: HashText): CachedContent | undefined {
    const kept = this.kept.get(hash);
    if (kept) kept.pins++;
    return kept;
  }

  release(hash: HashText): void {
    const kept = this.kept.get(hash);
    if (kept) kept.pins--;
    this.shrink();
  }

  put(hash: HashText, bytes: Uint8Array): void {
    if (this.kept.has(hash)) return;
    this.kept.set(hash, { bytes, mesh: undefined, size: bytes.length, pins: 0 });
    this.bytes += bytes.length;
  }

  bytesOf(hashes: Uint32Array, at: number): Uint8Array {
    const kept = this.use(textOf(hashes.subarray(at, at + 8)));
    if (!kept.bytes) throw new RangeError('this content is stored as a mesh, not as bytes');
    return kept.bytes;
  }

  /** Returns a mesh, and builds its tree at first use. @throws Malformed, InvalidMesh, Capacity */
  meshOf(hashes: Uint32Array, at: number): Mesh {
    const hash = textOf(hashes.subarray(at, at + 8));
    const kept = this.use(hash);
    if (kept.mesh) return kept.mesh;
    const data = readMesh(kept.bytes!);
    const mesh = this.evictAndRetry(() => this.engine.createMesh(data));
    this.bytes += mesh.bytes - kept.size;
    [kept.mesh, kept.bytes, kept.size] = [mesh, undefined, mesh.bytes];
    return mesh;
  }

  // If memory is full, evicts everything that no task needs and tries again.
  private evictAndRetry<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Capacity) || !this.shrink(0)) throw error;
      return make();
    }
  }

  private use(hash: HashText): CachedContent {
    const kept = this.kept.get(hash);
    if (!kept) throw new RangeError(`content ${hash} is not in the cache`);
    this.kept.delete(hash);
    this.kept.set(hash, kept);
    return kept;
  }

  // @returns whether anything was evicted
  private shrink(most = this.mostBytes): boolean {
    const before = this.bytes;
    for (const [hash, { pins, size, mesh }] of this.kept) {
      if (this.bytes <= most) break;
      if (pins > 0) continue;
      mesh?.dispose();
      this.kept.delete(hash);
      this.bytes -= size;
    }
    return this.bytes < before;
  }
}
