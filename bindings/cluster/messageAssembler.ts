// Splits messages into packets of bounded size, and reassembles them. A packet consists of a header and a
// fragment of the message. The header gives the position of the fragment in the message.
import { record } from '../records/record.js';
import { concatBytes } from './bytes.js';
import { Malformed, SAME_VERSION } from './errors.js';

const PacketHeader = record({
  id: ['u32', 2],
  index: 'u32',
  count: 'u32',
  bytes: 'u32',
  fragmentBytes: 'u32',
  from: 'u32',
  unused: 'u32',
});
/** The maximum size of a message, in bytes, and the maximum number of packets into which it is split. */
export const MAX_MESSAGE_BYTES = 2 ** 28,
  MAX_FRAGMENTS = 2 ** 16;

/**
 * Splits a message into packets of at most packetBytes bytes. from: the id of the sender. A receiver counts the
 * capacity that each sender takes, so that it can drop messages of the sender that takes the most.
 */
export function splitMessage(message: Uint8Array, packetBytes: number, from = 0): Uint8Array[] {
  const fragmentBytes = packetBytes - PacketHeader.size;
  const count = Math.max(1, Math.ceil(message.length / fragmentBytes));
  const id = crypto.getRandomValues(new Uint32Array(2));
  if (message.length > MAX_MESSAGE_BYTES || count > MAX_FRAGMENTS)
    throw new RangeError(
      `a message of ${message.length} bytes in ${count} packets exceeds the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_FRAGMENTS} packets`,
    );
  return Array.from({ length: count }, (_, index) => {
    const fragment = message.subarray(index * fragmentBytes, (index + 1) * fragmentBytes);
    const packet = new Uint8Array(PacketHeader.size + fragment.length);
    const view = new DataView(packet.buffer);
    [id[0], id[1], index, count, message.length, fragmentBytes, from].forEach((word, i) =>
      view.setUint32(4 * i, word, true),
    );
    packet.set(fragment, PacketHeader.size);
    return packet;
  });
}

/** Limits on incomplete messages. */
export interface AssemblerLimits {
  /**
   * Maximum total size, in bytes, of the received fragments of all incomplete messages. A single message of
   * several fragments is also refused if it is larger than this. Default 512 MiB.
   */
  bytes?: number;
  /** The maximum number of incomplete messages. Default 4096. */
  messages?: number;
  /**
   * An incomplete message is discarded if no fragment of it arrives for this many milliseconds. This is checked
   * each time a packet with only a part of a message arrives. Default 30,000.
   */
  patience?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

interface IncompleteMessage {
  key: string;
  from: number;
  bytes: number;
  fragmentBytes: number;
  fragments: (Uint8Array | undefined)[];
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
 * How many recently completed messages are remembered, so that a late duplicate fragment does not start a new
 * message.
 */
const MAX_COMPLETED_MESSAGES = 4096;

/**
 * Reassembles messages from packets. Duplicate packets of a message of several fragments are ignored; a message
 * of one fragment is returned each time that it arrives. Memory is bounded. If capacity is needed for a new
 * fragment, the sender whose incomplete messages take the most capacity loses messages, beginning with the
 * message whose latest fragment arrived longest ago. There is one exception: if the new fragment comes from
 * another sender, and with this fragment that sender would take the most, the message of the new fragment is
 * discarded instead.
 */
export class MessageAssembler {
  /** Messages discarded because fragments were missing or capacity was needed. */
  dropped = 0;
  /** Incomplete messages, in the order in which their latest fragments arrived. */
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
    const fragmentBytes = word(PacketHeader.at.fragmentBytes);
    const from = word(PacketHeader.at.from);
    const fragment = packet.subarray(PacketHeader.size);
    if (bytes > MAX_MESSAGE_BYTES || count > MAX_FRAGMENTS)
      throw new Malformed(
        `a message has ${bytes} bytes in ${count} fragments, more than the maximum of ${MAX_MESSAGE_BYTES} bytes in ${MAX_FRAGMENTS} fragments`,
        SAME_VERSION,
      );
    if (fragmentBytes === 0 || count !== Math.max(1, Math.ceil(bytes / fragmentBytes)) || index >= count)
      throw new Malformed(
        `the header of a packet is inconsistent: fragment ${index} (counted from 0) of ${count}, ${fragmentBytes} bytes per fragment, in a message of ${bytes} bytes`,
        SAME_VERSION,
      );
    if (fragment.length !== Math.min(fragmentBytes, bytes - index * fragmentBytes))
      throw new Malformed(
        `fragment ${index} has ${fragment.length} bytes, not ${Math.min(fragmentBytes, bytes - index * fragmentBytes)}`,
        SAME_VERSION,
      );
    if (word(PacketHeader.at.unused) !== 0)
      throw new Malformed(
        `an unused word of fragment ${index} is ${word(PacketHeader.at.unused)}, not 0`,
        SAME_VERSION,
      );
    if (count === 1) return fragment;
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
      fragmentBytes,
      fragments: Array<undefined>(count),
      missing: count,
      heldBytes: 0,
      touchedAt: 0,
    };
    if (message.bytes !== bytes || message.fragmentBytes !== fragmentBytes)
      throw new Malformed(
        `fragment ${index} gives the message size as ${bytes} bytes in fragments of ${fragmentBytes} bytes, but earlier fragments gave ${message.bytes} bytes in fragments of ${message.fragmentBytes} bytes`,
        SAME_VERSION,
      );
    return this.put(message, index, fragment);
  }

  private put(message: IncompleteMessage, index: number, fragment: Uint8Array): Uint8Array | undefined {
    const { key, from, bytes } = message;
    const existing = message.fragments[index];
    if (existing) {
      if (!sameBytes(existing, fragment))
        throw new Malformed(
          `fragment ${index} arrived a second time with different bytes; the first one is kept`,
          SAME_VERSION,
        );
      return undefined;
    }
    this.removeIncomplete(message);
    if (message.missing === 1) {
      this.addCompleted(key);
      message.fragments[index] = fragment;
      return concatBytes(message.fragments as Uint8Array[]);
    }
    if (
      !this.freeCapacity('messages', from, 1) ||
      !this.freeCapacity('bytes', from, message.heldBytes + fragment.length)
    )
      throw new Malformed(
        `an incomplete message of ${bytes} bytes is dropped: with fragment ${index}, its sender would take the most capacity of all senders on this node`,
        "check the network: fragments of this sender's messages do not arrive",
      );
    // Copies the fragment, because the packet is valid only during this call. The message was removed above;
    // adding it again puts it at the end of `incomplete`, which is ordered by the times of the latest
    // fragments.
    message.fragments[index] = Uint8Array.prototype.slice.call(fragment);
    message.missing--;
    message.heldBytes += fragment.length;
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

  // Frees capacity until `needed` is free, and returns true. Discards messages of the sender that takes the
  // most capacity, beginning with the message whose latest fragment arrived longest ago. Returns false if there
  // is nothing to discard, or if another sender takes the most now, but `from` would take more with `needed`.
  // The caller then drops the message of the new fragment.
  private freeCapacity(resource: keyof Totals, from: number, needed: number): boolean {
    while (this.totals[resource] + needed > this.limits[resource]) {
      const [sender, maxAmount] = this.largestSender(resource);
      const own = this.senders.get(from)?.[resource] ?? 0;
      this.dropped++;
      if (sender === undefined || (sender !== from && own + needed > maxAmount)) return false;
      this.removeIncomplete(this.oldestOf(sender));
    }
    return true;
  }

  private largestSender(resource: keyof Totals): [from: number | undefined, maxAmount: number] {
    let from: number | undefined;
    let maxAmount = -1;
    for (const [sender, totals] of this.senders)
      if (totals[resource] > maxAmount) [from, maxAmount] = [sender, totals[resource]];
    return [from, maxAmount];
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
