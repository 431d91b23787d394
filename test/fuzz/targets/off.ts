// The fuzz target for the reader of OFF files.
import { byteMutators } from '../mutators/bytes.js';
import { latin, ofLatin, textMutators } from '../mutators/text.js';
import { read, requireAgreement, requireSameParts } from '../oracles/parts.js';
import { COMMENT_WITH_RETURN, slowOff } from '../oracles/slowOff.js';
import type { Target } from '../target.js';
import { lines, readTwice } from './meshFiles.js';

export const off: Target = {
  name: 'OFF',
  covers: /^formats\/(off|commonFrame|textScanner|growingList|memoryBudget)\.js$/,
  mutants: 25_000,
  maxBytes: 4096,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    'OFF',
    'COFF',
    'NOFF',
    'CNOFF',
    'STOFF',
    'STCNOFF',
    '4OFF',
    'nOFF',
    'BINARY',
    '4 2 5',
    '4 2',
    '#',
    '3 0 1 2',
    '4 0 1 2 3',
    '2 0 1',
    '1 0',
    '0 0 0',
    '255 0 0',
    '-1',
    'nan',
    '4500000.25',
    '\0',
  ], // prettier-ignore
  seeds: () => [
    lines('OFF', '4 2 5', '0 0 0', '1 0 0', '1 1 0', '0 1 0', '3 0 1 2', '3 0 2 3'),
    lines(
      '# a comment',
      'COFF 4 1 4',
      '',
      '0 0 0 1 0 0 1',
      '1e0 0 0 0.5 0 0 # red',
      '1 +1 0 255 0 0 1',
      '0 .1 -0 1 1 1',
      '4 0 1 2 3 0.5 0.5 0.5',
    ),
    lines(
      'NOFF',
      '3 3 0',
      '4500000.1 0 0 0 0 1',
      '4500001 0 0 0 0 1',
      '4500001 1 0 0 0 1',
      '3 0 1 2 7',
      '2 0 1',
      '1 0 255 0 0 255',
    ),
  ], // prettier-ignore
  check(bytes) {
    const file = readTwice('file.off', bytes);
    const text = latin(bytes);
    requireAgreement(file, slowOff(text));
    if (!file) return false;
    // Blanks, comments and empty lines between two lines change nothing. This is not checked for a file with a
    // carriage return in a comment, because pfront refuses some of these files.
    if (COMMENT_WITH_RETURN.test(text)) return true;
    const spaced = text.replace(/(\r?\n)(?=.)/g, '  \t # comment$1\r\n \t');
    requireSameParts('with comments', read('file.off', ofLatin(spaced)), file.parts);
    return true;
  },
};
