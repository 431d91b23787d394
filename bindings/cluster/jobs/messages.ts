// Defines the messages between nodes and the coordinators of jobs. Their codes are 100 to 107. Each message has
// a heading with the run, a step and the sender.
import { messageKind } from '../message.js';
import { isToken } from '../randomToken.js';

/** The maximum number of tasks that one message may name or offer to accept, in all. */
const MAX_TASKS = 1 << 16;
/** The maximum length of a node's name, in bytes. */
export const MAX_NAME_BYTES = 256;
/** The number of words of a content hash. */
export const HASH_WORDS = 8;
/** The maximum number of chunks requested at a time, and the bounds on the bytes of a chunk. */
const MAX_CHUNKS = 8;
export const MIN_CHUNK_BYTES = 64,
  MAX_CHUNK_BYTES = 2 ** 20;

/**
 * Coordinator to all nodes: a run needs nodes. The message's heading tells which run. The message is repeated
 * while the run lasts. waiting: the number of tasks that are not done. keeps: whether results stay on the nodes
 * that compute them.
 */
export const Open = messageKind('Open', 100, { waiting: 'u32', keeps: 'u32' }, {});

/**
 * Node to coordinator: the numbers of the tasks that the node has (holds), and how many more it accepts
 * (slots). The heading's step is a serial number: later reports replace earlier ones. heard: the highest step
 * of the Grants that the node has received. isLeaving: 1 if the node leaves the run. membership: the secret of
 * the last Grant, or 0 if there was none. If the secret is wrong, the coordinator ignores the report, and sends
 * the node the right secret. name: the node's name as UTF-8.
 */
export const NodeStatus = messageKind(
  'NodeStatus',
  101,
  { slots: 'u32', heard: 'u32', isLeaving: 'u32', membership: 'f64' },
  { holds: 'u32', name: 'u8' },
  ({ slots, holds, name, membership }) =>
    wrongTokens([membership]) ??
    (name.length > MAX_NAME_BYTES
      ? `its name has ${name.length} bytes, more than ${MAX_NAME_BYTES}`
      : tooMany(slots + holds.length)),
);

/**
 * Coordinator to node: tasks of one kind, and the numbers of tasks that the node may drop (settled). The
 * heading's step counts how often the coordinator has assigned tasks to this node. All messages of one
 * assignment have the same step, and messages without tasks repeat the last step. Task i is encoded in bytes
 * offsets[i] to offsets[i + 1] of bodies. membership: a secret that the node returns with its reports. leases:
 * for each task, a secret that the node returns with the result.
 */
export const Grant = messageKind(
  'Grant',
  102,
  { taskKind: 'u32', membership: 'f64' },
  { settled: 'u32', tasks: 'u32', leases: 'f64', offsets: 'u32', bodies: 'u8' },
  ({ membership, settled, tasks, leases, offsets, bodies }) =>
    wrongTokens([membership]) ??
    wrongLeases(tasks, leases) ??
    wrongBodies(tasks, offsets, bodies) ??
    tooMany(settled.length + tasks.length),
);

/**
 * Node to coordinator: results of tasks. If isStored[i] is 1, body i is only the hash by which the
 * coordinator fetches the result. leases: the secret with which each task was assigned. slots, heard,
 * membership, holds: as in NodeStatus.
 */
export const Finished = messageKind(
  'Finished',
  103,
  { slots: 'u32', heard: 'u32', membership: 'f64' },
  { holds: 'u32', tasks: 'u32', leases: 'f64', isStored: 'u8', offsets: 'u32', bodies: 'u8' },
  ({ slots, membership, holds, tasks, leases, isStored, offsets, bodies }) => {
    if (isStored.length !== tasks.length) return `it has ${isStored.length} flags for ${tasks.length} tasks`;
    const wrong =
      wrongTokens([membership]) ??
      wrongLeases(tasks, leases) ??
      wrongBodies(tasks, offsets, bodies) ??
      tooMany(slots + holds.length + tasks.length);
    return (
      wrong ??
      (isStored.some((flag, i) => flag > 1 || (flag === 1 && offsets[i + 1] - offsets[i] !== 4 * HASH_WORDS))
        ? 'a result that is marked as stored is not a hash of 32 bytes'
        : undefined)
    );
  },
);

/**
 * Node to coordinator: a task failed, with the error as UTF-8 texts. missing: tasks whose results the failed
 * task needs and could not fetch. lease: the secret with which the task was assigned. slots, heard,
 * membership, holds: as in NodeStatus.
 */
export const Failed = messageKind(
  'Failed',
  104,
  { task: 'u32', slots: 'u32', heard: 'u32', neededBytes: 'f64', membership: 'f64', lease: 'f64' },
  { holds: 'u32', missing: 'u32', code: 'u8', text: 'u8', fix: 'u8' },
  ({ slots, holds, missing, neededBytes, membership, lease }) =>
    wrongTokens([membership, lease]) ??
    (neededBytes >= 0 && neededBytes <= Number.MAX_SAFE_INTEGER
      ? tooMany(slots + holds.length + missing.length)
      : `neededBytes is ${neededBytes}`),
);

/** Coordinator to nodes: the run has ended, and its results are no longer needed. */
export const RunEnded = messageKind('RunEnded', 105, {}, {});

/**
 * Requests `count` chunks of a block, from chunk `first` on. Each chunk has chunkBytes bytes. name: names the
 * block. If it has eight words, they are the hash of the content. A shorter name either consists of the number
 * of a task and a selector of a field of its result, or it is an identifier under which the coordinator shares
 * bytes.
 * ticket: a secret that the reply repeats. viaRun: 1 if the reply goes to the run's subject, 0 if it goes to
 * the requester's subject.
 */
export const ChunkRequest = messageKind(
  'ChunkRequest',
  106,
  { ticket: 'f64', first: 'u32', count: 'u32', chunkBytes: 'u32', viaRun: 'u32' },
  { name: 'u32' },
  ({ ticket, count, chunkBytes, name }) => {
    const wrong = wrongTokens([ticket]);
    if (wrong) return wrong;
    if (count === 0 || count > MAX_CHUNKS) return `it requests ${count} chunks, not 1 to ${MAX_CHUNKS}`;
    if (chunkBytes < MIN_CHUNK_BYTES || chunkBytes > MAX_CHUNK_BYTES)
      return `it requests chunks of ${chunkBytes} bytes, not ${MIN_CHUNK_BYTES} to ${MAX_CHUNK_BYTES}`;
    return name.length === 0 || name.length > HASH_WORDS
      ? `its name has ${name.length} words, not 1 to ${HASH_WORDS}`
      : undefined;
  },
);

/**
 * The reply to a ChunkRequest, one message per chunk. total: the bytes of the block; -1 if the sender does not
 * have the block.
 */
export const Chunk = messageKind(
  'Chunk',
  107,
  { ticket: 'f64', index: 'u32', total: 'f64' },
  { bytes: 'u8' },
  ({ ticket, index, total, bytes }) => {
    const wrong = wrongTokens([ticket]);
    if (wrong) return wrong;
    if (total === -1)
      return index === 0 && bytes.length === 0 ? undefined : 'it has bytes of a block that does not exist';
    return Number.isInteger(total) &&
      total >= 0 &&
      total <= 2 ** 32 &&
      index <= total &&
      bytes.length <= total
      ? undefined
      : `chunk ${index} has ${bytes.length} bytes of a block of ${total}`;
  },
);

const wrongTokens = (tokens: ArrayLike<number>): string | undefined => {
  const wrong = Array.from(tokens).find(token => !isToken(token));
  return wrong === undefined ? undefined : `${wrong} is not a token`;
};

const wrongLeases = (tasks: Uint32Array, leases: Float64Array): string | undefined =>
  leases.length === tasks.length
    ? wrongTokens(leases)
    : `it has ${leases.length} leases for ${tasks.length} tasks`;

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
  private readonly leases: number[] = [];
  bytes = 0;
  private readonly all: Uint8Array[] = [];

  add(task: number, lease: number, body: Uint8Array): void {
    this.tasks.push(task);
    this.leases.push(lease);
    this.all.push(body);
    this.bytes += body.length;
  }

  values(): { tasks: Uint32Array; leases: Float64Array; offsets: Uint32Array; bodies: Uint8Array } {
    const offsets = new Uint32Array(this.all.length + 1);
    const bodies = new Uint8Array(this.bytes);
    this.all.forEach((body, i) => {
      bodies.set(body, offsets[i]);
      offsets[i + 1] = offsets[i] + body.length;
    });
    return { tasks: Uint32Array.from(this.tasks), leases: Float64Array.from(this.leases), offsets, bodies };
  }
}

const tooMany = (count: number): string | undefined =>
  count > MAX_TASKS ? `it names or offers ${count} tasks, more than the maximum of ${MAX_TASKS}` : undefined;
