#!/usr/bin/env node
// The `pfront` command: its first word names the command; every known error -> one line, its fix and exit
// code 2.
import { CollisionError } from '../core/errors.js';
import { bench } from './bench.js';
import { clash } from './clash.js';
import { cluster } from './cluster.js';
import { doctor } from './doctor.js';
import { printable } from './terminal.js';
import { UsageError } from './usageError.js';
import { packageVersion } from './version.js';

const HELP = `pfront: exact collision detection

  pfront clash FILE [FILE ...]   the parts of mesh files that clash
  pfront bench [SCENE]           scenes of the papers, timed on this machine
  pfront cluster COMMAND         the same work on many processes and machines
  pfront doctor                  what pfront can use of this machine
  pfront --version

\`pfront clash --help\`, \`pfront bench --help\` and \`pfront cluster --help\` list their
options.`;

async function run([command, ...args]: string[]): Promise<number> {
  if (command === 'clash') return clash(args);
  if (command === 'bench') return bench(args);
  if (command === 'cluster') return cluster(args);
  if (command === 'doctor') return doctor(args);
  if (command === '--help' || command === '-h' || command === 'help') {
    console.log(HELP);
    return 0;
  }
  if (command === '--version' || command === '-v') {
    console.log(packageVersion());
    return 0;
  }
  throw new UsageError(
    command === undefined ? 'no command is given' : `"${command}" is not a command`,
    'Write pfront clash FILE, pfront bench, pfront cluster, pfront doctor or pfront --help.',
  );
}

// Errors that nobody foresaw keep their stack, and a code that is not taken for clashes found.
function report(error: unknown): number {
  if (error instanceof CollisionError) {
    console.error(`pfront: ${printable(error.message.replace(/\s+/g, ' '))}\nfix: ${error.fix}`);
    return 2;
  }
  console.error(error);
  return 3;
}

// A reader that has seen enough, as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
