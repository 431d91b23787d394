// One WebAssembly.Memory -> an arena of 64-byte aligned blocks that TypeScript gives out and takes back.
import { Capacity } from '../core/errors.js';

export const PAGE_BYTES = 65536;
const ALIGNMENT = 64;
/** Not given out: the end of a block there would be address 2^32, which kernels read as 0. */
const LAST_BYTE = 2 ** 32 - ALIGNMENT;

const roundUp = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

interface Block {
  at: number;
  bytes: number;
}

/**
 * First-fit allocator with coalescing. Views are replaced when memory grows: read them anew, never keep them.
 */
export class Arena {
  readonly memory: WebAssembly.Memory;
  readonly maximumBytes: number;
  u8!: Uint8Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  /** Called when memory has grown: views of memory that is not shared are detached then. */
  onGrow: () => void = () => {};
  /** Bytes given out now. */
  usedBytes = 0;
  readonly #taken = new Map<number, number>();
  private free: Block[] = [];
  // While a lost worker may still write: the blocks that it knows of, and those of them that were freed
  // since.
  readonly #suspect = new Set<number>();
  #held: number[] = [];
  /** Holds of freed memory that have not ended. @internal */
  holdCount = 0;

  constructor(memory: WebAssembly.Memory, maximumPages: number) {
    this.memory = memory;
    this.maximumBytes = maximumPages * PAGE_BYTES;
    // Address 0 stays unused: kernels read it as "none".
    this.free.push({ at: ALIGNMENT, bytes: memory.buffer.byteLength - ALIGNMENT });
    this.#refreshViews();
  }

  /** @returns byte address of at least `bytes` bytes. @throws Capacity when the maximum cannot hold them. */
  allocate(bytes: number): number {
    const wanted = Math.max(roundUp(bytes), ALIGNMENT);
    let index = this.free.findIndex(block => block.bytes >= wanted);
    if (index < 0) {
      this.#grow(wanted);
      index = this.free.findIndex(block => block.bytes >= wanted);
    }
    const block = this.free[index];
    const at = block.at;
    if (block.bytes === wanted) this.free.splice(index, 1);
    else {
      block.at += wanted;
      block.bytes -= wanted;
    }
    this.#taken.set(at, wanted);
    this.usedBytes += wanted;
    return at;
  }

  /** Gives a block back; 0 is ignored. */
  release(at: number): void {
    if (at === 0) return;
    if (this.#suspect.delete(at)) {
      this.#held.push(at);
      return;
    }
    const bytes = this.#taken.get(at);
    if (bytes === undefined) throw new RangeError(`release(${at}): not the address of a block`);
    this.#taken.delete(at);
    this.usedBytes -= bytes;
    this.#insertFree({ at, bytes });
  }

  /** Whether the engine was disposed: nothing in it may be used any more. */
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }

  sizeOf(at: number): number {
    return this.#taken.get(at) ?? 0;
  }

  /**
   * Until the returned function is called, blocks given out so far are not given out again once they are
   * freed.
   */
  holdFreed(): () => void {
    this.holdCount++;
    for (const at of this.#taken.keys()) this.#suspect.add(at);
    for (const at of this.#held) this.#suspect.delete(at);
    return () => {
      if (--this.holdCount > 0) return;
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

  #grow(wanted: number): void {
    const before = this.memory.buffer.byteLength;
    const last = this.free.at(-1);
    const tail = last && last.at + last.bytes === before ? last.bytes : 0;
    const missing = Math.ceil((wanted - tail) / PAGE_BYTES);
    // A quarter more than asked, where it may be had, so that growth is rare.
    const generous = Math.min(
      missing + Math.ceil(before / PAGE_BYTES / 4),
      Math.floor((this.maximumBytes - before) / PAGE_BYTES),
    );
    const end = before - tail + wanted;
    if (
      end > LAST_BYTE ||
      (!this.#tryGrow(generous >= missing ? generous : missing) && !this.#tryGrow(missing))
    ) {
      throw new Capacity(
        `memory cannot hold ${wanted} more bytes: ${this.usedBytes} of at most ${this.maximumBytes} are in use`,
        'dispose meshes, or raise maximumMemoryBytes',
        this.usedBytes + wanted,
      );
    }
    this.#refreshViews();
    this.onGrow();
    this.#insertFree({ at: before, bytes: Math.min(this.memory.buffer.byteLength, LAST_BYTE) - before });
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

/** The largest memory this machine lets us reserve: tried at the asked size, then 4, 2, 1, 0.5 GiB. */
export function reserveMemory(
  kind: 'shared' | 'single',
  askedBytes?: number,
): { memory: WebAssembly.Memory; maximumPages: number } {
  const asked =
    askedBytes === undefined
      ? [65536, 32768, 16384, 8192]
      : [Math.max(1, Math.min(65536, Math.floor(askedBytes / PAGE_BYTES)))];
  for (const maximumPages of asked) {
    try {
      const memory = new WebAssembly.Memory({
        initial: Math.min(16, maximumPages),
        maximum: maximumPages,
        shared: kind === 'shared',
      });
      return { memory, maximumPages };
    } catch {
      /* the next smaller reservation */
    }
  }
  throw new Capacity(
    `no WebAssembly memory of ${asked.at(-1)! * PAGE_BYTES} bytes could be reserved`,
    'close other engines or pages, or pass a smaller maximumMemoryBytes',
    asked.at(-1)! * PAGE_BYTES,
  );
}

/** A block that grows by replacement and is kept between calls; contents are lost when it grows. */
export class Buffer {
  at = 0;
  #bytes = 0;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Makes room for `bytes`. @returns its address. @throws Capacity. */
  reserve(bytes: number): number {
    if (bytes <= this.#bytes) return this.at;
    this.dispose();
    this.at = this.#arena.allocate(bytes);
    this.#bytes = bytes;
    return this.at;
  }

  /** Makes room for `bytes`; the first `kept` bytes stay. @throws Capacity, with nothing changed. */
  grow(bytes: number, kept: number): number {
    return bytes <= this.#bytes ? this.at : this.replace(bytes, kept);
  }

  /**
   * The same in a block of its own, whatever the size: the old one may still be written to. @throws Capacity,
   * with nothing changed.
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
