// This machine -> what stands beside every figure: processor, cores, versions.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

export interface Machine { processor: string; cores: number; memoryGiB: number; pfront: string; node: string }

export function lookAtMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    pfront: JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    node: process.versions.node,
  };
}
