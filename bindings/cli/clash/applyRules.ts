// Reads the rules that the options name, and applies them to the search, to the classification and to the
// list of clashes.
import { append } from '../../formats/listsByKey.js';
import type { Unit } from '../../formats/units.js';
import { CLASSES, type ClashClass, type Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import { type Clash, comparePairs, type PairFilter } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { UsageError } from '../usageError.js';
import { type ClashLimits, classifyParts } from './classifyParts.js';
import type { ClosedParts } from './closedParts.js';
import { convertLength } from './lengthOption.js';
import type { MeasuredModel } from './measurePairs.js';
import type { ClashOptions } from './options.js';
import { checkSets, includesPair, type PairRule, pairFilter, selectParts } from './pairRules.js';
import type { NamedPart, Note } from './readModel.js';
import type { Rule } from './rules.js';
import { readRulesFile } from './rulesFile.js';
import { readSelector } from './selector.js';

/** What the rules say about a run. Without rules, all pairs are tested, and the options apply to all pairs. */
interface RuleSettings {
  rules: readonly PairRule[] | undefined;
  filter: PairFilter | undefined;
  notes: Note[];
  /** The classes that at least one rule lists; without rules, the classes of the options. */
  classes: readonly ClashClass[];
  isListed(finding: Finding): boolean;
  /**
   * Classifies the clashes. The clearance and the tolerance of each rule apply to the pairs of this rule. A
   * pair that several rules ask for has one finding for each of these rules.
   */
  classify(
    engine: ClashEngine,
    model: MeasuredModel,
    closedParts: ClosedParts,
    clashes: Clash[],
    progress: Progress,
  ): Promise<Finding[]>;
}

/**
 * Reads the rules, if the options name any.
 *
 * @returns The rules, and the files to read.
 * @throws UsageError, InvalidFile
 */
export async function readRules({
  files,
  between,
  rulesPath,
}: ClashOptions): Promise<{ rules: Rule[] | undefined; files: string[] }> {
  if (rulesPath !== undefined) return readRulesFile(rulesPath, files);
  if (between === undefined) return { rules: undefined, files };
  const [a, b] = between.map(text =>
    readSelector(text, (message, fix) => {
      throw new UsageError(`--between ${message}`, fix);
    }),
  );
  return { rules: [{ name: '', a, b }], files };
}

/**
 * Applies rules to the parts of a model.
 *
 * @param measures - The clearance and the tolerance of the options, for rules that do not set them.
 * @param options - Its `classes` apply to rules without classes of their own.
 * @throws UsageError
 */
export function applyRules(
  rules: Rule[] | undefined,
  parts: NamedPart[],
  unit: Unit | undefined,
  measures: ClashLimits,
  { classes, failOn }: Pick<ClashOptions, 'classes' | 'failOn'>,
): RuleSettings {
  if (rules === undefined)
    return {
      rules: undefined,
      filter: undefined,
      notes: [],
      classes,
      isListed: finding => classes.includes(finding.class),
      classify: (engine, model, closedParts, clashes, progress) =>
        classifyParts(engine, model, closedParts, clashes, measures, progress),
    };
  const pairRules = rules.map((rule): PairRule => {
    const { name, tolerance, clearance } = rule;
    const own = {
      clearance: clearance ? convertLength(unit, `"${name}": clearance`, clearance) : measures.clearance,
      tolerance: tolerance ? convertLength(unit, `"${name}": tolerance`, tolerance) : measures.tolerance,
    };
    if (rule.classes?.includes('clearance') && own.clearance === 0)
      throw new UsageError(
        `rule "${name}": the class clearance requires a clearance`,
        'Add "clearance": "25mm" to the rule, pass --clearance, or remove the class.',
      );
    const listed = rule.classes ?? withClearance(classes, own.clearance);
    if (listed.length === 0)
      throw new UsageError(
        `--classes clearance: ${rule.name ? `rule "${rule.name}" has no clearance` : 'there is no clearance'}, so it would list nothing`,
        rule.name ? 'Add "clearance": "25mm" to the rule, or pass --clearance.' : 'Pass --clearance.',
      );
    return { ...selectParts(rule, parts), measures: own, classes: listed };
  });
  const listed = CLASSES.filter(kind => pairRules.some(rule => rule.classes.includes(kind)));
  const never = failOn === 'any' ? undefined : failOn.find(kind => !listed.includes(kind));
  if (never !== undefined)
    throw new UsageError(
      `--fail-on ${never}: no rule lists the class ${never}, so the run would never fail`,
      `Add "${never}" to the classes of a rule, or remove it from --fail-on.`,
    );
  const notes = checkSets(pairRules);
  const byName = new Map(pairRules.map(rule => [rule.name, rule]));
  return {
    rules: pairRules,
    filter: pairFilter(pairRules, parts.length),
    notes,
    classes: listed,
    isListed: finding => byName.get(finding.rule ?? '')!.classes.includes(finding.class),
    async classify(engine, model, closedParts, clashes, progress) {
      const found = new Map<PairRule, Finding[]>();
      for (const group of withEqualMeasures(pairRules)) {
        const isIncluded = (a: number, b: number) => group.some(rule => includesPair(rule, a, b));
        const own = clashes.filter(({ a, b }) => isIncluded(a, b));
        const findings = await classifyParts(
          engine,
          model,
          closedParts,
          own,
          group[0].measures,
          progress,
          isIncluded,
        );
        for (const rule of group)
          found.set(
            rule,
            findings.filter(({ a, b }) => includesPair(rule, a, b)),
          );
      }
      return pairRules
        .flatMap(rule =>
          found.get(rule)!.map(finding => ({ ...finding, ...(rule.name === '' ? {} : { rule: rule.name }) })),
        )
        .sort(comparePairs);
    },
  };
}

// Groups rules with equal clearance and tolerance. A pair is then measured only once for all rules of a group
// that ask for it.
function withEqualMeasures(rules: readonly PairRule[]): PairRule[][] {
  const groups = new Map<string, PairRule[]>();
  for (const rule of rules) append(groups, `${rule.measures.clearance} ${rule.measures.tolerance}`, rule);
  return [...groups.values()];
}

// Returns the classes, without the class clearance if the clearance of the rule is 0.
function withClearance(classes: readonly ClashClass[], clearance: number): readonly ClashClass[] {
  return clearance > 0 || !classes.includes('clearance')
    ? classes
    : classes.filter(kind => kind !== 'clearance');
}
