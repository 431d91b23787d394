// Splits messages into packets of bounded size, and reassembles them. A packet consists of a header, which
// gives the position of a part in the message, and of this part.
import { record } from '../records/record.js';
import { concatBytes } from './bytes.js';
import { Malformed, SAME_VERSION } from './errors.js';

const PacketHeader = record({
  id: ['u32', 2],
  index: 'u32',
  count: 'u32',
  bytes: 'u32',
  partBytes: 'u32',
  from: 'u32',
  unused: 'u32',
});
/** The maximum size of a message, in bytes, and the maximum number of packets into which it is split. */
export const MAX_MESSAGE_BYTES = 2 ** 28,
  MAX_MESSAGE_PARTS = 2 ** 16;

/**
 * Splits a message into packets of at most packetBytes bytes. from: the id of the sender. A receiver that
 * runs out of capacity drops messages of the sender whose incomplete messages take the most capacity.
 */
export function splitMessage(message: Uint8Array, packetBytes: number, from = 0): Uint8Array[] {
  const partBytes = packetBytes - PacketHeader.size;
  const count = Math.max(1, Math.ceil(message.length / partBytes));
  const id = crypto.getRandomValues(new Uint32Array(2));
  if (message.length > MAX_MESSAGE_BYTES || count > MAX_MESSAGE_PARTS)
    throw new RangeError(
      `a message of ${message.length} bytes in ${count} packets exceeds the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_MESSAGE_PARTS} packets`,
    );
  return Array.from({ length: count }, (_, index) => {
    const part = message.subarray(index * partBytes, (index + 1) * partBytes);
    const packet = new Uint8Array(PacketHeader.size + part.length);
    const view = new DataView(packet.buffer);
    [id[0], id[1], index, count, message.length, partBytes, from].forEach((word, i) =>
      view.setUint32(4 * i, word, true),
    );
    packet.set(part, PacketHeader.size);
    return packet;
  });
}

/** Limits on incomplete messages. */
export interface AssemblerLimits {
  /**
   * Maximum total size, in bytes, of the received parts of all incomplete messages. Messages of several
   * parts that are larger are refused, too. Default 512 MiB.
   */
  bytes?: number;
  /** The maximum number of incomplete messages. Default 4096. */
  messages?: number;
  /**
   * An incomplete message is discarded if no part of it arrives for this many milliseconds. This is checked
   * when a part of any message of several parts arrives. Default 30,000.
   */
  patience?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

interface IncompleteMessage {
  key: string;
  from: number;
  bytes: number;
  partBytes: number;
  parts: (Uint8Array | undefined)[];
  missing: number;
  heldBytes: number;
  touchedAt: number;
}

/** The total size and number of incomplete messages, of one sender or of all senders. */
interface Totals {
  bytes: number;
  messages: number;
}

/**
 * How many recently completed messages are remembered, so that a late duplicate part does not start a new
 * message.
 */
const MAX_COMPLETED_MESSAGES = 4096;

/**
 * Reassembles messages from packets. Duplicate packets of a message of several parts are ignored; a message of
 * one part is returned each time that it arrives. Memory is bounded. If capacity is needed for a new part,
 * messages of the sender whose incomplete messages take the most are discarded, beginning with the message
 * whose latest part arrived longest ago. But if the sender of the new part is another one, and would take even
 * more with this part, the message of the new part is discarded instead.
 */
export class MessageAssembler {
  /** Messages discarded because parts were missing or capacity was needed. */
  dropped = 0;
  /** Incomplete messages, in the order in which their latest parts arrived. */
  private readonly incomplete = new Map<string, IncompleteMessage>();
  private readonly senders = new Map<number, Totals>();
  private readonly completed = new Set<string>();
  private readonly totals: Totals = { bytes: 0, messages: 0 };
  private readonly limits: Required<AssemblerLimits>;

  constructor({
    bytes = 2 * MAX_MESSAGE_BYTES,
    messages = 4096,
    patience = 30_000,
    now = () => performance.now(),
  }: AssemblerLimits = {}) {
    this.limits = { bytes, messages, patience, now };
  }

  /** Adds a packet. @returns the message that it completes, if any. @throws Malformed */
  addPacket(packet: Uint8Array): Uint8Array | undefined {
    if (packet.length < PacketHeader.size)
      throw new Malformed(
        `a packet has ${packet.length} bytes, fewer than the minimum of ${PacketHeader.size}`,
        SAME_VERSION,
      );
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
    const word = (at: number): number => view.getUint32(at, true);
    const index = word(PacketHeader.at.index);
    const count = word(PacketHeader.at.count);
    const bytes = word(PacketHeader.at.bytes);
    const partBytes = word(PacketHeader.at.partBytes);
    const from = word(PacketHeader.at.from);
    const part = packet.subarray(PacketHeader.size);
    if (bytes > MAX_MESSAGE_BYTES || count > MAX_MESSAGE_PARTS)
      throw new Malformed(
        `a message has ${bytes} bytes in ${count} parts, more than the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_MESSAGE_PARTS} parts`,
        SAME_VERSION,
      );
    if (partBytes === 0 || count !== Math.max(1, Math.ceil(bytes / partBytes)) || index >= count)
      throw new Malformed(
        `the header of a packet is inconsistent: part ${index} (counted from 0) of ${count}, ${partBytes} bytes per part, in a message of ${bytes} bytes`,
        SAME_VERSION,
      );
    if (part.length !== Math.min(partBytes, bytes - index * partBytes))
      throw new Malformed(
        `part ${index} has ${part.length} bytes, not ${Math.min(partBytes, bytes - index * partBytes)}`,
        SAME_VERSION,
      );
    if (word(PacketHeader.at.unused) !== 0)
      throw new Malformed(
        `an unused word of part ${index} is ${word(PacketHeader.at.unused)}, not 0`,
        SAME_VERSION,
      );
    if (count === 1) return part;
    if (bytes > this.limits.bytes)
      throw new Malformed(
        `a message has ${bytes} bytes, more than the ${this.limits.bytes} that are accepted here`,
        SAME_VERSION,
      );
    const key = `${from} ${word(PacketHeader.at.id)} ${word(PacketHeader.at.id + 4)}`;
    this.discardLate();
    if (this.completed.has(key)) return undefined;
    const message = this.incomplete.get(key) ?? {
      key,
      from,
      bytes,
      partBytes,
      parts: Array<undefined>(count),
      missing: count,
      heldBytes: 0,
      touchedAt: 0,
    };
    if (message.bytes !== bytes || message.partBytes !== partBytes)
      throw new Malformed(
        `part ${index} gives the message size as ${bytes} bytes in parts of ${partBytes} bytes, but earlier parts gave ${message.bytes} bytes in parts of ${message.partBytes} bytes`,
        SAME_VERSION,
      );
    return this.put(message, index, part);
  }

  private put(message: IncompleteMessage, index: number, part: Uint8Array): Uint8Array | undefined {
    const { key, from, bytes } = message;
    const existing = message.parts[index];
    if (existing) {
      if (!sameBytes(existing, part))
        throw new Malformed(
          `part ${index} arrived a second time with different bytes; the first one is kept`,
          SAME_VERSION,
        );
      return undefined;
    }
    this.removeIncomplete(message);
    if (message.missing === 1) {
      this.addCompleted(key);
      message.parts[index] = part;
      return concatBytes(message.parts as Uint8Array[]);
    }
    if (
      !this.freeCapacity('messages', from, 1) ||
      !this.freeCapacity('bytes', from, message.heldBytes + part.length)
    )
      throw new Malformed(
        `an incomplete message of ${bytes} bytes is dropped: with part ${index}, its sender would take the most capacity of all senders on this node`,
        "check the network: parts of this sender's messages do not arrive",
      );
    // Copies the part, because the packet is valid only during this call. Adding the message again moves it to
    // the end of `incomplete`, because a part has just arrived.
    message.parts[index] = Uint8Array.prototype.slice.call(part);
    message.missing--;
    message.heldBytes += part.length;
    message.touchedAt = this.limits.now();
    this.addIncomplete(message);
    return undefined;
  }

  private addIncomplete(message: IncompleteMessage): void {
    this.incomplete.set(message.key, message);
    this.addToTotals(message, 1);
  }

  private removeIncomplete(message: IncompleteMessage): void {
    if (this.incomplete.delete(message.key)) this.addToTotals(message, -1);
  }

  private addToTotals({ from, heldBytes }: IncompleteMessage, sign: 1 | -1): void {
    const senderTotals = this.senders.get(from) ?? { bytes: 0, messages: 0 };
    for (const totals of [senderTotals, this.totals]) {
      totals.bytes += sign * heldBytes;
      totals.messages += sign;
    }
    if (senderTotals.messages === 0) this.senders.delete(from);
    else this.senders.set(from, senderTotals);
  }

  private addCompleted(key: string): void {
    this.completed.add(key);
    if (this.completed.size > MAX_COMPLETED_MESSAGES)
      this.completed.delete(this.completed.keys().next().value!);
  }

  private discardLate(): void {
    for (const message of this.incomplete.values()) {
      if (this.limits.now() - message.touchedAt < this.limits.patience) return;
      this.dropped++;
      this.removeIncomplete(message);
    }
  }

  // Frees capacity: discards messages of the sender that takes the most, beginning with the message whose
  // latest part arrived longest ago, until `needed` is free, and returns true. Returns false if there is
  // nothing to discard. Also returns false if `from` does not take the most, but would with `needed`: the
  // message of the new part is then dropped.
  private freeCapacity(resource: keyof Totals, from: number, needed: number): boolean {
    while (this.totals[resource] + needed > this.limits[resource]) {
      const [sender, largest] = this.largestSender(resource);
      const own = this.senders.get(from)?.[resource] ?? 0;
      this.dropped++;
      if (sender === undefined || (sender !== from && own + needed > largest)) return false;
      this.removeIncomplete(this.oldestOf(sender));
    }
    return true;
  }

  private largestSender(resource: keyof Totals): [from: number | undefined, largest: number] {
    let from: number | undefined;
    let largest = -1;
    for (const [sender, totals] of this.senders)
      if (totals[resource] > largest) [from, largest] = [sender, totals[resource]];
    return [from, largest];
  }

  private oldestOf(sender: number): IncompleteMessage {
    for (const message of this.incomplete.values()) if (message.from === sender) return message;
    throw new RangeError('a sender without messages');
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
