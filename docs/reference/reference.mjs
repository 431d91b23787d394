// Generates the API reference from the docstrings of the package's public entry points, with TypeDoc: one page
// for each public name. A name without a docstring is an error, and so is a broken link.
import { Application } from 'typedoc';
import { pathOf } from '../../bindings/build/paths.mjs';

const options = {
  name: 'pfront',
  entryPoints: [
    'bindings/index.ts',
    'bindings/samples/index.ts',
    'bindings/three/index.ts',
    'bindings/cluster/index.ts',
    'bindings/debug/index.ts',
    'bindings/verify/index.ts',
    'bindings/papers/index.ts',
  ].map(file => pathOf(file)),
  tsconfig: pathOf('bindings/tsconfig.json'),
  basePath: pathOf('bindings'),
  readme: pathOf('docs/reference/front.md'),
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  excludeExternals: true,
  disableSources: true,
  disableGit: true,
  hideGenerator: true,
  githubPages: false,
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};

/**
 * Writes all pages to `folder`. @returns the folder. @throws an Error if TypeDoc has printed an error or a
 * warning
 */
export async function buildReference(folder = pathOf('docs/api')) {
  const application = await Application.bootstrap({ ...options, logLevel: 'Warn' });
  const project = await application.convert();
  if (project) application.validate(project);
  if (!project || application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error('the reference has gaps: see above');
  await application.generateDocs(project, folder);
  if (application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error('the reference could not be written: see above');
  return folder;
}
