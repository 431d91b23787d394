// The message that ends every process of a cluster.
import { messageKind } from './message.js';

/** Tells all nodes to finish and to end their processes. */
export const Leave = messageKind('leave', 90, {}, {});
