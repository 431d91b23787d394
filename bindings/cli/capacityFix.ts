// Returns the advice that a command prints if it runs out of memory. The advice in the engine's own errors
// names options of functions, which a command line does not have.
import { Capacity, type CollisionError } from '../core/errors.js';
import { formatCount } from './terminal.js';

/** The largest memory of an engine. */
const MAX_BYTES = 2 ** 32;
/**
 * Approximate number of triangles, in millions, that fit into `MAX_BYTES`: see "Limits of the readers" in
 * docs/guides/clash-files.md.
 */
const MAX_MILLION_TRIANGLES = 25;
const MIB = 2 ** 20;

/** Thrown if the meshes of a model do not fit into the memory of an engine. */
export class ModelTooLarge extends Capacity {
  /** @param triangles - The number of triangles; a mesh that several parts share counts once. */
  constructor(
    { message, fix, neededBytes }: Capacity,
    readonly triangles: number,
  ) {
    super(message, fix, neededBytes);
  }
}

/** Returns the fix that a command prints for an error. args: the arguments of `pfront`. */
export function fixOf(error: CollisionError, args: readonly string[]): string {
  if (!(error instanceof Capacity)) return error.fix;
  const { neededBytes } = error;
  if (error instanceof ModelTooLarge && neededBytes > MAX_BYTES)
    return `The model has ${formatCount(error.triangles)} triangles, but only about ${MAX_MILLION_TRIANGLES} million fit into 4 GiB of memory. Decimate its largest parts, or split it into files that are searched one after another.`;
  const less = lessFor(args);
  // More memory is not advised if the command needs more than an engine can have, or if the need is unknown
  // (0).
  if (neededBytes === 0 || neededBytes > MAX_BYTES) return less ?? 'Run a smaller task.';
  const more = `Make ${Math.ceil(neededBytes / MIB)} MiB of memory available: close other programs, or raise the memory limit of the process.`;
  return less ? `${more} Or: ${less[0].toLowerCase()}${less.slice(1)}` : more;
}

// Returns advice on how the command can need less memory; undefined if there is none.
function lessFor([command, ...args]: readonly string[]): string | undefined {
  if (command === 'clash') return 'Search fewer or simpler parts at once.';
  if (command === 'cluster' && args[0] === 'run')
    return 'Search fewer or simpler parts at once, or move fewer --bodies.';
  return command === 'bench' && !args.includes('--quick') ? 'Add --quick.' : undefined;
}
