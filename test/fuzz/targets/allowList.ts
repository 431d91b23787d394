// Fuzz target for the reader of the file of `pfront clash --allow`, which lists the pairs of parts that may
// clash.
import { AllowList } from '../../../dist/cli/clash/allowList.js';
import { byteMutators } from '../mutators/bytes.js';
import { ofLatin, textMutators } from '../mutators/text.js';
import { slowMatch } from '../oracles/slowGlob.js';
import { require, requireTypedError, type Target } from '../target.js';

const PARTS = [
  { name: 'Pipe 1', type: 'IfcPipeSegment', id: '1abcABC_$' },
  { name: 'Pipe 2', type: 'IfcPipeSegment' },
  { name: 'Wall, north' },
  { name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
  { name: '#5' },
  { name: '*' },
];
const CLASSES = ['hard', 'contained', 'clearance', 'coplanar', 'touch'] as const;
const PAIRS = PARTS.flatMap((_, b) =>
  PARTS.slice(0, b).map((_, a) => ({ a, b, class: CLASSES[(a + 2 * b) % CLASSES.length] })),
);

const isNamed = (
  pattern: string,
  { name, type, id }: { name: string; type?: string; id?: string },
): boolean => [name, type, id].some(word => word !== undefined && slowMatch(pattern, word));

function parse(text: string): AllowList | undefined {
  try {
    return AllowList.parse('list.txt', text);
  } catch (error) {
    requireTypedError(error, ['InvalidFile']);
    return undefined;
  }
}

export const allowList: Target = {
  name: 'allow list',
  covers: /^cli\/clash\/allowList\.js$/,
  mutants: 7_500,
  maxBytes: 512,
  mutators: [...byteMutators, ...textMutators],
  dictionary: [
    '#',
    ',',
    '\t',
    '*',
    '**',
    'a*a*a*a*b',
    'Pipe*',
    'Ifc*',
    'Wall, north',
    '\r\n',
    '\ufeff',
    '# comment',
    'Pipe 1, Pipe 2',
    '\t\t',
    'touch coplanar',
    ', hard',
  ], // prettier-ignore
  seeds: () => [
    ofLatin('# pipes may touch\nPipe 1, Pipe 2\n\nPipe*\tWall, north\r\n'),
    ofLatin('IfcPipe*,*a*a*\n*\t*\n#5 \t 1abc*'),
    ofLatin('Pipe*, *, touch coplanar\n*\tWall, north\thard'),
  ],
  check(bytes) {
    const text = Buffer.from(bytes).toString();
    const list = parse(text);
    // Parses the rules again, in a simpler way that shares no code with pfront.
    const lines = text
      .replace(/^\ufeff/, '')
      .split('\n')
      .map(line => line.replace(/\r$/, ''))
      .filter(line => line.trim() !== '' && !/^\s*#/.test(line)); // prettier-ignore
    const rules = lines.map(line =>
      (/\t/.test(line) ? line.replace(/\t+/g, '\t').split('\t') : line.split(',')).map(word => word.trim()),
    ); // prettier-ignore
    const kindsOf = (words: string[]): string[] => (words[2] ?? '').split(' ').filter(word => word !== '');
    const areValid = rules.every(
      words =>
        words[0] !== '' &&
        words[1] !== '' &&
        (words.length === 2 ||
          (words.length === 3 &&
            kindsOf(words).length > 0 &&
            kindsOf(words).every(kind => (CLASSES as readonly string[]).includes(kind)))),
    ); // prettier-ignore
    require((list !== undefined) === areValid, () =>
      `the list is ${areValid ? 'valid' : 'invalid'}, but was ${list ? 'accepted' : 'refused'}`);
    if (!list) return false;
    const { isAllowed, unused } = list.apply(PARTS, PAIRS);
    const used = rules.map(() => false);
    PAIRS.forEach(({ a, b, class: kind }, i) => {
      const matching = rules.map(
        ([first, second, kinds]) =>
          (kinds === undefined || kindsOf(['', '', kinds]).includes(kind)) &&
          ((isNamed(first, PARTS[a]) && isNamed(second, PARTS[b])) ||
            (isNamed(first, PARTS[b]) && isNamed(second, PARTS[a]))),
      ); // prettier-ignore
      matching.forEach((isMatch, rule) => {
        used[rule] ||= isMatch;
      });
      require(isAllowed[i] === matching.includes(true), () =>
        `parts ${a} and ${b}: allowed is ${isAllowed[i]}, not ${!isAllowed[i]}`);
    });
    require(unused.length === used.filter(isUsed => !isUsed).length, () =>
      `${unused.length} rules are reported as unused, not ${used.filter(isUsed => !isUsed).length}`);
    return true;
  },
};
