// Fuzz targets for the reader of IFC files: the check of a file's records alone, and the whole reader, which
// runs in this thread.
import * as library from 'web-ifc';
import { checkIfc } from '../../../dist/formats/ifcCheck.js';
import { unreadableElements } from '../../../dist/formats/ifcElements.js';
import { readSchema } from '../../../dist/formats/ifcSchema.js';
import { StepFile } from '../../../dist/formats/stepFile.js';
import { readHere } from '../../formats/ifcMutants.js';
import { beam, ifc } from '../../formats/smallIfc.js';
import { byteMutators } from '../mutators/bytes.js';
import { tokenMutator } from '../mutators/step.js';
import { latin, ofLatin, textMutators } from '../mutators/text.js';
import { checkParts } from '../oracles/parts.js';
import { require, requireTypedError, type Target } from '../target.js';

const schema = readSchema(library);

const DICTIONARY = [
  '$',
  '*',
  '()',
  '(',
  ')',
  ',',
  ';',
  '=',
  "''",
  "'x'",
  "'0YvctVUKr0kugbFTf53O9L'",
  '"0F"',
  '.T.',
  '.F.',
  '.AREA.',
  '.METRE.',
  '.MILLI.',
  '#1',
  '#2',
  '#100',
  '#999999',
  '#4294967295',
  '#4294967296',
  '0.',
  '-1.',
  '1.E400',
  '7',
  '/*',
  '*/',
  '/* x */',
  '(1.,2.)',
  '((1.,2.),(3.,4.))',
  "IFCLABEL('x')",
  'IFCLENGTHMEASURE(1.)',
  'IFCWALL',
  'IFCNOTHING',
  'IFCBEAM',
  'IFCRELVOIDSELEMENT',
  'IFCRELAGGREGATES',
  'IFCOPENINGELEMENT',
  'IFCBOOLEANRESULT',
  'IFCTRIANGULATEDFACESET',
  'IFCPOLYLINE',
  'ENDSEC;',
  'DATA;',
  'END-ISO-10303-21;',
]; // prettier-ignore

const small = ifc([
  beam('Low', [0, 0, 0], [3, 0.5, 0.25]),
  beam('Across', [0, 0, 0.125], [0.5, 3, 0.25]),
  beam('Post', [5, 0, 0], [0.25, 0.25, 3], 'IFCCOLUMN'),
]);

/**
 * Describes the records and faults that the check finds in a file, without their positions in the file.
 * Returns undefined if the file is refused.
 */
function describe(bytes: Uint8Array): { text: string; records: number } | undefined {
  try {
    const file = new StepFile(bytes);
    const checked = checkIfc(file, schema);
    const { links, linksAt, faults } = checked;
    require(linksAt.length === file.count + 1, () =>
      `${linksAt.length} offsets of links for ${file.count} records`);
    for (let i = 0; i < linksAt[file.count]; i++)
      require(links[i] < file.count, () =>
        `link ${i} refers to record ${links[i]}, but there are ${file.count} records`);
    for (const [record, fault] of faults)
      require(record < file.count && typeof fault === 'string' && fault !== '' && !/[\r\n]/.test(fault), () =>
        `fault ${JSON.stringify(fault)} of record ${record}`);
    const numbers = file.numbers.slice(0, file.count);
    numbers.forEach((number, i) =>
      require(file.recordOf(number) === i, () => `#${number} is record ${file.recordOf(number)}, not ${i}`),
    );
    return {
      records: file.count,
      text: JSON.stringify([
        [...numbers],
        [...file.entities.slice(0, file.count)].map(entity => file.names[entity]),
        [...faults],
        [...linksAt],
        [...links.subarray(0, linksAt[file.count])],
        [...unreadableElements(checked)],
      ]),
    };
  } catch (error) {
    requireTypedError(error, ['InvalidFile']);
    return undefined;
  }
}

export const ifcRecords: Target = {
  name: 'IFC records',
  covers: /^formats\/(stepFile|stepTokens|ifcCheck|ifcElements|ifcIndices|attributeCheck)\.js$/,
  mutants: 15_000,
  maxBytes: 8192,
  mutators: [...byteMutators, ...textMutators, ...Array(8).fill(tokenMutator)],
  dictionary: DICTIONARY,
  seeds: () => [ofLatin(small), ofLatin(ifc([beam('', [0, 0, 0], [1, 1, 1])], 'FOOT'))],
  check(bytes) {
    const found = describe(bytes);
    if (!found) return false;
    const text = latin(bytes);
    // Adds blanks and comments around separators, but not inside texts, comments and binary data. This must not
    // change the records or faults.
    const spaced = text.replace(/'(?:[^']|'')*'|"[^"]*"|\/\*[^]*?\*\/|[;,]/g, token =>
      token === ';' ? ' ;\r\n/* ; */\t' : token === ',' ? ' ,\n' : token,
    ); // prettier-ignore
    require(describe(ofLatin(spaced))?.text === found.text, () =>
      'with blanks and comments, the records or faults differ');
    const numbered = text.replace(/'(?:[^']|'')*'|"[^"]*"|\/\*[^]*?\*\//g, '').match(/#\d+\s*=/g) ?? [];
    require(numbered.length === found.records, () =>
      `${found.records} records, but ${numbered.length} numbers before =`);
    return true;
  },
};

/**
 * Matches beams, columns and walls with a placement and a shape. The seeds have no other types of elements.
 */
const SHAPED = /=\s*IFC(?:BEAM|COLUMN|WALL)\s*\(\s*'[^']*'\s*,[^,]*,[^,]*,[^,]*,[^,]*,\s*#\d+\s*,\s*#\d+/g;

export const ifcWhole: Target = {
  name: 'IFC',
  covers: /^formats\/(ifc\w*|stepFile|stepTokens|attributeCheck)\.js$/,
  mutants: 150,
  maxBytes: 8192,
  mutators: Array<typeof tokenMutator>(4).fill(tokenMutator).concat(byteMutators[0], textMutators[0]),
  dictionary: DICTIONARY,
  seeds: () => [ofLatin(small)],
  async check(bytes) {
    const text = latin(bytes);
    const { parts, isReported } = await readHere(text);
    checkParts(parts);
    if (isReported) return false;
    const plain = text.replace(/\/\*[^]*?\*\//g, '');
    const elements = plain.match(SHAPED)?.length ?? 0;
    require(parts.length >= elements, () =>
      `${parts.length} parts for ${elements} elements, and no message about the others`);
    return true;
  },
};
