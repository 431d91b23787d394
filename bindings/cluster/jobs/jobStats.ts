// What a job costs.

/** What a job has cost so far. */
export interface JobStats {
  /** Tasks that it was cut into so far. */
  tasks: number;
  /** Nodes that were heard of. */
  nodes: number;
  /** Tasks that were given out anew: whoever had them failed, fell silent, left, or never got them. */
  reissued: number;
  /** Tasks that were given to a second node because the first took long. */
  doubled: number;
  /** Bytes that went to nodes, meshes and all. */
  sentBytes: number;
  /** Messages that went to nodes. */
  sentMessages: number;
  /** Bytes that came from nodes. */
  receivedBytes: number;
  /** Messages that came from nodes. */
  receivedMessages: number;
  /** Bytes of meshes and other content that nodes had asked for. */
  contentBytes: number;
}
