// `pfront bench [SCENE]`: a scene -> its times on this machine beside the paper's own figures, as a table or
// JSON.
import { parseArgs } from 'node:util';
import type { BenchScene, Outcome, Setup } from '../papers/scenes/scene.js';
import { lookAtMachine, type Machine } from './bench/machine.js';
import { type Row, rowsOf, tableOf } from './bench/rows.js';
import { createProgress } from './progress.js';
import { paint, plural } from './terminal.js';
import { asUsageError, UsageError } from './usageError.js';

const MOST_THREADS = 256;

export const benchHelp = `pfront bench [SCENE]

Runs a scene of the papers on this machine and prints its times beside the papers'
own. Without SCENE, lists the scenes.

  --threads 1,2  numbers of threads to compare, 1 to ${MOST_THREADS}; more than there are
                 cores are allowed. Default: 1 and all cores, or the paper's
  --backend B    wasm, or webgpu: a GPU beside the CPU, in scenes of meshes
  --seed N       of whatever is random, 0 to 4294967295; default 1
  --json         one JSON object on standard output
  --quick        small inputs, one round: shows that it runs, its times say nothing
  --help         this text`;

interface Options {
  threads: number[] | undefined;
  seed: number;
  size: Setup['size'];
  backend: Setup['backend'];
}

/** Returns the exit code. Throws UsageError and what the engine throws. */
export async function bench(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(benchHelp);
    return 0;
  }
  if (positionals.length > 1)
    throw new UsageError(`bench takes one scene, not ${positionals.length}`, 'Run one after the other.');
  const [name] = positionals;
  const options: Options = {
    threads: readThreads(values.threads),
    seed: readSeed(values.seed),
    size: values.quick ? 'quick' : 'full',
    backend: readBackend(values.backend),
  };
  const { scenes } = await import('../papers/scenes/all.js');
  if (name === undefined) {
    console.log(
      values.json
        ? JSON.stringify({
            scenes: scenes.map(scene => ({ name: scene.name, line: scene.line, paper: scene.paper?.cite })),
          })
        : listText(scenes),
    );
    return 0;
  }
  const scene = scenes.find(one => one.name === name);
  if (!scene)
    throw new UsageError(
      `"${name}" is not a scene`,
      `Choose among ${scenes.map(one => one.name).join(', ')}.`,
    );
  if (options.backend === 'webgpu' && !scene.runsOnGpu)
    throw new UsageError(
      `${name} runs on the CPU alone`,
      `Choose among ${scenes
        .filter(one => one.runsOnGpu)
        .map(one => one.name)
        .join(', ')}, or leave --backend out.`,
    );
  console.log(await report(scene, options, values.json ? 'json' : 'text'));
  return 0;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        threads: { type: 'string' },
        backend: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'boolean' },
        quick: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw asUsageError(error, 'See `pfront bench --help`.');
  }
}

function readThreads(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const counts = text.split(',').map(word => (/^\d{1,3}$/.test(word) ? Number(word) : NaN));
  if (counts.every(count => count >= 1 && count <= MOST_THREADS))
    return [...new Set(counts)].sort((a, b) => a - b);
  throw new UsageError(
    `--threads ${text} is not a list of whole numbers from 1 to ${MOST_THREADS}`,
    'Write --threads 1,2,4, or leave it out.',
  );
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new UsageError(
    `--seed ${text} is not a whole number from 0 to 4294967295`,
    'Write --seed 7, or leave it out.',
  );
}

function readBackend(text = 'wasm'): Setup['backend'] {
  if (text === 'wasm' || text === 'webgpu') return text;
  throw new UsageError(
    `--backend ${text} is neither wasm nor webgpu`,
    'Write --backend webgpu, or leave it out.',
  );
}

function listText(scenes: readonly BenchScene[]): string {
  const width = Math.max(...scenes.map(({ name }) => name.length));
  return `${scenes.map(({ name, line }) => `${paint('bold', name.padEnd(width))}  ${line}`).join('\n')}\n\nRun one with \`pfront bench SCENE\`.`;
}

async function report(
  scene: BenchScene,
  { threads, seed, size, backend }: Options,
  format: 'json' | 'text',
): Promise<string> {
  const machine = lookAtMachine();
  const progress = createProgress();
  const setup: Setup = {
    threads: threads ?? scene.threads ?? [...new Set([1, machine.cores])],
    seed,
    size,
    backend,
    progress,
  };
  progress.begin('Preparing', 1);
  try {
    const outcome = await scene.run(setup);
    const result = { ...outcome, remarks: [...general(setup, machine), ...outcome.remarks] };
    const rows = rowsOf(scene.paper, outcome.measured);
    return format === 'json'
      ? jsonOf(scene, setup, machine, result, rows)
      : textOf(scene, setup, machine, result, rows);
  } finally {
    progress.end();
  }
}

function general({ threads, size }: Setup, { cores }: Machine): string[] {
  const many = threads.filter(count => count > cores);
  return [
    ...(size === 'quick'
      ? ['Quick: far smaller than the scene, so the times do not compare with anything.']
      : []),
    ...(many.length > 0
      ? [
          `${many.join(', ')} threads are more than this machine's ${plural(cores, 'core')}: they take turns, and are as a rule no faster than ${cores}.`,
        ]
      : []),
  ];
}

function textOf(
  { name, line, paper }: BenchScene,
  { seed }: Setup,
  machine: Machine,
  { cases, rounds, remarks }: Outcome,
  rows: Row[],
): string {
  const runs = `median of ${plural(rounds, 'interleaved run')}${cases > 1 ? `, mean over ${cases} frames` : ''}`;
  return [
    `${paint('bold', name)}: ${line}`,
    ...(paper ? [`paper: ${paper.cite}; ${paper.machine}`] : []),
    `here:  ${machine.processor}, ${plural(machine.cores, 'core')}, ${machine.memoryGiB} GiB; pfront ${machine.pfront}, Node ${machine.node}; seed ${seed}; ${runs}`,
    '',
    tableOf(rows),
    '',
    ...remarks,
  ].join('\n');
}

function jsonOf(
  { name, line, paper }: BenchScene,
  { threads, seed, size }: Setup,
  machine: Machine,
  { cases, rounds, remarks }: Outcome,
  rows: Row[],
): string {
  return JSON.stringify({
    scene: name,
    line,
    paper: paper && { cite: paper.cite, machine: paper.machine },
    machine,
    threads,
    seed,
    size,
    rounds,
    cases,
    rows,
    remarks,
  });
}
