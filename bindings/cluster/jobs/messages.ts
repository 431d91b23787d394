// The messages between coordinators of jobs and nodes: codes 100 to 199.
import { messageKind } from '../message.js';

/** The maximum number of tasks named in one message. */
const MAX_TASKS = 1 << 16;
/** The number of words of a content hash. */
export const HASH_WORDS = 8;
/** The maximum number of pieces requested at a time, and the bounds on the bytes of a piece. */
const MAX_PIECES = 64;
export const MIN_PIECE_BYTES = 64,
  MAX_PIECE_BYTES = 2 ** 20;

/**
 * Coordinator to all nodes: the run of the heading needs nodes. Repeated while the run lasts. waiting: the
 * number of tasks that are not done. keeps: whether results stay on the nodes that compute them.
 */
export const Open = messageKind('Open', 100, { waiting: 'u32', keeps: 'u32' }, {});

/**
 * Node to coordinator: the numbers of the tasks that the node has (holds), and how many more it accepts
 * (slots). The heading's step is a serial number: later reports replace earlier ones. heard: the number of
 * the last Grant received.
 */
export const NodeStatus = messageKind(
  'NodeStatus',
  101,
  { slots: 'u32', heard: 'u32', isLeaving: 'u32' },
  { holds: 'u32' },
  ({ slots, holds }) => tooMany(slots + holds.length),
);

/**
 * Coordinator to node: tasks of one kind, and the numbers of tasks that the node may drop (settled). The
 * heading's step counts the messages to this node. Body i is bytes offsets[i] to offsets[i + 1] of bodies.
 */
export const Grant = messageKind(
  'Grant',
  102,
  { taskKind: 'u32' },
  { settled: 'u32', tasks: 'u32', offsets: 'u32', bodies: 'u8' },
  ({ settled, tasks, offsets, bodies }) =>
    wrongBodies(tasks, offsets, bodies) ?? tooMany(settled.length + tasks.length),
);

/**
 * Node to coordinator: results of tasks, or their hashes where isStored is 1. Includes slots, heard and holds
 * of a NodeStatus.
 */
export const Finished = messageKind(
  'Finished',
  103,
  { slots: 'u32', heard: 'u32' },
  { holds: 'u32', tasks: 'u32', isStored: 'u8', offsets: 'u32', bodies: 'u8' },
  ({ slots, holds, tasks, isStored, offsets, bodies }) => {
    if (isStored.length !== tasks.length) return `it has ${isStored.length} flags for ${tasks.length} tasks`;
    const wrong = wrongBodies(tasks, offsets, bodies) ?? tooMany(slots + holds.length + tasks.length);
    return (
      wrong ??
      (isStored.some((flag, i) => flag > 1 || (flag === 1 && offsets[i + 1] - offsets[i] !== 4 * HASH_WORDS))
        ? 'a stored result is not a hash'
        : undefined)
    );
  },
);

/**
 * Node to coordinator: a task failed, with the error as UTF-8 texts. missing: tasks whose results the failed
 * task needs and could not fetch. Includes slots, heard and holds of a NodeStatus.
 */
export const Failed = messageKind(
  'Failed',
  104,
  { task: 'u32', slots: 'u32', heard: 'u32', neededBytes: 'f64' },
  { holds: 'u32', missing: 'u32', code: 'u8', text: 'u8', fix: 'u8' },
  ({ slots, holds, missing, neededBytes }) =>
    neededBytes >= 0 && neededBytes <= Number.MAX_SAFE_INTEGER
      ? tooMany(slots + holds.length + missing.length)
      : `neededBytes is ${neededBytes}`,
);

/** Coordinator to nodes: the run has ended, and its results are no longer needed. */
export const RunEnded = messageKind('RunEnded', 105, {}, {});

/**
 * Requests `count` pieces of pieceBytes bytes of a block, from piece `first` on. name: eight words are the
 * hash of content; fewer words are a task and a selector within its result, or a name under which the
 * coordinator shares bytes. viaRun: 1 if the reply goes to the run's subject, 0 if it goes to the requester's
 * subject.
 */
export const PieceRequest = messageKind(
  'PieceRequest',
  106,
  { ticket: 'u32', first: 'u32', count: 'u32', pieceBytes: 'u32', viaRun: 'u32' },
  { name: 'u32' },
  ({ count, pieceBytes, name }) => {
    if (count === 0 || count > MAX_PIECES) return `it requests ${count} pieces, not 1 to ${MAX_PIECES}`;
    if (pieceBytes < MIN_PIECE_BYTES || pieceBytes > MAX_PIECE_BYTES)
      return `it requests pieces of ${pieceBytes} bytes, not ${MIN_PIECE_BYTES} to ${MAX_PIECE_BYTES}`;
    return name.length === 0 || name.length > HASH_WORDS
      ? `its name has ${name.length} words, not 1 to ${HASH_WORDS}`
      : undefined;
  },
);

/**
 * The reply to a PieceRequest, one message per piece. total: the bytes of the block; -1 if the sender does
 * not have it.
 */
export const Piece = messageKind(
  'Piece',
  107,
  { ticket: 'u32', index: 'u32', total: 'f64' },
  { bytes: 'u8' },
  ({ index, total, bytes }) => {
    if (total === -1)
      return index === 0 && bytes.length === 0 ? undefined : 'it has bytes of a block that does not exist';
    return Number.isInteger(total) &&
      total >= 0 &&
      total <= 2 ** 32 &&
      index <= total &&
      bytes.length <= total
      ? undefined
      : `piece ${index} has ${bytes.length} bytes of a block of ${total}`;
  },
);

function wrongBodies(tasks: Uint32Array, offsets: Uint32Array, bodies: Uint8Array): string | undefined {
  if (offsets.length !== tasks.length + 1)
    return `it has ${offsets.length} offsets for ${tasks.length} tasks`;
  if (offsets[0] !== 0 || offsets[tasks.length] !== bodies.length)
    return `its offsets go from ${offsets[0]} to ${offsets[tasks.length]}, not from 0 to ${bodies.length}`;
  return offsets.some((offset, i) => i > 0 && offset < offsets[i - 1])
    ? 'its offsets are not ascending'
    : undefined;
}

/** Concatenates bodies of tasks or results for one message. */
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
  count > MAX_TASKS ? `it has ${count} tasks, more than the maximum of ${MAX_TASKS}` : undefined;
