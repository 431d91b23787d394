// Makes the error for files that require an optional package that is not installed.
import { CollisionError } from '../core/errors.js';

/** The codes of the errors that `import` and `require` throw. */
const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Returns the error MissingPackage if `error` says that an imported package is not installed. Throws any other
 * error.
 * @param files The files that require the package, such as `IFC files`.
 */
export function missingPackage(error: unknown, files: string, library: string): CollisionError {
  if (!NOT_FOUND.includes((error as NodeJS.ErrnoException).code!)) throw error;
  return new CollisionError(
    'MissingPackage',
    `${files} require the package ${library}, which is not installed`,
    `Run npm install ${library}, then this command again.`,
  );
}
