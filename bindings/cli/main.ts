#!/usr/bin/env node
// The `pfront` command line: runs the subcommand that the first argument names. If an expected error occurs,
// prints the error message and a suggested fix, one line each, and ends with exit code 2.
import { CollisionError } from '../core/errors.js';
import { VERSION } from '../core/version.js';
import { fixOf } from './capacityFix.js';
import { outputErrors } from './outputErrors.js';
import { printable } from './terminal.js';
import { UsageError } from './usageError.js';

const HELP = `pfront: exact collision detection

  pfront clash FILE [FILE ...]   find the parts of mesh files that clash
  pfront verify CERTIFICATE      check a certificate that \`pfront clash --certify\` wrote
  pfront sample [FILE.glb]       write a sample model to try the other commands on
  pfront bench [SCENE]           time benchmark scenes on this machine
  pfront cluster COMMAND         run searches on several processes and machines
  pfront doctor                  check what pfront can use on this machine
  pfront --version               print the version

For the options, run \`pfront clash --help\`, \`pfront verify --help\`,
\`pfront sample --help\`, \`pfront bench --help\` or \`pfront cluster --help\`.`;

/** The subcommands. The code of a subcommand is loaded only when it runs, because loading all code is slow. */
const commands: Readonly<Record<string, () => Promise<(args: string[]) => Promise<number>>>> = {
  clash: async () => (await import('./clash.js')).clash,
  verify: async () => (await import('./verify.js')).verify,
  sample: async () => (await import('./sample.js')).sample,
  bench: async () => (await import('./bench.js')).bench,
  cluster: async () => (await import('./cluster.js')).cluster,
  doctor: async () => (await import('./doctor.js')).doctor,
};

async function run([command, ...args]: string[]): Promise<number> {
  if (command !== undefined && Object.hasOwn(commands, command)) return (await commands[command]!())(args);
  if (command === '--help' || command === '-h' || command === 'help') {
    console.log(HELP);
    return 0;
  }
  if (command === '--version' || command === '-v') {
    console.log(VERSION);
    return 0;
  }
  throw new UsageError(
    command === undefined ? 'no command is given' : `"${command}" is not a command`,
    'Run pfront clash FILE, pfront verify CERTIFICATE, pfront sample, pfront bench, pfront cluster, pfront doctor or pfront --help.',
  );
}

// Prints an error and returns the exit code. An unexpected error is printed with its stack trace. Its exit
// code is 3, so that it cannot be mistaken for found clashes (1) or invalid input (2).
function report(error: unknown): number {
  if (error instanceof CollisionError) {
    const fix = fixOf(error, process.argv.slice(2));
    console.error(`pfront: ${printable(error.message.replace(/\s+/g, ' '))}\nfix: ${fix}`);
    return 2;
  }
  console.error(error);
  return 3;
}

// EPIPE means that the reader of the output, such as `head`, has stopped reading; this is not an error. After
// any other error, the output is incomplete, so the exit code must be neither 0 nor the code for found clashes
// (1).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  if (outputErrors.areIgnored) return;
  process.exit(
    report(
      new CollisionError(
        'OutputFailed',
        `standard output cannot be written (${error.message.split(',')[0]})`,
        'Free space on the disk, or redirect the output elsewhere.',
      ),
    ),
  );
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
