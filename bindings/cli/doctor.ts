// Implements the command `pfront doctor`: checks which features pfront can use on this machine (SIMD,
// threads, memory, WebGPU), and prints how to fix what is missing.
import { availableParallelism } from 'node:os';
import { CollisionError } from '../core/errors.js';
import { createEngine, type EngineInfo, type Note } from '../index.js';
import { fixOf } from './capacityFix.js';
import { parseArguments } from './parseArguments.js';
import { formatCount, paint } from './terminal.js';
import { UsageError } from './usageError.js';

export const doctorHelp = `pfront doctor

Checks what pfront can use on this machine (SIMD, threads, memory, WebGPU), prints how
to fix what is missing, and shows the headers that a web page needs for threads.`;

// The smallest module with a SIMD instruction: (func (result v128) i32.const 0 i8x16.splat)
const SIMD_MODULE = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  5,
  1,
  96,
  0,
  1,
  123,
  3,
  2,
  1,
  0,
  10,
  8,
  1,
  6,
  0,
  65,
  0,
  253,
  15,
  11,
);

const HEADERS = `A web page can use threads only if it is cross-origin isolated. Send both headers with the page:
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp`;

interface Finding {
  what: string;
  found: string;
  isGood: boolean;
  fix?: string;
}

/**
 * Runs `pfront doctor` with these arguments.
 *
 * @returns The exit code: 0, or 1 if pfront cannot run on this machine.
 * @throws UsageError
 */
export async function doctor(args: string[]): Promise<number> {
  if (readHelp(args)) {
    console.log(doctorHelp);
    return 0;
  }
  const findings = [...checkRuntime(), ...(await checkEngine())];
  for (const { what, found, isGood, fix } of findings) {
    console.log(`${isGood ? paint('green', 'ok  ') : paint('yellow', 'note')}  ${what.padEnd(10)} ${found}`);
    if (fix) console.log(`                 fix: ${fix}`);
  }
  console.log(`\n${HEADERS}`);
  return findings.some(({ what, isGood }) => !isGood && (what === 'SIMD' || what === 'engine')) ? 1 : 0;
}

function readHelp(args: string[]): boolean {
  const fix = 'Run pfront doctor without arguments.';
  const { values, positionals } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, fix);
  if (positionals.length > 0)
    throw new UsageError(`doctor takes no arguments, but "${positionals[0]}" was passed`, fix);
  return values.help ?? false;
}

function checkRuntime(): Finding[] {
  const hasSimd = WebAssembly.validate(SIMD_MODULE);
  const hasSharedMemory = typeof SharedArrayBuffer === 'function';
  return [
    { what: 'Node', found: process.version, isGood: true },
    check(
      'SIMD',
      hasSimd,
      'yes',
      'no',
      'Use a processor and a version of Node that support WebAssembly SIMD.',
    ),
    { what: 'cores', found: `${availableParallelism()}`, isGood: true },
    check(
      'shared',
      hasSharedMemory,
      'threads can share memory',
      'threads cannot share memory',
      'Start Node without flags that disable SharedArrayBuffer.',
    ),
  ];
}

function check(what: string, isGood: boolean, good: string, bad: string, fix: string): Finding {
  return isGood ? { what, found: good, isGood } : { what, found: bad, isGood, fix };
}

async function checkEngine(): Promise<Finding[]> {
  try {
    const engine = await createEngine();
    await engine.async.ready();
    // The speed of the GPU is known only after the first query.
    const point = engine.createMesh({ positions: new Float32Array(9) });
    await engine.async.query(point, point);
    const { threads, maximumMemoryBytes, notes } = engine.info;
    const gpu = gpuOf(engine.info);
    engine.dispose();
    return [
      { what: 'threads', found: `${threads}`, isGood: true },
      { what: 'memory', found: `up to ${formatCount(maximumMemoryBytes)} bytes`, isGood: true },
      gpu,
      ...notes
        .filter(note => !isAboutGpu(note))
        .map(({ code, message, fix }) => ({ what: code, found: message, isGood: false, fix })),
    ];
  } catch (error) {
    if (!(error instanceof CollisionError)) throw error;
    return [
      {
        what: 'engine',
        found: `cannot start: ${error.message}`,
        isGood: false,
        fix: fixOf(error, ['doctor']),
      },
    ];
  }
}

const isAboutGpu = ({ code }: Note): boolean => code.includes('gpu');

function gpuOf({ gpu, notes }: EngineInfo): Finding {
  if (gpu) {
    const { vendor, architecture, description, crossovers } = gpu;
    const crossover = crossovers?.['query'] ?? Infinity;
    const name = [vendor, architecture, description].filter(Boolean).join(', ') || 'unnamed GPU';
    return {
      what: 'WebGPU',
      found: `${name}; ${Number.isFinite(crossover) ? `faster than the CPU from about ${formatCount(crossover)} triangles` : 'the CPU is faster'}`,
      isGood: true,
    };
  }
  const { message, fix } = notes.findLast(isAboutGpu)!;
  return { what: 'WebGPU', found: message, isGood: false, fix };
}
