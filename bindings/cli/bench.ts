// Implements the command `pfront bench [SCENE]`: times a benchmark scene on this machine and prints the
// times, as a table or as JSON. If the scene is from a paper, the times in the paper are printed beside them.
import type { BenchScene, Outcome, Setup } from '../papers/scenes/scene.js';
import { describeMachine, type Machine } from './bench/machine.js';
import { type Row, rowsOf, tableOf } from './bench/rows.js';
import { parseArguments } from './parseArguments.js';
import { createProgress } from './progress.js';
import { paint, plural } from './terminal.js';
import { UsageError } from './usageError.js';

const MAX_THREADS = 256;

export const benchHelp = `pfront bench [SCENE]

Runs a benchmark scene on this machine. If the scene is from a paper, prints the
times in the paper beside the measured ones. Without SCENE, lists the scenes.

  --threads 1,2  thread counts to compare, 1 to ${MAX_THREADS}; may exceed the number of
                 cores. The default depends on the scene; mostly 1 and all cores
  --backend B    wasm (default), or webgpu to time a GPU, too. webgpu works only with
                 worm-gear, epicyclic-train, collision-sequence and random-courses
  --seed N       seed of the random numbers, 0 to 4294967295; default: 1
  --json         print one JSON object to standard output
  --quick        small inputs and one round, to check that the scene runs; the times
                 are not comparable
  --help         print this text`;

interface Options {
  threads: number[] | undefined;
  seed: number;
  size: Setup['size'];
  backend: Setup['backend'];
}

/**
 * Runs `pfront bench` with these arguments.
 *
 * @returns The exit code.
 * @throws UsageError and errors of the engine.
 */
export async function bench(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(benchHelp);
    return 0;
  }
  if (positionals.length > 1)
    throw new UsageError(
      `bench takes one scene, not ${positionals.length}`,
      'Run the scenes one after the other.',
    );
  const [name] = positionals;
  const options: Options = {
    threads: readThreads(values.threads),
    seed: readSeed(values.seed),
    size: values.quick ? 'quick' : 'full',
    backend: readBackend(values.backend),
  };
  const { scenes } = await import('../papers/scenes/scenes.js');
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
  const scene = scenes.find(candidate => candidate.name === name);
  if (!scene)
    throw new UsageError(
      `"${name}" is not a scene`,
      `Choose one of ${scenes.map(candidate => candidate.name).join(', ')}.`,
    );
  if (options.backend === 'webgpu' && !scene.runsOnGpu)
    throw new UsageError(
      `${name} runs only on the CPU`,
      `Choose one of ${scenes
        .filter(candidate => candidate.runsOnGpu)
        .map(candidate => candidate.name)
        .join(', ')}, or remove --backend.`,
    );
  console.log(await runScene(scene, options, values.json ? 'json' : 'text'));
  return 0;
}

function parse(args: string[]) {
  return parseArguments(
    args,
    {
      threads: { type: 'string' },
      backend: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean' },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
    'See `pfront bench --help`.',
  );
}

function readThreads(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const counts = text.split(',').map(word => (/^\d{1,3}$/.test(word) ? Number(word) : NaN));
  if (counts.every(count => count >= 1 && count <= MAX_THREADS))
    return [...new Set(counts)].sort((a, b) => a - b);
  throw new UsageError(
    `--threads ${text} is not a list of whole numbers from 1 to ${MAX_THREADS}`,
    'Write --threads 1,2,4, or remove it.',
  );
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new UsageError(
    `--seed ${text} is not a whole number from 0 to 4294967295`,
    'Write --seed 7, or remove it.',
  );
}

function readBackend(text = 'wasm'): Setup['backend'] {
  if (text === 'wasm' || text === 'webgpu') return text;
  throw new UsageError(
    `--backend ${text} is neither wasm nor webgpu`,
    'Write --backend webgpu, or remove it.',
  );
}

function listText(scenes: readonly BenchScene[]): string {
  const width = Math.max(...scenes.map(({ name }) => name.length));
  return `${scenes.map(({ name, line }) => `${paint('bold', name.padEnd(width))}  ${line}`).join('\n')}\n\nRun one with \`pfront bench SCENE\`.`;
}

async function runScene(
  scene: BenchScene,
  { threads, seed, size, backend }: Options,
  format: 'json' | 'text',
): Promise<string> {
  const machine = describeMachine();
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
      ? ['Quick: the input is far smaller than in a full run, so the times are not comparable.']
      : []),
    ...(many.length > 0
      ? [
          `${many.join(', ')} threads are more than this machine's ${plural(cores, 'core')}: they share the cores, and are usually no faster than ${cores}.`,
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
