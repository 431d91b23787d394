// What a node is to the services that work on it.

import type { Engine } from '../engine/engine.js';
import type { AsyncEngine } from '../gpu/asyncEngine.js';
import type { LinkTraffic } from './countedLink.js';
import type { Link } from './link.js';

/** What services find on their node. */
export interface NodeHost {
  /** One word, drawn at random: who sends, in every message. */
  readonly id: number;
  /** How others see it. */
  readonly name: string;
  /** Which one it is in. */
  readonly cluster: string;
  /** What it speaks through. */
  readonly link: Link;
  /** What it computes on. */
  readonly engine: Engine;
  /** The engine's methods as promises, where its GPU is to be asked, too. */
  readonly gpu?: AsyncEngine;
  /** What the node has done: services add to it. */
  readonly work: NodeWork;
  /** What went through `link`. */
  readonly traffic: LinkTraffic;
  /** Most bytes of meshes and other content that it keeps for tasks to come. */
  readonly cacheBytes: number;
}

/** Counters of a node. */
export interface NodeWork {
  /** Tasks that it has done. */
  tasks: number;
  /** Tests of boxes, spheres and triangles. */
  tests: number;
  /** Tasks that it could not do. */
  failures: number;
  /** Tasks that it has now, those included whose results were not settled. */
  held: number;
}

/** A part of a node: it subscribes as it starts, and ends with the node. */
export type StartService = (host: NodeHost) => { close(): Promise<void> };
