// The message that ends every process of a cluster.
import { messageKind } from './message.js';

/** To all nodes: finish, and end your processes. */
export const Leave = messageKind('leave', 90, {}, {});
