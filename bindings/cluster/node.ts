// A process that lends itself to a cluster: its identity, its engine, and the services that work on them.

import { Unsupported } from '../core/errors.js';
import {
  anyValue,
  callback,
  checkOptions,
  integer,
  type OptionTable,
  object,
  rejectExtraArgument,
} from '../core/optionTable.js';
import { createEngine } from '../engine/createEngine.js';
import type { Engine } from '../engine/engine.js';
import { ENGINE } from '../engine/engineOptions.js';
import type { AsyncEngine } from '../gpu/asyncEngine.js';
import { countLink } from './countedLink.js';
import { startJobNode } from './jobs/jobNode.js';
import type { Link } from './link.js';
import type { NodeHost, StartService } from './nodeHost.js';
import { startPresence } from './presence.js';
import { swarmService } from './swarm/service.js';
import type { FindWorld } from './swarm/world.js';

/** What a node is to be like; all may be left out. */
export interface NodeOptions {
  /** Which cluster of those that share a broker. Letters, digits, '-' and '_'. Default 'pfront'. */
  cluster?: string;
  /** How others see it. Default: drawn at random. */
  name?: string;
  /** Of its engine. Default 1: as many nodes as cores, rather than as many threads. */
  threads?: number | 'auto';
  /**
   * Where it computes: 'auto' also on a GPU where that is quicker, 'webgpu' on a GPU whatever the size of the
   * task, as createEngine has it; answers are the same. Default 'wasm': on the CPU, and no GPU is looked for.
   */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /**
   * As createEngine has it: what gives a GPUDevice, or one. Default: navigator.gpu; in Node the package
   * `webgpu` where it is installed.
   */
  gpu?: object;
  /**
   * The engine that it computes on, and on its GPU where `backend` says so; it stays the caller's to dispose
   * of. Default: one of its own.
   */
  engine?: Engine;
  /** Most bytes of meshes that it keeps for later tasks. Default 512 MiB. */
  cacheBytes?: number;
  /** Worlds of swarms that it takes part in, by their names. Default: none. */
  worlds?: FindWorld;
}

const NODE: OptionTable<NodeOptions> = {
  cluster: anyValue,
  name: anyValue,
  threads: ENGINE.threads,
  backend: ENGINE.backend,
  gpu: object,
  engine: object,
  cacheBytes: integer(0, Number.MAX_SAFE_INTEGER),
  worlds: callback,
};

/** A node that has joined a cluster. */
export interface ClusterNode extends NodeHost {
  /** Ends its services, which hand back what they have begun, and its engine; the link stays open. */
  close(): Promise<void>;
}

/** In the order they start. */
const services: StartService[] = [startJobNode, startPresence];

/** Joins a cluster until it is closed. @throws Unsupported where `backend` is 'webgpu' and there is no GPU */
export async function startNode(reach: Link, options: NodeOptions = {}): Promise<ClusterNode> {
  rejectExtraArgument(arguments[2], 'startNode(link, options)');
  checkOptions(NODE, options);
  const {
    cluster = 'pfront',
    name,
    threads = 1,
    backend = 'wasm',
    gpu: source,
    engine: given,
    cacheBytes = 2 ** 29,
    worlds,
  } = options;
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  const engine = given ?? (await createEngine({ threads, backend, ...(source ? { gpu: source } : {}) }));
  const gpu = await gpuOf(engine, backend).catch((error: unknown) => {
    if (!given) engine.dispose();
    throw error;
  });
  const { link, traffic } = countLink(reach);
  const host: NodeHost = {
    id,
    name: name ?? `node-${id.toString(16)}`,
    cluster,
    link,
    engine,
    ...(gpu ? { gpu } : {}),
    work: { tasks: 0, tests: 0, failures: 0, held: 0 },
    traffic,
    cacheBytes,
  };
  const started = [...services, ...(worlds ? [swarmService(worlds)] : [])].map(start => start(host));
  return {
    ...host,
    async close() {
      for (const service of started.reverse()) await service.close();
      if (!given) engine.dispose();
    },
  };
}

// The engine's methods as promises, where there is a GPU that is to be asked. An engine whose own methods are
// refused has no others.
async function gpuOf(
  engine: Engine,
  backend: Required<NodeOptions>['backend'],
): Promise<AsyncEngine | undefined> {
  if (backend === 'wasm' && engine.info.backend === 'wasm') return undefined;
  // What stands in for methods of a module that was left out is a function.
  const methods = typeof engine.async === 'object' ? engine.async : undefined;
  if (await methods?.hasGpu()) return methods;
  if (backend !== 'webgpu') return undefined;
  throw new Unsupported(
    "backend is 'webgpu', but the engine has no GPU",
    "create the engine with the module 'gpu' and a backend other than 'wasm', or leave backend out",
  );
}
