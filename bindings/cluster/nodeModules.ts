// Node's own modules without an import, which bundlers for pages would follow.
import { ClusterError } from './errors.js';

/** Whether this is a process of Node, rather than a page or its worker. */
export const isNode =
  typeof process === 'object' &&
  process.versions?.node !== undefined &&
  typeof process.getBuiltinModule === 'function';

/** what: that needs them, for the text of the error. @throws CollisionError 'Cluster' on pages */
export function nodeModules(what: string): NodeJS.Process['getBuiltinModule'] {
  if (!isNode)
    throw new ClusterError(
      `${what} needs Node, and this is none`,
      'on a page connect to a broker that runs elsewhere',
    );
  return process.getBuiltinModule.bind(process);
}
