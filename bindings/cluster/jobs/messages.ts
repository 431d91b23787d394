// What coordinators and nodes say to each other about jobs: codes 100 to 199.
import { messageKind } from '../message.js';

/** Most tasks that one message names. */
const MOST_TASKS = 1 << 16;
/** Words of a hash of content. */
export const HASH_WORDS = 8;
/** Pieces that are asked for at a time; bytes of one. */
const MOST_PIECES = 64;
export const LEAST_PIECE = 64,
  MOST_PIECE = 2 ** 20;

/**
 * Coordinator to all: the run of the heading wants nodes. Said again while it lasts. keeps: whether results
 * stay with the nodes that find them.
 */
export const Open = messageKind('Open', 100, { waiting: 'u32', keeps: 'u32' }, {});

/**
 * Node to coordinator: what it has, and how many more tasks it would take. The heading's step is a serial
 * number: later ones count; heard is the last grant's.
 */
export const Want = messageKind(
  'Want',
  101,
  { slots: 'u32', heard: 'u32', isLeaving: 'u32' },
  { holds: 'u32' },
  ({ slots, holds }) => tooMany(slots + holds.length),
);

/**
 * Coordinator to node: tasks of one kind, and tasks that it need not hold any more. The heading's step counts
 * what went to this node. Body i is bytes offsets[i] to offsets[i + 1] of bodies.
 */
export const Grant = messageKind(
  'Grant',
  102,
  { taskKind: 'u32' },
  { settled: 'u32', tasks: 'u32', offsets: 'u32', bodies: 'u8' },
  ({ settled, tasks, offsets, bodies }) =>
    wrongBodies(tasks, offsets, bodies) ?? tooMany(settled.length + tasks.length),
);

/** Node to coordinator: results of tasks, or where isStored is 1 their hashes. With them what Want tells. */
export const Finished = messageKind(
  'Finished',
  103,
  { slots: 'u32', heard: 'u32' },
  { holds: 'u32', tasks: 'u32', isStored: 'u8', offsets: 'u32', bodies: 'u8' },
  ({ slots, holds, tasks, isStored, offsets, bodies }) => {
    if (isStored.length !== tasks.length) return `${isStored.length} flags for ${tasks.length} tasks`;
    const wrong = wrongBodies(tasks, offsets, bodies) ?? tooMany(slots + holds.length + tasks.length);
    return (
      wrong ??
      (isStored.some((flag, i) => flag > 1 || (flag === 1 && offsets[i + 1] - offsets[i] !== 4 * HASH_WORDS))
        ? 'a result that is no hash'
        : undefined)
    );
  },
);

/**
 * Node to coordinator: a task failed, and how: texts in UTF-8; missing: tasks whose results it needs and
 * nobody gave. With it what Want tells.
 */
export const Failed = messageKind(
  'Failed',
  104,
  { task: 'u32', slots: 'u32', heard: 'u32', neededBytes: 'f64' },
  { holds: 'u32', missing: 'u32', code: 'u8', text: 'u8', fix: 'u8' },
  ({ slots, holds, missing, neededBytes }) =>
    neededBytes >= 0 && neededBytes <= Number.MAX_SAFE_INTEGER
      ? tooMany(slots + holds.length + missing.length)
      : `${neededBytes} needed bytes`,
);

/** Coordinator to nodes: the run has ended, whatever comes of it is for nobody. */
export const Over = messageKind('Over', 105, {}, {});

/**
 * Who has not to who has: `count` pieces of pieceBytes of a block, from piece `first` on. name: 8 words are
 * the hash of content; fewer are a task and what of its result, or what the coordinator shares. viaRun:
 * whether the answer goes to the run's subject; else to the asker's.
 */
export const Ask = messageKind(
  'Ask',
  106,
  { ticket: 'u32', first: 'u32', count: 'u32', pieceBytes: 'u32', viaRun: 'u32' },
  { name: 'u32' },
  ({ count, pieceBytes, name }) => {
    if (count === 0 || count > MOST_PIECES) return `${count} pieces`;
    if (pieceBytes < LEAST_PIECE || pieceBytes > MOST_PIECE) return `pieces of ${pieceBytes} bytes`;
    return name.length === 0 || name.length > HASH_WORDS ? `a name of ${name.length} words` : undefined;
  },
);

/** The answer, a piece each. total: bytes of the block; -1: it is not here. */
export const Piece = messageKind(
  'Piece',
  107,
  { ticket: 'u32', index: 'u32', total: 'f64' },
  { bytes: 'u8' },
  ({ index, total, bytes }) => {
    if (total === -1)
      return index === 0 && bytes.length === 0 ? undefined : 'bytes of a block that is nowhere';
    return Number.isInteger(total) &&
      total >= 0 &&
      total <= 2 ** 32 &&
      index <= total &&
      bytes.length <= total
      ? undefined
      : `piece ${index} with ${bytes.length} of ${total} bytes`;
  },
);

function wrongBodies(tasks: Uint32Array, offsets: Uint32Array, bodies: Uint8Array): string | undefined {
  if (offsets.length !== tasks.length + 1) return `${offsets.length} offsets for ${tasks.length} tasks`;
  if (offsets[0] !== 0 || offsets[tasks.length] !== bodies.length)
    return `bodies from ${offsets[0]} to ${offsets[tasks.length]} of ${bodies.length} bytes`;
  return offsets.some((offset, i) => i > 0 && offset < offsets[i - 1])
    ? 'a body that ends before it begins'
    : undefined;
}

/** Bodies of tasks or results, put together for one message. */
export class Bodies {
  readonly tasks: number[] = [];
  bytes = 0;
  private readonly all: Uint8Array[] = [];

  add(task: number, body: Uint8Array): void {
    this.tasks.push(task);
    this.all.push(body);
    this.bytes += body.length;
  }

  values(): { tasks: Uint32Array; offsets: Uint32Array; bodies: Uint8Array } {
    const offsets = new Uint32Array(this.all.length + 1);
    const bodies = new Uint8Array(this.bytes);
    this.all.forEach((body, i) => {
      bodies.set(body, offsets[i]);
      offsets[i + 1] = offsets[i] + body.length;
    });
    return { tasks: Uint32Array.from(this.tasks), offsets, bodies };
  }
}

const tooMany = (count: number): string | undefined =>
  count > MOST_TASKS ? `${count} tasks, and ${MOST_TASKS} are the most` : undefined;
