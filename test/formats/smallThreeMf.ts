// Makes small 3MF files in memory for tests of the reader.
import { strToU8, zipSync } from 'fflate';

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';

/** Makes a 3MF package, which is a zip archive. files: the text of each file, by its path in the package. */
export function threeMf(files: Record<string, string>, target = '/3D/3dmodel.model'): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="${target}" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`,
    ),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])),
  });
}

/** Makes the XML of a model. */
export function modelXml(resources: string, build: string, attributes = 'unit="millimeter"'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<model ${attributes} xml:lang="en-US" xmlns="${CORE}" xmlns:p="${PRODUCTION}">
<metadata name="Title">small</metadata>
<resources>
${resources}
</resources>
<build>
${build}
</build>
</model>
`;
}

/** The mesh of an object, with one triangle. */
export const TRIANGLE = `<mesh>
<vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>
<triangles><triangle v1="0" v2="1" v3="2"/></triangles>
</mesh>`;

export const triangleObject = (id: number, more = ''): string =>
  `<object id="${id}"${more}>${TRIANGLE}</object>`;

/** Makes a 3MF package with one model. */
export const smallThreeMf = (resources: string, build: string, attributes?: string): Uint8Array =>
  threeMf({ '3D/3dmodel.model': modelXml(resources, build, attributes) });
