// Cuts messages into packets of bounded size, and reassembles them. Each packet has a header that gives its
// place in the message.
import { record } from '../records/record.js';
import { concatBytes } from './bytes.js';
import { Malformed, SAME_VERSION } from './errors.js';

const Part = record({
  id: ['u32', 2],
  index: 'u32',
  count: 'u32',
  bytes: 'u32',
  partBytes: 'u32',
  from: 'u32',
  unused: 'u32',
});
/** The maximum size of a message, bytes, and the maximum number of its parts. */
export const MAX_MESSAGE_BYTES = 2 ** 28,
  MAX_MESSAGE_PARTS = 2 ** 16;

/**
 * Cuts a message into packets of at most packetBytes bytes. from: the sender; receivers share their capacity
 * fairly between senders.
 */
export function splitMessage(message: Uint8Array, packetBytes: number, from = 0): Uint8Array[] {
  const partBytes = packetBytes - Part.size;
  const count = Math.max(1, Math.ceil(message.length / partBytes));
  const id = crypto.getRandomValues(new Uint32Array(2));
  if (message.length > MAX_MESSAGE_BYTES || count > MAX_MESSAGE_PARTS)
    throw new RangeError(
      `a message of ${message.length} bytes in ${count} packets exceeds the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_MESSAGE_PARTS}`,
    );
  return Array.from({ length: count }, (_, index) => {
    const part = message.subarray(index * partBytes, (index + 1) * partBytes);
    const packet = new Uint8Array(Part.size + part.length);
    const view = new DataView(packet.buffer);
    [id[0], id[1], index, count, message.length, partBytes, from].forEach((word, i) =>
      view.setUint32(4 * i, word, true),
    );
    packet.set(part, Part.size);
    return packet;
  });
}

/** Limits on incomplete messages. */
interface PartsLimits {
  /** The maximum bytes kept. Default 512 MiB. */
  bytes?: number;
  /** The maximum number of messages. Default 4096. */
  messages?: number;
  /** Milliseconds after its last part at which an incomplete message is discarded. Default 30,000. */
  patience?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

interface Waiting {
  key: string;
  from: number;
  bytes: number;
  partBytes: number;
  parts: (Uint8Array | undefined)[];
  missing: number;
  heldBytes: number;
  touchedAt: number;
}

/** The totals of incomplete messages, of one sender or of all. */
interface Held {
  bytes: number;
  messages: number;
}

/**
 * How many recently completed messages are remembered, so that a late duplicate part does not start a new
 * message.
 */
const MAX_KNOWN_MESSAGES = 4096;

/**
 * Reassembles messages from packets; a duplicate packet counts once. Memory is bounded: the sender with the
 * most incomplete data loses its messages first.
 */
export class MessageAssembler {
  /** Messages discarded because parts were missing or capacity was needed. */
  dropped = 0;
  /** Incomplete messages, in the order of their last parts. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly senders = new Map<number, Held>();
  private readonly known = new Set<string>();
  private readonly held: Held = { bytes: 0, messages: 0 };
  private readonly limits: Required<PartsLimits>;

  constructor({
    bytes = 2 * MAX_MESSAGE_BYTES,
    messages = 4096,
    patience = 30_000,
    now = () => performance.now(),
  }: PartsLimits = {}) {
    this.limits = { bytes, messages, patience, now };
  }

  /** Adds a packet. @returns the message that it completes, if any. @throws Malformed */
  addPacket(packet: Uint8Array): Uint8Array | undefined {
    if (packet.length < Part.size)
      throw new Malformed(
        `a packet has ${packet.length} bytes, fewer than the minimum of ${Part.size}`,
        SAME_VERSION,
      );
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
    const word = (at: number): number => view.getUint32(at, true);
    const index = word(Part.at.index);
    const count = word(Part.at.count);
    const bytes = word(Part.at.bytes);
    const partBytes = word(Part.at.partBytes);
    const from = word(Part.at.from);
    const part = packet.subarray(Part.size);
    if (bytes > MAX_MESSAGE_BYTES || count > MAX_MESSAGE_PARTS)
      throw new Malformed(
        `a message has ${bytes} bytes in ${count} parts, more than the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_MESSAGE_PARTS} parts`,
        SAME_VERSION,
      );
    if (partBytes === 0 || count !== Math.max(1, Math.ceil(bytes / partBytes)) || index >= count)
      throw new Malformed(
        `part ${index} of ${count} parts of ${partBytes} bytes does not fit a message of ${bytes} bytes`,
        SAME_VERSION,
      );
    if (part.length !== Math.min(partBytes, bytes - index * partBytes))
      throw new Malformed(
        `part ${index} has ${part.length} bytes, not ${Math.min(partBytes, bytes - index * partBytes)}`,
        SAME_VERSION,
      );
    if (word(Part.at.unused) !== 0)
      throw new Malformed(`an unused word of part ${index} is ${word(Part.at.unused)}, not 0`, SAME_VERSION);
    if (count === 1) return part;
    const key = `${from} ${word(Part.at.id)} ${word(Part.at.id + 4)}`;
    this.giveUpLate();
    if (this.known.has(key)) return undefined;
    const whole = this.waiting.get(key) ?? {
      key,
      from,
      bytes,
      partBytes,
      parts: Array<undefined>(count),
      missing: count,
      heldBytes: 0,
      touchedAt: 0,
    };
    if (whole.bytes !== bytes || whole.partBytes !== partBytes)
      throw new Malformed(
        `part ${index} belongs to a message of ${bytes} bytes in parts of ${partBytes}, but earlier parts to one of ${whole.bytes} bytes in parts of ${whole.partBytes}`,
        SAME_VERSION,
      );
    return this.put(whole, index, part);
  }

  private put(whole: Waiting, index: number, part: Uint8Array): Uint8Array | undefined {
    const { key, from, bytes } = whole;
    const there = whole.parts[index];
    if (there) {
      if (!sameBytes(there, part))
        throw new Malformed(
          `part ${index} arrived a second time with different bytes; the first one is kept`,
          SAME_VERSION,
        );
      return undefined;
    }
    this.forget(whole);
    if (whole.missing === 1) {
      this.remember(key);
      whole.parts[index] = part;
      return concatBytes(whole.parts as Uint8Array[]);
    }
    if (!this.makeRoom('messages', from, 1) || !this.makeRoom('bytes', from, whole.heldBytes + part.length))
      throw new Malformed(
        `part ${index} of a message of ${bytes} bytes is dropped: its sender has the most incomplete data on this node`,
        'check the network: the rest of its messages does not arrive',
      );
    // Copied, since the packet may be part of a larger buffer. Inserted again at the end of the order, since
    // the message made progress.
    whole.parts[index] = Uint8Array.prototype.slice.call(part);
    whole.missing--;
    whole.heldBytes += part.length;
    whole.touchedAt = this.limits.now();
    this.keep(whole);
    return undefined;
  }

  private keep(whole: Waiting): void {
    this.waiting.set(whole.key, whole);
    this.count(whole, 1);
  }

  private forget(whole: Waiting): void {
    if (this.waiting.delete(whole.key)) this.count(whole, -1);
  }

  private count({ from, heldBytes }: Waiting, times: 1 | -1): void {
    const sender = this.senders.get(from) ?? { bytes: 0, messages: 0 };
    for (const held of [sender, this.held]) {
      held.bytes += times * heldBytes;
      held.messages += times;
    }
    if (sender.messages === 0) this.senders.delete(from);
    else this.senders.set(from, sender);
  }

  private remember(key: string): void {
    this.known.add(key);
    if (this.known.size > MAX_KNOWN_MESSAGES) this.known.delete(this.known.keys().next().value!);
  }

  private giveUpLate(): void {
    for (const whole of this.waiting.values()) {
      if (this.limits.now() - whole.touchedAt < this.limits.patience) return;
      this.dropped++;
      this.forget(whole);
    }
  }

  // Discards the stalest message of the sender with the most incomplete data. A sender that would itself have
  // more than all others gets no capacity.
  private makeRoom(what: keyof Held, from: number, needed: number): boolean {
    while (this.held[what] + needed > this.limits[what]) {
      const [worst, most] = this.greatest(what);
      const own = this.senders.get(from)?.[what] ?? 0;
      this.dropped++;
      if (worst === undefined || (worst !== from && own + needed > most)) return false;
      this.forget(this.oldestOf(worst));
    }
    return true;
  }

  private greatest(what: keyof Held): [from: number | undefined, most: number] {
    let from: number | undefined;
    let most = -1;
    for (const [sender, held] of this.senders) if (held[what] > most) [from, most] = [sender, held[what]];
    return [from, most];
  }

  private oldestOf(sender: number): Waiting {
    for (const whole of this.waiting.values()) if (whole.from === sender) return whole;
    throw new RangeError('a sender without messages');
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
