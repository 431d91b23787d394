// Makes the error for files that require an optional package that is not installed.
import { CollisionError } from '../core/errors.js';

/**
 * Returns the error MissingPackage if `error` says that an imported package is not installed. Throws any other
 * error.
 * @param files The files that require the package, such as `IFC files`.
 */
export function missingPackage(error: unknown, files: string, library: string): CollisionError {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return new CollisionError(
    'MissingPackage',
    `${files} require the package ${library}, which is not installed`,
    `Run npm install ${library}, then this command again.`,
  );
}
