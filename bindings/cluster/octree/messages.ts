// What coordinators and nodes say to each other about box pairs by octrees: kinds 200 to 208.
import { messageKind } from '../message.js';

/** What a task does. */
export const tasks = { SURVEY: 0, LIST: 1, MERGE: 2, ROOT: 3, SCAN: 4 } as const;
/** What of a task's result is fetched: the first word of a selector. */
export const parts = { BOXES: 0, LIST: 1, SLICE: 2, PAIRS: 3 } as const;
/** As a task's number: what the coordinator itself has, the boxes. */
export const BOXES_GIVEN = 0xffffffff;
/** Levels of detail in which pairs are counted by a. */
export const HISTOGRAM_BUCKETS = 4096;

/** Coordinator to all: there is work. Whoever is free answers, each time. */
export const Invite = messageKind('Invite', 200, {}, {});

/** Node to coordinator: it is there. */
export const Offer = messageKind('Offer', 201, {}, {});

/**
 * Coordinator to a node. count: boxes in all; part: of how many parts; low and high: of the grid; from and to: a range of octants, by
 * key and box; wire: how lists travel; silence: milliseconds after which who has a need
 * has it no more. needs: tasks whose results it takes, and the node that has each.
 */
export const Task = messageKind('Task', 202, {
  task: 'u32', kind: 'u32', count: 'u32', part: 'u32', partCount: 'u32', wire: 'u32', silence: 'u32', fromKey: 'u32', fromId: 'u32', toKey: 'u32', toId: 'u32',
  low: ['f64', 3], high: ['f64', 3],
}, { needs: 'u32', holders: 'u32' }, ({ kind, count, part, partCount, wire, needs, holders }) => {
  if (kind > tasks.SCAN) return `a task of kind ${kind}`;
  if (wire > 2) return `a wire of ${wire}`;
  if (count > 2 ** 27) return `${count} boxes`;
  if (part >= partCount) return `part ${part} of ${partCount}`;
  if (needs.length !== holders.length) return `${needs.length} needs, and ${holders.length} who have them`;
  return undefined;
});

/**
 * Node to coordinator: a task is done, and its result is kept. wild: a box was not finite. filled: boxes that are not empty; items: octants,
 * or pairs. cpu: of this process since the run came to it, microseconds; computed: of it or, on pages, of the clock, within kernels, milliseconds. Bytes that it took for this
 * task, from the coordinator, from other nodes, and from what it has itself. sample: keys and boxes; histogram: pairs by a.
 */
export const Done = messageKind('Done', 203, {
  task: 'u32', wild: 'u32', filled: 'u32', items: 'f64', tests: 'f64', cpu: 'f64', computed: 'f64', fromCaller: 'f64', fromNodes: 'f64', fromSelf: 'f64', messages: 'f64',
  low: ['f64', 3], high: ['f64', 3],
}, { sampleKeys: 'u32', sampleIds: 'u32', histogram: 'f64' }, ({ sampleKeys, sampleIds, histogram }) => {
  if (sampleKeys.length !== sampleIds.length) return `${sampleKeys.length} keys of a sample, and ${sampleIds.length} boxes`;
  if (histogram.length > HISTOGRAM_BUCKETS) return `${histogram.length} buckets`;
  return undefined;
});

/** Node to coordinator: a task failed. missing: needs that nobody gave; else the error: its code, message and fix, UTF-8. */
export const Trouble = messageKind('Trouble', 204, { task: 'u32' }, { missing: 'u32', code: 'u8', message: 'u8', fix: 'u8' });

/** To who has a result: some bytes of it, from `first` on, `count` pieces of pieceBytes. toRun: the coordinator asks. */
export const Fetch = messageKind('Fetch', 205, { task: 'u32', ticket: 'u32', first: 'u32', count: 'u32', pieceBytes: 'u32', toRun: 'u32' }, { selector: 'u32' }, ({ count, pieceBytes, selector }) => {
  if (count > 64) return `${count} pieces`;
  if (pieceBytes < 256 || pieceBytes > 2 ** 20) return `pieces of ${pieceBytes} bytes`;
  if (selector.length > 8) return `a selector of ${selector.length} words`;
  return undefined;
});

/** The answer, a piece each: which of how many bytes. */
export const Piece = messageKind('Piece', 206, { ticket: 'u32', index: 'u32', total: 'f64' }, { bytes: 'u8' }, ({ index, total }) => {
  if (!Number.isInteger(total) || total < 0 || total > 2 ** 32) return `a total of ${total} bytes`;
  if (index > total) return `piece ${index}`;
  return undefined;
});

/** The answer where it is not there any more. */
export const Gone = messageKind('Gone', 207, { ticket: 'u32' }, {});

/** Coordinator to all: a run is over, what was kept for it is not needed. */
export const Over = messageKind('Over', 208, {}, {});
