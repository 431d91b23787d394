// Returns the name of this machine and the versions of the compared packages, which are shown with all
// results.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { nounFor } from '../../dist/formats/formatCount.js';

export const coreCount = availableParallelism();
/** Returns a count with its noun, such as '1 thread' or '2 processes'. */
export const plural = (count: number, noun: string): string => `${count} ${nounFor(count, noun)}`;
export const threadsText = (count: number): string => plural(count, 'thread');

// AMD's core generation by CPU family. Family 23 also has Zen+ and Zen 2, which get the same name. Family 25
// is omitted, because it has both Zen 3 and Zen 4.
const ZEN: Readonly<Record<string, string>> = { 23: 'zen', 26: 'zen5' };

/**
 * Returns a lower-case name of this machine for use in file names: maker, model, core generation if known,
 * and number of cores, such as 'amd-epyc-zen5-2c' or 'intel-xeon-16c'.
 */
export function machineName(): string {
  const model = cpus()[0]?.model ?? 'unknown cpu';
  const plain = model.replace(/\((r|tm)\)|@.*|\bcpu\b|\bprocessor\b|\d+-core/gi, ' ');
  const generation = /amd/i.test(model) ? (ZEN[cpuFamily()] ?? '') : '';
  return `${plain} ${generation} ${coreCount}c`
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-');
}

export const machineText = (): string =>
  `${cpus()[0]?.model ?? 'unknown cpu'}, ${coreCount} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;

/** Returns, for example, 'pfront 0.1.0, three-mesh-bvh 0.9.17, three 0.187.0, node 20.20.2'. */
export function versionsText(names: readonly string[] = ['three-mesh-bvh', 'three']): string {
  const read = (path: string): string =>
    JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
  const rivals = names.map(name => `${name} ${read(`../../node_modules/${name}/package.json`)}`);
  return [`pfront ${read('../../package.json')}`, ...rivals, `node ${process.versions.node}`].join(', ');
}

// The CPU family is known on Linux only; elsewhere the name omits the core generation.
function cpuFamily(): string {
  try {
    return /cpu family\s*:\s*(\d+)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
