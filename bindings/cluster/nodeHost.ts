// Defines what a node passes to its services (such as the job service): its id, link, engine and counters.

import type { Engine } from '../engine/engine.js';
import type { AsyncEngine } from '../gpu/asyncEngine.js';
import type { LinkTraffic } from './countedLink.js';
import type { Link } from './link.js';

/** The properties of a node that its services use. */
export interface NodeHost {
  /** A random 32-bit number that identifies the sender in every message. */
  readonly id: number;
  /** The name that other nodes and tools show. */
  readonly name: string;
  /** The name of the node's cluster. */
  readonly cluster: string;
  /** The link to other nodes. */
  readonly link: Link;
  /** The engine on which the node computes. */
  readonly engine: Engine;
  /** The asynchronous methods of the engine; undefined if the node uses no GPU. */
  readonly gpu?: AsyncEngine;
  /** Counters of the work done; the services add to them. */
  readonly work: NodeCounters;
  /** Counters of the traffic over `link`. */
  readonly traffic: LinkTraffic;
  /** The maximum total size, in bytes, of meshes and other content that are cached for later tasks. */
  readonly cacheBytes: number;
}

/** Counters of a node. */
export interface NodeCounters {
  /** Tasks done. */
  tasks: number;
  /** Tests of boxes, spheres and triangles. */
  tests: number;
  /** Tasks failed. */
  failures: number;
  /** Tasks held now, including finished ones whose results are not acknowledged yet. */
  held: number;
}

/** A service of a node. It is closed with the node. */
export interface Service {
  close(): Promise<void>;
}

/** Starts a service of a node. The service subscribes to its subjects at once. */
export type StartService = (host: NodeHost) => Service;
