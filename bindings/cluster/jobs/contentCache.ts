// Caches the content that the tasks of a node need. Content arrives as bytes. When the bytes of a mesh are
// first used, a mesh of the engine replaces them. The least recently used entry is evicted first.
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
  usedBytes = 0;
  private readonly engine: Engine;
  private maxBytes: number;
  // In the order of last use, oldest first.
  private readonly entries = new Map<HashText, CachedContent>();

  constructor(engine: Engine, maxBytes: number) {
    this.engine = engine;
    this.maxBytes = maxBytes;
  }

  /** Protects an entry from eviction until it is released. @returns the entry, if it is cached */
  pin(hash: HashText): CachedContent | undefined {
    const entry = this.entries.get(hash);
    if (entry) entry.pins++;
    return entry;
  }

  release(hash: HashText): void {
    const entry = this.entries.get(hash);
    if (entry) entry.pins--;
    this.shrink();
  }

  /** Disposes of all meshes. Those of pinned entries are disposed of when the entries are released. */
  dispose(): void {
    this.maxBytes = 0;
    this.shrink();
  }

  put(hash: HashText, bytes: Uint8Array): void {
    if (this.entries.has(hash)) return;
    this.entries.set(hash, { bytes, mesh: undefined, size: bytes.length, pins: 0 });
    this.usedBytes += bytes.length;
  }

  bytesOf(hashes: Uint32Array, at: number): Uint8Array {
    const entry = this.use(textOf(hashes.subarray(at, at + 8)));
    if (!entry.bytes) throw new RangeError('this content is stored as a mesh, not as bytes');
    return entry.bytes;
  }

  /**
   * Returns content as a mesh. Builds the mesh and its tree at first use. @throws Malformed, InvalidMesh,
   * Capacity
   */
  meshOf(hashes: Uint32Array, at: number): Mesh {
    const hash = textOf(hashes.subarray(at, at + 8));
    const entry = this.use(hash);
    if (entry.mesh) return entry.mesh;
    const data = readMesh(entry.bytes!);
    const mesh = this.evictAndRetry(() => this.engine.createMesh(data));
    this.usedBytes += mesh.bytes - entry.size;
    [entry.mesh, entry.bytes, entry.size] = [mesh, undefined, mesh.bytes];
    return mesh;
  }

  // If memory is full, evicts all entries that are not pinned, and tries again.
  private evictAndRetry<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Capacity) || !this.shrink(0)) throw error;
      return make();
    }
  }

  private use(hash: HashText): CachedContent {
    const entry = this.entries.get(hash);
    if (!entry) throw new RangeError(`content ${hash} is not in the cache`);
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    return entry;
  }

  // @returns whether anything was evicted
  private shrink(limit = this.maxBytes): boolean {
    const before = this.usedBytes;
    for (const [hash, { pins, size, mesh }] of this.entries) {
      if (this.usedBytes <= limit) break;
      if (pins > 0) continue;
      mesh?.dispose();
      this.entries.delete(hash);
      this.usedBytes -= size;
    }
    return this.usedBytes < before;
  }
}
