// Parses the arguments of a command. Each option may be given at most once.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usageError.js';

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>
>;

/**
 * Parses arguments with node:util's parseArgs.
 * @param seeHelp - The text of `fix` in errors, which says where the options are listed.
 * @throws UsageError if an argument is invalid, or if an option is given twice, because only its last value
 *   would be used.
 */
export function parseArguments<const O extends Options>(
  args: string[],
  options: O,
  seeHelp: string,
): Parsed<O> {
  const config = { args, allowPositionals: true, tokens: true, options } as const;
  let parsed: ReturnType<typeof parseArgs<typeof config>>;
  try {
    parsed = parseArgs(config);
  } catch (error) {
    throw asUsageError(error, seeHelp);
  }
  const given = new Map<string, string | undefined>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (given.has(name)) throw givenTwice(name, given.get(name), value);
    given.set(name, value);
  }
  return parsed as Parsed<O>;
}

/** Returns the error for an option that is given twice. `first` and `second` are its values, if it has any. */
export function givenTwice(name: string, first: unknown, second: unknown): UsageError {
  const [x, y] = [first, second].map(value =>
    typeof value === 'string' ? withoutCredentials(value) : undefined,
  );
  const values = x === undefined || y === undefined ? '' : `: ${x} and ${y}`;
  return new UsageError(`--${name} is given twice${values}`, 'Give each option once.');
}

/** Replaces the user name and the password in an address of a server by an ellipsis. */
export const withoutCredentials = (address: string): string => address.replace(/^(\w+:\/\/)?.*@/s, '$1…@');

// Converts an error of parseArgs to a UsageError with a one-line message. Returns any other error unchanged.
function asUsageError(error: unknown, fix: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  return new UsageError(message.split(/\.\s/)[0].replace(/\s+/g, ' '), fix);
}
