// The fuzz target for the reader of 3MF files. An input is the XML of a model; it is packed before it is read.
import { unzipSync, zipSync } from 'fflate';
import type { Part } from '../../../dist/formats/part.js';
import { readThreeMf } from '../../../dist/formats/readThreeMf.js';
import { modelXml, threeMf, triangleObject } from '../../formats/smallThreeMf.js';
import { byteMutators } from '../mutators/bytes.js';
import { latin, ofLatin, textMutators } from '../mutators/text.js';
import { checkParts, requireCorners, requireSameParts } from '../oracles/parts.js';
import { asCoordinate } from '../oracles/slowNumbers.js';
import { require, requireTypedError, type Target } from '../target.js';

const PATH = '3D/3dmodel.model';
const files = unzipSync(threeMf({}));

/** Reads a model; returns undefined if it is refused. */
async function readModel(xml: Uint8Array): Promise<Part[] | undefined> {
  const packed = zipSync({ ...files, [PATH]: xml }, { level: 0 });
  try {
    return await readThreeMf(packed, () => {}, 2 ** 26);
  } catch (error) {
    requireTypedError(error, ['InvalidFile']);
    return undefined;
  }
}

// Returns the corners of a model that has one object and one item without a transform, found by regular
// expressions. Returns undefined for any other model.
function slowCorners(text: string): number[] | undefined {
  const plain =
    /^<\?xml[^>]*\?>\s*<model unit="millimeter"[^>]*>\s*(?:<metadata name="Title">small<\/metadata>)?\s*<resources>\s*<object id="1">\s*<mesh>\s*<vertices>((?:<vertex x="[^"<>&]*" y="[^"<>&]*" z="[^"<>&]*"\/>)*)<\/vertices>\s*<triangles>((?:<triangle v1="\d+" v2="\d+" v3="\d+"\/>)*)<\/triangles>\s*<\/mesh>\s*<\/object>\s*<\/resources>\s*<build>\s*<item objectid="1"\/>\s*<\/build>\s*<\/model>\s*$/.exec(
      text,
    );
  if (!plain) return undefined;
  const values = (list: string): string[] => [...list.matchAll(/"([^"]*)"/g)].map(match => match[1].trim());
  const points = values(plain[1]).map(asCoordinate);
  return values(plain[2]).flatMap(vertex => points.slice(3 * Number(vertex), 3 * Number(vertex) + 3));
}

export const threeMfModels: Target = {
  name: '3MF',
  covers: /^formats\/(threeMfModel|threeMfParts|threeMfXml|transforms|commonFrame|growingList)\.js$/,
  mutants: 5_000,
  maxBytes: 4096,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    '<vertex x="1" y="2" z="3"/>',
    '<triangle v1="0" v2="1" v3="2"/>',
    '<item objectid="1"/>',
    '<component objectid="1"/>',
    '<components>',
    '</components>',
    '<object id="2">',
    '</object>',
    '<mesh>',
    '</mesh>',
    '<metadata name="a">b</metadata>',
    ' transform="1 0 0 0 1 0 0 0 1 5 6 7"',
    ' unit="inch"',
    ' unit="micron"',
    ' type="other"',
    ' name="a"',
    ' p:path="/3D/3dmodel.model"',
    ' requiredextensions="p"',
    '<!-- x -->',
    '<![CDATA[x]]>',
    '&amp;',
    '&#48;',
    'xmlns:x="urn:x"',
    '<x:y xmlns:x="urn:x"/>',
    '4500000.25',
  ], // prettier-ignore
  seeds: () => [
    ofLatin(modelXml(triangleObject(1), '<item objectid="1"/>')),
    ofLatin(
      modelXml(
        `${triangleObject(1, ' name="a"')}<object id="2"><components><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 0 0 5"/></components></object>`,
        '<item objectid="2"/><item objectid="1" p:path="/3D/3dmodel.model" transform="1 0 0 0 1 0 0 0 1 10 0 0"/>',
        'unit="inch" requiredextensions="p"',
      ),
    ),
  ],
  async check(bytes) {
    const parts = await readModel(bytes);
    if (!parts) return false;
    checkParts(parts);
    const text = latin(bytes);
    const expected = slowCorners(text);
    if (expected) requireCorners(parts, expected);
    requireSameParts('the second read', { parts: (await readModel(bytes))!, warnings: [] }, parts);
    // Comments and blanks between two tags change nothing, unless the text has comments or CDATA of its own, or
    // an attribute with a '<', which the XML parser accepts.
    if (/<!|="[^"]*<|='[^']*</.test(text)) return true;
    const spaced = await readModel(ofLatin(text.replace(/>(\s*)</g, '>$1 <!-- <vertex/> -->\r\n\t<')));
    require(spaced !== undefined, () => 'with comments, the file is refused');
    requireSameParts('with comments', { parts: spaced, warnings: [] }, parts);
    return true;
  },
};
