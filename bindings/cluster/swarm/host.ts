// What a swarm's members need of their node.

import type { Engine } from '../../engine/engine.js';
import type { AsyncEngine } from '../../gpu/asyncEngine.js';
import type { Link } from '../link.js';

/** A part of a node. */
export interface SwarmHost {
  /** Who sends, in every message. */
  readonly id: number;
  readonly name: string;
  readonly cluster: string;
  readonly link: Link;
  readonly engine: Engine;
  /** Its verbs as promises, where its GPU is to be asked, too. */
  readonly gpu?: AsyncEngine;
}
