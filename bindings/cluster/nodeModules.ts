// Loads Node's built-in modules without import statements, which bundlers for pages would follow.
import { ClusterError } from './errors.js';

/** Whether this code runs in Node, rather than in a page or its worker. */
export const isNode =
  typeof process === 'object' &&
  process.versions?.node !== undefined &&
  typeof process.getBuiltinModule === 'function';

/**
 * Returns the loader of Node's built-in modules. what: the feature that needs them, for the error message.
 * @throws CollisionError 'Cluster' on pages
 */
export function nodeModuleLoader(what: string): NodeJS.Process['getBuiltinModule'] {
  if (!isNode)
    throw new ClusterError(
      `${what} requires Node, but this is not Node`,
      'on a page, connect to a broker that runs elsewhere',
    );
  return process.getBuiltinModule.bind(process);
}
