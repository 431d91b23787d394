// Fuzz target for the reader of the file that is passed to `pfront clash --rules`. The file has rules of
// pfront, clash sets of ifcclash, or both.
import { parseRules } from '../../../dist/cli/clash/rulesFile.js';
import { byteMutators } from '../mutators/bytes.js';
import { jsonMutator } from '../mutators/json.js';
import { ofLatin, textMutators } from '../mutators/text.js';
import { type SelectedPart, slowSelect } from '../oracles/slowSelector.js';
import { require, requireTypedError, type Target } from '../target.js';

const CLASSES = ['hard', 'contained', 'coplanar', 'touch', 'clearance'];
const PARTS: readonly SelectedPart[] = [
  {
    name: 'Pipe 1',
    file: 'models/a.ifc',
    type: 'IfcPipeSegment',
    id: '1abcABC_$',
    storey: 'Level 1',
    layer: 'M-pipes, M-all',
    system: 'heating',
    properties: { 'Pset_PipeCommon.Reference': 'P 1', LoadBearing: 'false' },
  },
  { name: 'Wall | north & type', file: 'a.ifc', type: 'IfcWall', objectType: 'W30', storey: 'Level 2' },
  { name: 'arm', file: 'robot.step', assembly: 'robot/arm/joint' },
  { name: '*', file: 'b.glb' },
  { name: 'aaaaaaaaaaaaaaaaaaaaaaaa', file: 'b.glb', properties: { 'a.b.c': 'aaaaaaaaaaaaaa' } },
];

function parse(text: string): ReturnType<typeof parseRules> | undefined {
  try {
    return parseRules('rules.json', text, ['a.ifc']);
  } catch (error) {
    requireTypedError(error, ['InvalidFile']);
    return undefined;
  }
}

const seed = (rules: unknown): Uint8Array => ofLatin(JSON.stringify(rules));

export const clashRules: Target = {
  name: 'clash rules',
  covers: /^cli\/clash\/(rulesFile|selector|pattern|ifcClashSets|ifcSelector|lengthOption)\.js$/,
  mutants: 8_000,
  maxBytes: 2_048,
  mutators: [...byteMutators, ...textMutators, ...Array(8).fill(jsonMutator)],
  dictionary: [
    'name',
    'between',
    'tolerance',
    'clearance',
    'classes',
    'a',
    'b',
    'mode',
    'file',
    'selector',
    'include',
    'exclude',
    'intersection',
    'collision',
    'allow_touching',
    'check_all',
    ...CLASSES,
    '25mm',
    '0',
    'type:IfcWall',
    'type:Ifc* & !storey:Level*',
    'property:LoadBearing=false | assembly:arm/*',
    'layer:M-*',
    'property:Pset_*.* = P*',
    'IfcWall, /Pset_.*Common/.LoadBearing=TRUE',
    '!a*a*a*a*b',
    '\n',
  ],
  seeds: () => [
    seed([
      { name: 'pipes', between: ['type:IfcPipeSegment & storey:Level 1', ['type:IfcWall', 'arm']] },
      { name: 'near', between: ['*', '!file:a.ifc'], clearance: '25mm', tolerance: 1e-3 },
    ]),
    seed([
      { name: 'hard', between: ['layer:M-all | id:1*', 'assembly:arm/joint'], classes: ['hard', 'touch'] },
    ]),
    seed([{ name: 'property', between: ['property:Reference = P*', 'objectType:W* & property:a*a*=a*'] }]),
    seed([
      {
        name: 'set',
        a: [{ file: 'a.ifc', mode: 'include', selector: 'IfcPipeSegment' }],
        b: [{ file: 'a.ifc', mode: 'exclude', selector: 'IfcWall, storey=Level' }],
        mode: 'clearance',
        clearance: 0.05,
        check_all: true,
      },
    ]),
  ],
  check(bytes) {
    const text = Buffer.from(bytes).toString();
    const found = parse(text);
    if (!found) return false;
    const entries = JSON.parse(text.replace(/^\ufeff/, '')) as Record<string, any>[];
    require(found.rules.length === entries.length, () => 'a rule was lost');
    require(found.files.includes('a.ifc'), () => 'a file of the command line was lost');
    require(new Set(found.rules.map(({ name }) => name)).size === entries.length, () => 'two equal names');
    found.rules.forEach((rule, i) => {
      const entry = entries[i]!;
      require(rule.name === entry.name, () => `rule ${i} has the name ${rule.name}`);
      for (const length of [rule.tolerance, rule.clearance])
        require(length === undefined || (length.value >= 0 && length.value < Infinity), () =>
          `rule ${i} has the length ${length!.value}`);
      require((rule.classes ?? []).every(name => CLASSES.includes(name)), () => `classes ${rule.classes}`);
      for (const part of PARTS)
        for (const [side, set] of [rule.a, rule.b].entries()) {
          const isMatch = set.matches(part as Parameters<typeof set.matches>[0]);
          require(typeof isMatch === 'boolean', () => `matches returns ${typeof isMatch}`);
          // Clash sets of ifcclash have selectors of another language.
          if ('a' in entry) continue;
          const selectors = [entry.between[side]].flat() as string[];
          const expected = selectors.some(selector => slowSelect(selector, part));
          require(isMatch === expected, () =>
            `${JSON.stringify(entry.between[side])} ${isMatch ? 'matches' : 'does not match'} ${part.name}`);
        }
    });
    return true;
  },
};
