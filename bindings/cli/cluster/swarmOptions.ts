// Parses the options of `pfront cluster run nanorobots`, which moves a swarm of bodies on a cluster.
import { parseArgs } from 'node:util';
import { MAX_ROBOTS } from '../../cluster/worlds.js';
import type { Movement } from '../../samples/robots.js';
import { UsageError } from '../usageError.js';
import { parse, readInteger } from './options.js';

export interface SwarmSceneOptions {
  bodies: number;
  steps: number;
  movement: Movement;
  /** Number of nodes; undefined for all nodes that answer. */
  nodes: number | undefined;
  /** Number of columns per side of a node's sub-space. */
  columns: number | 'auto';
  /**
   * Columns move if the loads of two nodes differ by more than this fraction of the greater load; false:
   * columns never move.
   */
  balance: number | false;
  seed: number;
  json: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const swarmOptions = {
  bodies: text,
  steps: text,
  movement: text,
  nodes: text,
  columns: text,
  threshold: text,
  seed: text,
  'no-balance': flag,
  json: flag,
};

/**
 * Returns the arguments that are neither options of a swarm nor values of such options. The options of
 * `pfront clash` are unknown here, so for a clash search, the result also contains the values of its options.
 */
export const wordsWithoutOptions = (args: string[]): string[] =>
  parseArgs({ args, options: swarmOptions, strict: false, allowPositionals: true }).positionals;

/** Parses the options. @throws UsageError */
export function readSwarmOptions(args: string[]): SwarmSceneOptions {
  const { values, positionals } = parse(args, swarmOptions, 'run');
  if (positionals.length > 0)
    throw new UsageError(
      `"${positionals[0]}" cannot be combined with a swarm`,
      'Remove it, or run it as a separate command.',
    );
  const { movement = 'skewed' } = values;
  if (movement !== 'random' && movement !== 'skewed' && movement !== 'corner')
    throw new UsageError(
      `--movement ${movement} is not random, skewed or corner`,
      'Write --movement random, or omit it.',
    );
  if (values['no-balance'] && values.threshold !== undefined)
    throw new UsageError('--threshold has no effect with --no-balance', 'Omit one of them.');
  return {
    bodies: readInteger('--bodies', values.bodies, 10_000, 1, MAX_ROBOTS),
    steps: readInteger('--steps', values.steps, 50, 1, 1_000_000),
    movement,
    nodes: values.nodes === undefined ? undefined : readInteger('--nodes', values.nodes, 1, 1, 4096),
    columns: values.columns === undefined ? 'auto' : readInteger('--columns', values.columns, 8, 1, 512),
    balance: values['no-balance'] ? false : readInteger('--threshold', values.threshold, 10, 0, 99) / 100,
    seed: readInteger('--seed', values.seed, 1, 0, 999_999_999),
    json: values.json ?? false,
  };
}
