// What coordinators and nodes say to each other about jobs: codes 100 to 199.
import { messageKind } from '../message.js';

/** Most tasks that one message names. */
const MOST_TASKS = 1 << 16;
/** Bytes of a content hash. */
export const HASH_WORDS = 8;

/** Coordinator to all: the run of the heading wants nodes. Said again while it lasts. */
export const Open = messageKind('Open', 100, { waiting: 'u32' }, {});

/** Node to coordinator: what it has, and how many more tasks it would take. The heading's step is a serial number: later ones count; heard is the last grant's. */
export const Want = messageKind('Want', 101, { slots: 'u32', heard: 'u32', isLeaving: 'u32' }, { holds: 'u32' }, ({ slots, holds }) => tooMany(slots + holds.length));

/** Coordinator to node: tasks of one kind, and tasks that it need not hold any more. The heading's step counts what went to this node. Body i is bytes offsets[i] to offsets[i + 1] of bodies. */
export const Grant = messageKind('Grant', 102, { taskKind: 'u32' }, { settled: 'u32', tasks: 'u32', offsets: 'u32', bodies: 'u8' }, ({ settled, tasks, offsets, bodies }) =>
  wrongBodies(tasks, offsets, bodies) ?? tooMany(settled.length + tasks.length));

/** Node to coordinator: results of tasks, or where isStored is 1 their hashes. With them what Want tells. */
export const Finished = messageKind('Finished', 103, { slots: 'u32', heard: 'u32' }, { holds: 'u32', tasks: 'u32', isStored: 'u8', offsets: 'u32', bodies: 'u8' }, ({ slots, holds, tasks, isStored, offsets, bodies }) => {
  if (isStored.length !== tasks.length) return `${isStored.length} flags for ${tasks.length} tasks`;
  const wrong = wrongBodies(tasks, offsets, bodies) ?? tooMany(slots + holds.length + tasks.length);
  return wrong ?? (isStored.some((flag, i) => flag > 1 || (flag === 1 && offsets[i + 1]! - offsets[i]! !== 4 * HASH_WORDS)) ? 'a result that is no hash' : undefined);
});

/** Node to coordinator: a task failed, and how: texts in UTF-8. With it what Want tells. */
export const Failed = messageKind('Failed', 104, { task: 'u32', slots: 'u32', heard: 'u32', neededBytes: 'f64' }, { holds: 'u32', code: 'u8', text: 'u8', fix: 'u8' }, ({ slots, holds, neededBytes }) =>
  (neededBytes >= 0 && neededBytes <= Number.MAX_SAFE_INTEGER ? tooMany(slots + holds.length) : `${neededBytes} needed bytes`));

/** Coordinator to nodes: the run has ended, whatever comes of it is for nobody. */
export const Over = messageKind('Over', 105, {}, {});

/** Who has not to who has: bytes of what has this hash, from `at` on. viaRun: whether the answer goes to the run's subject; else to the asker's. */
export const Ask = messageKind('Ask', 106, { hash: ['u32', HASH_WORDS], at: 'f64', bytes: 'u32', viaRun: 'u32' }, {}, ({ at, bytes }) =>
  (Number.isSafeInteger(at) && at >= 0 && bytes > 0 ? undefined : `${bytes} bytes from ${at}`));

/** The answer. totalBytes: of the whole; -1: nothing of that hash is here. */
export const Piece = messageKind('Piece', 107, { hash: ['u32', HASH_WORDS], at: 'f64', totalBytes: 'f64' }, { data: 'u8' }, ({ at, totalBytes, data }) => {
  if (totalBytes === -1) return at === 0 && data.length === 0 ? undefined : 'content that is nowhere';
  return Number.isSafeInteger(at) && Number.isSafeInteger(totalBytes) && at >= 0 && at + data.length <= totalBytes ? undefined : `${data.length} bytes from ${at} of ${totalBytes}`;
});

function wrongBodies(tasks: Uint32Array, offsets: Uint32Array, bodies: Uint8Array): string | undefined {
  if (offsets.length !== tasks.length + 1) return `${offsets.length} offsets for ${tasks.length} tasks`;
  if (offsets[0] !== 0 || offsets[tasks.length] !== bodies.length) return `bodies from ${offsets[0]} to ${offsets[tasks.length]} of ${bodies.length} bytes`;
  return offsets.some((offset, i) => i > 0 && offset < offsets[i - 1]!) ? 'a body that ends before it begins' : undefined;
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
    const offsets = new Uint32Array(this.all.length + 1), bodies = new Uint8Array(this.bytes);
    this.all.forEach((body, i) => {
      bodies.set(body, offsets[i]);
      offsets[i + 1] = offsets[i]! + body.length;
    });
    return { tasks: Uint32Array.from(this.tasks), offsets, bodies };
  }
}

const tooMany = (count: number): string | undefined => (count > MOST_TASKS ? `${count} tasks, and ${MOST_TASKS} are the most` : undefined);
