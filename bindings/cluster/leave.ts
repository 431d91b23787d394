// Defines the message that ends all node processes of a cluster.
import { messageKind } from './message.js';

/**
 * Tells every node process to close its node and to exit. Closing a node returns its unfinished tasks to
 * their coordinators.
 */
export const Leave = messageKind('leave', 90, {}, {});
