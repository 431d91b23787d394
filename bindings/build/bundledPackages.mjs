// Lists the npm packages whose code is bundled into dist. Writes two files: dist/licenses.txt has the license
// text of each package, and dist/sbom.cdx.json is a software bill of materials (SBOM) in CycloneDX format.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import { pathOf } from './paths.mjs';

/** Maps a package without a license file to a package of the same repository that has the license file. */
const LICENSED_WITH = { '@assemblyscript/loader': 'assemblyscript' };

const folderOf = name => pathOf('node_modules', name);
const readJson = file => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the sorted names of the packages in a bundle, given the bundle's esbuild metafile. */
export function packagesIn({ inputs }) {
  const names = Object.keys(inputs).flatMap(
    file => /^node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

// Returns the name and version of a package, with the text of its license. If the package has a NOTICE file
// (Apache License), adds the text of this file.
function licenseOf(name) {
  const folder = folderOf(LICENSED_WITH[name] ?? name);
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice)/i.test(file));
  if (!files.some(file => /^licen[cs]e/i.test(file)))
    throw new Error(`the bundled package ${name} has no license file: add it to LICENSED_WITH`);
  const { version, license } = readJson(path.join(folderOf(name), 'package.json'));
  const texts = files.sort().map(file => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** Returns the names and versions of packages, each with the text of its license. */
export const licensesOf = names => names.map(licenseOf).join('\n\n\n');

function componentOf(manifest) {
  const { Builders, Factories } = Contrib.FromNodePackageJson;
  const builder = new Builders.ComponentBuilder(
    new Factories.ExternalReferenceFactory(),
    new Contrib.License.Factories.LicenseFactory(),
  );
  const component = builder.makeComponent(manifest, Enums.ComponentType.Library);
  component.purl = new PackageURL('npm', component.group, component.name, component.version).toString();
  component.bomRef.value = component.purl;
  return component;
}

// Returns the bill of materials. It has no date and no serial number, so that builds are reproducible.
function billOfMaterials(names) {
  const bom = new Models.Bom();
  const root = componentOf(readJson(pathOf('package.json')));
  bom.metadata.component = root;
  const { packages } = readJson(pathOf('package-lock.json'));
  for (const name of names) {
    const component = componentOf(readJson(path.join(folderOf(name), 'package.json')));
    // The hash of the package's tarball.
    const sha512 = packages[`node_modules/${name}`].integrity.replace('sha512-', '');
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'));
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 });
}

/**
 * Writes dist/licenses.txt and dist/sbom.cdx.json for the packages in `names`. Returns the paths of both files.
 */
export function listBundledPackages(names) {
  const [licenses, sbom] = [pathOf('dist/licenses.txt'), pathOf('dist/sbom.cdx.json')];
  writeFileSync(
    licenses,
    `The files of this package contain code of other packages. These are their licenses.\n\n\n${licensesOf(names)}\n`,
  );
  writeFileSync(sbom, `${billOfMaterials(names)}\n`);
  return [licenses, sbom];
}
