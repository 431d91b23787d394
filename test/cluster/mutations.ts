// Records single-packet messages of a cluster and makes modified copies, as an eavesdropping attacker could.
// The copies are valid packets: the code that assembles messages from packets accepts them.
import type { Link, Packet } from '../../dist/cluster/link.js';
import { VERSION } from '../../dist/cluster/message.js';
import { splitMessage } from '../../dist/cluster/messageAssembler.js';
import { createRandom, type Random } from '../../dist/samples/index.js';

/** The length in bytes of a packet's header (`PART`) and of a message's heading (`HEAD`). */
const PART = 32;
const HEAD = 32;
/**
 * Max number of messages that are kept for each message kind and subject type. The subject type is the third
 * part of a subject, such as 'run'.
 */
const MAX_KEPT = 12;
const oddWords = [0, 1, 2 ** 16, 2 ** 30, 2 ** 31, 2 ** 32 - 1, 0x7fc00000, 0x7ff80000, 0x7ff00000];

export class Listener {
  private readonly heard = new Map<string, Packet[]>();

  constructor(link: Link) {
    link.subscribe('pfront.>', packet => this.keep(packet));
  }

  /** The kinds of the received messages. */
  get kinds(): Set<number> {
    return new Set([...this.heard.keys()].map(key => Number(key.split(' ')[0])));
  }

  private keep({ subject, data }: Packet): void {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (view.getUint32(12, true) !== 1) return;
    const key = `${view.getUint32(PART + 8, true)} ${subject.split('.')[2]}`;
    const packets = this.heard.get(key) ?? [];
    this.heard.set(key, packets);
    if (packets.length < MAX_KEPT) packets.push({ subject, data: new Uint8Array(data) });
  }

  /**
   * Generates an endless sequence of modified copies of recorded messages, which the seed determines. A third
   * of the copies name a run that does not exist. The others keep the run of the recorded message, which may
   * have ended or may still be in progress.
   */
  *lies(seed: number): Generator<{ subject: string; packets: Uint8Array[] }> {
    const random = createRandom(seed);
    const all = [...this.heard.values()];
    const any = (): Packet => one(random, one(random, all));
    for (;;) {
      const { subject, data } = any();
      const message = changed(random, new Uint8Array(data.subarray(PART)), any);
      yield {
        subject: random.below(10) === 0 ? any().subject : subject,
        packets: splitMessage(message, 1 << 20, random.bits()),
      };
    }
  }
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)];

function changed(random: Random, message: Uint8Array, other: () => Packet): Uint8Array {
  const way = random.below(8);
  const bodyBytes = message.length - HEAD;
  let view = new DataView(message.buffer);
  if (way <= 1 && bodyBytes > 0)
    for (let i = random.below(4); i >= 0; i--)
      message[HEAD + random.below(bodyBytes)] ^= 1 << random.below(8);
  else if (way <= 3 && bodyBytes > 0)
    view.setUint32(HEAD + 4 * random.below(bodyBytes >> 2), one(random, oddWords), true);
  else if (way === 4) message = message.slice(0, HEAD + 8 * random.below((bodyBytes >> 3) + 1));
  else if (way === 5)
    message = Uint8Array.of(...message, ...new Uint8Array(8 * (1 + random.below(9))).fill(random.below(3)));
  else if (way === 6) view.setUint32(8, new DataView(other().data.buffer).getUint32(PART + 8, true), true);
  else view.setUint32(28, random.bits(), true);
  view = new DataView(message.buffer);
  view.setUint32(4, VERSION, true);
  view.setUint32(12, message.length, true);
  if (random.below(3) === 0) for (const at of [16, 20]) view.setUint32(at, random.bits(), true);
  return message;
}
