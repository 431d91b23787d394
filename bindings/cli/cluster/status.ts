// Implements the command `pfront cluster status`: lists the nodes of a cluster, with the load, memory and
// tasks of each.
import { sleep } from '../../cluster/promises.js';
import { paint } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { statusHelp } from './help.js';
import { nodeTable } from './nodeTable.js';
import { watchNodes } from './nodeWatch.js';
import { addressOptions, completeAddress, connect, parse, readAddress } from './options.js';

/**
 * How long to listen, in milliseconds. Every node announces itself once a second, and its load is known after
 * two announcements.
 */
const LISTEN = 2300;

/** Runs the command. Returns the exit code. Throws UsageError and CollisionError 'Cluster'. */
export async function status(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...addressOptions, json: { type: 'boolean' } }, 'status');
  if (values.help) {
    console.log(statusHelp);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(
      `status takes no argument "${positionals[0]}"`,
      'See `pfront cluster status --help`.',
    );
  const givenAddress = readAddress(values);
  const { cluster, servers, files } = completeAddress(givenAddress, 'observer');
  const link = await connect({ servers, files }, 'pfront cluster status');
  try {
    const watch = watchNodes(link, cluster);
    await sleep(LISTEN);
    const nodes = watch.rows();
    watch.close();
    console.log(
      values.json
        ? JSON.stringify({ cluster, servers, nodes })
        : `${paint('bold', `cluster ${cluster}`)} at ${servers.join(', ')}\n\n${nodeTable(nodes)}`,
    );
    return nodes.length > 0 ? 0 : 1;
  } finally {
    await link.close();
  }
}
