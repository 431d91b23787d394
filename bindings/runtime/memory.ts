// Allocates 64-byte aligned blocks in one WebAssembly.Memory.
import { Capacity } from '../core/errors.js';

export const PAGE_BYTES = 65536;
const ALIGNMENT = 64;
/**
 * In a memory of 4 GiB, the last 64 bytes are never allocated. A block there would end at address 2^32, which
 * kernels would read as 0.
 */
const MAX_END = 2 ** 32 - ALIGNMENT;

const roundUp = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

interface Block {
  at: number;
  bytes: number;
}

/**
 * First-fit allocator with coalescing. Views are replaced when the memory grows: read them again after each
 * allocation.
 */
export class Arena {
  readonly memory: WebAssembly.Memory;
  readonly maximumBytes: number;
  u8!: Uint8Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  /** Called when the memory has grown. If the memory is unshared, its old views are then detached. */
  onGrow: () => void = () => {};
  /** Bytes that are allocated now. */
  usedBytes = 0;
  readonly #taken = new Map<number, number>();
  private free: Block[] = [];
  // #suspect: allocated blocks to which a late or lost worker may still write. #held: such blocks that were
  // released during the quarantine; they stay allocated until it ends.
  readonly #suspect = new Set<number>();
  #held: number[] = [];
  /** Number of quarantines that have not ended. @internal */
  quarantineCount = 0;

  constructor(memory: WebAssembly.Memory, maximumPages: number) {
    this.memory = memory;
    this.maximumBytes = maximumPages * PAGE_BYTES;
    // Address 0 is never allocated: kernels read it as "none".
    this.free.push({ at: ALIGNMENT, bytes: memory.buffer.byteLength - ALIGNMENT });
    this.#refreshViews();
  }

  /**
   * Allocates at least `bytes` bytes and returns their byte address.
   * @throws Capacity if the maximum memory size does not suffice
   */
  allocate(bytes: number): number {
    const needed = Math.max(roundUp(bytes), ALIGNMENT);
    let index = this.free.findIndex(block => block.bytes >= needed);
    if (index < 0) {
      this.#grow(needed);
      index = this.free.findIndex(block => block.bytes >= needed);
    }
    const block = this.free[index];
    const at = block.at;
    if (block.bytes === needed) this.free.splice(index, 1);
    else {
      block.at += needed;
      block.bytes -= needed;
    }
    this.#taken.set(at, needed);
    this.usedBytes += needed;
    return at;
  }

  /** Releases a block; 0 is ignored. @throws RangeError for any other address that is not a block */
  release(at: number): void {
    if (at === 0) return;
    if (this.#suspect.delete(at)) {
      this.#held.push(at);
      return;
    }
    const bytes = this.#taken.get(at);
    if (bytes === undefined) throw new RangeError(`release(${at}): ${at} is not the address of a block`);
    this.#taken.delete(at);
    this.usedBytes -= bytes;
    this.#insertFree({ at, bytes });
  }

  /** Whether the engine was disposed of. If so, nothing in the arena may be used. */
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }

  sizeOf(at: number): number {
    return this.#taken.get(at) ?? 0;
  }

  /**
   * Starts a quarantine, and returns a function that ends it. Blocks that are allocated now, and released
   * during the quarantine, are not reused until all quarantines have ended.
   */
  startQuarantine(): () => void {
    this.quarantineCount++;
    for (const at of this.#taken.keys()) this.#suspect.add(at);
    for (const at of this.#held) this.#suspect.delete(at);
    return () => {
      if (--this.quarantineCount > 0) return;
      this.#suspect.clear();
      for (const at of this.#held.splice(0)) this.release(at);
    };
  }

  #insertFree(block: Block): void {
    let index = this.free.findIndex(other => other.at > block.at);
    if (index < 0) index = this.free.length;
    this.free.splice(index, 0, block);
    const next = this.free[index + 1];
    if (next && block.at + block.bytes === next.at) {
      block.bytes += next.bytes;
      this.free.splice(index + 1, 1);
    }
    const previous = this.free[index - 1];
    if (previous && previous.at + previous.bytes === block.at) {
      previous.bytes += block.bytes;
      this.free.splice(index, 1);
    }
  }

  #grow(needed: number): void {
    const before = this.memory.buffer.byteLength;
    const last = this.free.at(-1);
    const tail = last && last.at + last.bytes === before ? last.bytes : 0;
    const missing = Math.ceil((needed - tail) / PAGE_BYTES);
    // Grow by an extra quarter of the memory if possible, so that growth is rare.
    const preferred = Math.min(
      missing + Math.ceil(before / PAGE_BYTES / 4),
      Math.floor((this.maximumBytes - before) / PAGE_BYTES),
    );
    const end = before - tail + needed;
    if (
      end > MAX_END ||
      (!this.#tryGrow(preferred >= missing ? preferred : missing) && !this.#tryGrow(missing))
    ) {
      throw new Capacity(
        `memory cannot hold ${needed} more bytes: ${this.usedBytes} of at most ${this.maximumBytes} are in use`,
        'dispose of meshes, or raise maximumMemoryBytes',
        this.usedBytes + needed,
      );
    }
    this.#refreshViews();
    this.onGrow();
    this.#insertFree({ at: before, bytes: Math.min(this.memory.buffer.byteLength, MAX_END) - before });
  }

  #tryGrow(pages: number): boolean {
    if (this.memory.buffer.byteLength + pages * PAGE_BYTES > this.maximumBytes) return false;
    try {
      this.memory.grow(pages);
    } catch {
      return false;
    }
    return true;
  }

  #refreshViews(): void {
    const { buffer } = this.memory;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

/**
 * Reserves a memory that can grow to `maximumBytes`, rounded down to pages of 64 KiB (at least one page, at
 * most 4 GiB). By default, reserves the largest possible of 4, 2, 1 and 0.5 GiB.
 * @throws Capacity
 */
export function reserveMemory(
  kind: 'shared' | 'single',
  maximumBytes?: number,
): { memory: WebAssembly.Memory; maximumPages: number } {
  const sizes =
    maximumBytes === undefined
      ? [65536, 32768, 16384, 8192]
      : [Math.max(1, Math.min(65536, Math.floor(maximumBytes / PAGE_BYTES)))];
  for (const maximumPages of sizes) {
    try {
      const memory = new WebAssembly.Memory({
        initial: Math.min(16, maximumPages),
        maximum: maximumPages,
        shared: kind === 'shared',
      });
      return { memory, maximumPages };
    } catch {
      /* Try the next smaller size. */
    }
  }
  throw new Capacity(
    `no WebAssembly memory of ${sizes.at(-1)! * PAGE_BYTES} bytes could be reserved`,
    'dispose of engines, close pages, or pass a smaller maximumMemoryBytes',
    sizes.at(-1)! * PAGE_BYTES,
  );
}

/** A block that is kept between calls and replaced by a larger one on demand. */
export class GrowableBlock {
  at = 0;
  #bytes = 0;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /**
   * Ensures a capacity of `bytes` and returns the address. The contents are lost if the block is replaced.
   * @throws Capacity
   */
  reserve(bytes: number): number {
    if (bytes <= this.#bytes) return this.at;
    this.dispose();
    this.at = this.#arena.allocate(bytes);
    this.#bytes = bytes;
    return this.at;
  }

  /**
   * Ensures a capacity of `bytes` and returns the address. If a larger block is needed, copies the first `kept`
   * bytes to it.
   * @throws Capacity, with nothing changed
   */
  growKeeping(bytes: number, kept: number): number {
    return bytes <= this.#bytes ? this.at : this.replace(bytes, kept);
  }

  /**
   * Like growKeeping, but always allocates a new block, because a thread may still write to the old one.
   * Keeps the first `kept` bytes and returns the address.
   * @throws Capacity, with nothing changed
   */
  replace(bytes: number, kept: number): number {
    const arena = this.#arena;
    const at = arena.allocate(bytes);
    arena.u8.copyWithin(at, this.at, this.at + kept);
    if (this.at) arena.release(this.at);
    this.at = at;
    this.#bytes = bytes;
    return at;
  }

  dispose(): void {
    if (this.at) this.#arena.release(this.at);
    this.at = this.#bytes = 0;
  }
}
