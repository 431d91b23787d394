// Extracts the option --between, which has two values, from the arguments of `pfront clash`.
import { UsageError } from '../usageError.js';

const EXAMPLE = "Write --between 'type:IfcPipeSegment' 'type:IfcWall'.";

/**
 * Returns the two values of --between, if given, and the other arguments. The parser of Node supports only
 * options with one value.
 *
 * @throws UsageError
 */
export function takeBetween(args: readonly string[]): {
  between: [string, string] | undefined;
  rest: string[];
} {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = args.slice(0, end);
  const at = options.indexOf('--between');
  if (options.some(arg => arg.startsWith('--between=')))
    throw new UsageError('--between= has one value, but --between takes two', EXAMPLE);
  if (at < 0) return { between: undefined, rest: [...args] };
  const [a, b] = options.slice(at + 1);
  if (a === undefined || b === undefined || a.startsWith('--') || b.startsWith('--'))
    throw new UsageError('--between requires two sets of parts', EXAMPLE);
  if (options.indexOf('--between', at + 1) >= 0)
    throw new UsageError(
      '--between is given twice',
      'Write the rules to a file, and pass this file with --rules.',
    );
  return { between: [a, b], rest: [...args.slice(0, at), ...args.slice(at + 3)] };
}
