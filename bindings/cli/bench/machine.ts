// Describes this machine for the output of `pfront bench`: processor, cores, memory, and the versions of
// pfront and Node.
import { availableParallelism, cpus, totalmem } from 'node:os';
import { VERSION } from '../../core/version.js';

export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  pfront: string;
  node: string;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    pfront: VERSION,
    node: process.versions.node,
  };
}
