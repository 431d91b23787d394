// The costs of a job.

/** The costs of a job so far. */
export interface JobStats {
  /** Tasks created so far. */
  tasks: number;
  /** Nodes that have taken part. */
  nodes: number;
  /** Tasks assigned again because their node failed, fell silent or left, or because the message was lost. */
  reassigned: number;
  /** Tasks assigned to a second node because the first took long. */
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
}
