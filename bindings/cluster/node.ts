// Starts a node of a cluster: chooses its id, creates its engine unless one is passed, and starts its services.

import {
  anyValue,
  callback,
  copyOptions,
  integer,
  type OptionTable,
  object,
  rejectExtraArgument,
} from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import { createEngine } from '../engine/createEngine.js';
import type { Engine } from '../engine/engine.js';
import { ENGINE } from '../engine/engineOptions.js';
import type { AsyncEngine } from '../gpu/asyncEngine.js';
import { countLink } from './countedLink.js';
import { startJobNode } from './jobs/jobNode.js';
import type { Link } from './link.js';
import type { NodeHost, Service, StartService } from './nodeHost.js';
import { startPresence } from './presence.js';
import { randomId } from './subjects.js';
import { swarmService } from './swarm/service.js';
import type { FindWorld } from './swarm/world.js';

/** Options of `startNode`; all are optional. */
export interface NodeOptions {
  /**
   * The name of the cluster to join; several clusters may share a broker. Letters, digits, '-' and '_'.
   * Default 'pfront'.
   */
  cluster?: string;
  /** The name that other nodes and tools show. Default: random. */
  name?: string;
  /**
   * The number of threads of the node's engine. Default 1, because one node per core is better than one node
   * with many threads.
   */
  threads?: number | 'auto';
  /**
   * Where the node computes. The values are the same as in createEngine. 'wasm': on the CPU; the node does not
   * look for a GPU. 'auto': on the CPU, and on a GPU if that is faster. 'webgpu': on a GPU, for tasks of any
   * size. The results are always the same. Default 'wasm'.
   */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /**
   * A GPUDevice, or a GPU object that provides GPUDevices, as in createEngine. Default: navigator.gpu on pages;
   * in Node, the package `webgpu` if it is installed.
   */
  gpu?: object;
  /**
   * The engine to compute on. Its GPU is used, too, if `backend` allows it. The caller remains responsible
   * for disposing of the engine. Default: the node creates an engine.
   */
  engine?: Engine;
  /** The maximum total size, in bytes, of the meshes that are cached for later tasks. Default 512 MiB. */
  cacheBytes?: number;
  /**
   * Finds the worlds of swarms by their names. The node takes part only in swarms whose world is found.
   * Default: the node takes part in no swarm.
   */
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
  /**
   * Ends the services of the node, and returns unfinished tasks to their coordinators. If the node created
   * the engine, disposes of the engine. The link stays open.
   */
  close(): Promise<void>;
}

/** The services of every node, in the order in which they start. */
const serviceStarters: StartService[] = [startJobNode, startPresence];

/**
 * Joins a cluster; the node takes part until it is closed.
 * @throws Unsupported for invalid options, if `backend` is 'webgpu' and there is no GPU, or if `threads` or
 * `gpu` is passed with `engine`
 */
export async function startNode(givenLink: Link, givenOptions: NodeOptions = {}): Promise<ClusterNode> {
  rejectExtraArgument(arguments[2], 'startNode(link, options)');
  const options = copyOptions(NODE, givenOptions);
  for (const unused of ['threads', 'gpu'] as const)
    if (options.engine && options[unused] !== undefined)
      throw new Unsupported(
        `${unused} has no effect on the engine that was passed`,
        `pass ${unused} to createEngine instead, or omit engine`,
      );
  const {
    cluster = 'pfront',
    name,
    threads = 1,
    backend = 'wasm',
    gpu: source,
    engine: givenEngine,
    cacheBytes = 2 ** 29,
    worlds,
  } = options;
  const id = randomId(givenLink);
  const engine =
    givenEngine ?? (await createEngine({ threads, backend, ...(source ? { gpu: source } : {}) }));
  const runningServices: Service[] = [];
  const close = async (): Promise<void> => {
    for (const service of runningServices.reverse()) await service.close();
    if (!givenEngine) engine.dispose();
  };
  try {
    const gpu = await gpuOf(engine, backend);
    const { link, traffic } = countLink(givenLink);
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
    for (const start of [...serviceStarters, ...(worlds ? [swarmService(worlds)] : [])])
      runningServices.push(start(host));
    return { ...host, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// Returns the engine's asynchronous methods if a GPU is to be used, or if the engine has no synchronous
// methods because its backend is a GPU.
async function gpuOf(
  engine: Engine,
  backend: Required<NodeOptions>['backend'],
): Promise<AsyncEngine | undefined> {
  if (backend === 'wasm' && engine.info.backend === 'wasm') return undefined;
  // If the engine was made without the module 'gpu', `engine.async` is not an object, but a stub function.
  const methods = typeof engine.async === 'object' ? engine.async : undefined;
  if (await methods?.hasGpu()) return methods;
  if (backend !== 'webgpu') return undefined;
  throw new Unsupported(
    "backend is 'webgpu', but the engine has no GPU",
    "create the engine with the module 'gpu' and a backend other than 'wasm', or omit backend",
  );
}
