// Defines the statistics of a job: its costs, and the nodes that were excluded from it.

/** A node that was excluded from a job because it returned a false result. */
export interface ExcludedNode {
  /** The node's name, and its id in hexadecimal. */
  node: string;
  /** What was wrong with its result. */
  what: string;
}

/** The costs of a job so far. */
export interface JobStats {
  /** Tasks created so far. */
  tasks: number;
  /** Nodes that have taken part. */
  nodes: number;
  /**
   * Tasks assigned again: because they failed, because their node fell silent, left or was excluded, because
   * the message that assigned them was lost, or because their kept result was lost.
   */
  reassigned: number;
  /** Tasks assigned to a second node because the first node took a long time. */
  duplicated: number;
  /** Bytes sent to nodes, including meshes. */
  sentBytes: number;
  /** Messages sent to nodes. */
  sentMessages: number;
  /** Bytes received from nodes. */
  receivedBytes: number;
  /** Messages received from nodes. */
  receivedMessages: number;
  /** Bytes of meshes and other content that nodes have fetched. */
  contentBytes: number;
  /**
   * Messages and results that were not used, because they were malformed, were sent in the name of another
   * node, or belonged to tasks that the sender did not have.
   */
  refused: number;
  /** Nodes that were excluded because they returned a false result. */
  excluded: readonly ExcludedNode[];
}
