// The entry point `pfront/cluster`, which only re-exports the public API of clusters.
/**
 * Distributes work over processes and machines that communicate over NATS.
 * @module pfront/cluster
 */
export { type Broker, startBroker } from './broker.js';
export type { BrokerNkey, BrokerOptions, BrokerTls, BrokerUser, BrokerWebSocket } from './brokerConfig.js';
export type { LinkTraffic } from './countedLink.js';
export type { ClashAnswer, ClashBody, ClashJob } from './jobs/clash.js';
export type { Answers, JobName, Jobs } from './jobs/jobKinds.js';
export { type JobServer, type JobServerOptions, openJobs } from './jobs/jobServer.js';
export type { ExcludedNode, JobStats } from './jobs/jobStats.js';
export type { LedgerOptions } from './jobs/ledger.js';
export type { MeshPairsAnswer, MeshPairsJob } from './jobs/meshPairs.js';
export type { JobPair, JobPairs } from './jobs/placedPairs.js';
export type { JobProgress, Submitted } from './jobs/submitted.js';
export type { Link, Packet } from './link.js';
export { makeHub, type PacketFaults } from './localLink.js';
export {
  connectNats,
  type LinkState,
  makeNkey,
  type NatsOptions,
  type NatsTls,
  type Nkey,
} from './natsLink.js';
export { type ClusterNode, type NodeOptions, startNode } from './node.js';
export type { NodeCounters } from './nodeHost.js';
export { type SubmittedBoxPairs, submitBoxPairs } from './octree/boxPairs.js';
export { type BoxPairsSession, openBoxPairs } from './octree/boxPairsSession.js';
export type {
  BoxPairsFrame,
  BoxPairsFrameStats,
  BoxPairsJob,
  BoxPairsSessionOptions,
  ClusterBoxPairs,
  ClusterBoxPairsOptions,
  OctreeRound,
  OctreeStages,
  OctreeStats,
} from './octree/job.js';
export type { BrokerRole } from './subjects.js';
export type { Move } from './swarm/balance.js';
export type { NodeRow, SwarmContacts, SwarmRow } from './swarm/rows.js';
export { runSwarm, type SwarmResult } from './swarm/runSwarm.js';
export type { SwarmOptions } from './swarm/settings.js';
export { type ReferenceRow, stepSingleProcess } from './swarm/singleProcessReference.js';
export type { BodyContact, FindWorld, SwarmStates, SwarmWorld } from './swarm/world.js';
