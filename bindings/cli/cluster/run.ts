// Implements the command `pfront cluster run`: finds the clashes in mesh files, or moves a swarm of bodies,
// on the nodes of a cluster.
import { clashHelp } from '../clash/help.js';
import { readOptions } from '../clash/options.js';
import { printClashes } from '../clash.js';
import { givenTwice } from '../parseArguments.js';
import { UsageError } from '../usageError.js';
import { findOnCluster } from './findOnCluster.js';
import { runHelp } from './help.js';
import { addressOptions, completeAddress, connect, readAddress, readInteger } from './options.js';
import { runSwarmScene, SWARMS } from './runSwarmScene.js';
import { wordsWithoutOptions } from './swarmOptions.js';

/**
 * Runs the command. Returns the exit code. Throws UsageError, CollisionError 'Cluster' and the errors that
 * `pfront clash` throws.
 */
export async function run(args: string[]): Promise<number> {
  const { own, others } = splitOptions(args);
  if (own.help !== undefined) {
    console.log(runHelp(clashHelp));
    return 0;
  }
  const words = wordsWithoutOptions(others);
  const swarm = words.find(word => SWARMS.includes(word));
  const givenAddress = readAddress(own);
  const patience =
    own.patience === undefined
      ? undefined
      : 1000 * readInteger('--patience', own.patience as string, 60, 1, 86_400);
  if (words.length === 0)
    throw new UsageError(
      'run requires a file, or the name of a swarm',
      `Write pfront cluster run FILE, or pfront cluster run ${SWARMS.join(', ')}.`,
    );
  if (swarm !== undefined && own.verify !== undefined)
    throw new UsageError('--verify has no effect on swarms', 'Omit it.');
  if (swarm !== undefined)
    return runSwarmScene(
      swarm,
      others.filter(word => word !== swarm),
      givenAddress,
      patience,
    );
  const options = readOptions(others);
  const clusterAddress = completeAddress(givenAddress, 'caller');
  const link = await connect(clusterAddress, 'pfront cluster run');
  try {
    const settings = { patience, verify: own.verify === true };
    return await printClashes(options, findOnCluster(link, clusterAddress.cluster, settings));
  } finally {
    await link.close();
  }
}

// Separates the options of `pfront cluster run` itself from all other arguments, which the parser of
// `pfront clash` or of the swarm reads later.
function splitOptions(args: string[]): {
  own: Record<string, string | boolean | undefined>;
  others: string[];
} {
  const own: Record<string, string | boolean | undefined> = {};
  const others: string[] = [];
  const named = {
    ...addressOptions,
    patience: { type: 'string' },
    verify: { type: 'boolean' },
  } as Record<string, { type: string }>;
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(args[i]) ?? [];
    if (args[i] === '-h' || name === 'help') own.help = true;
    else if (name === undefined || !Object.hasOwn(named, name)) others.push(args[i]);
    else if (own[name] !== undefined) throw givenTwice(name, own[name], value ?? args[i + 1]);
    else if (named[name].type === 'boolean') {
      if (value !== undefined)
        throw new UsageError(`--${name} takes no value`, 'See `pfront cluster run --help`.');
      own[name] = true;
    } else {
      own[name] = value ?? args[++i];
      if (own[name] === undefined || (own[name] as string).startsWith('--'))
        throw new UsageError(`--${name} requires a value`, 'See `pfront cluster run --help`.');
    }
  }
  return { own, others };
}
