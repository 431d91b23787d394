// Checks the attributes of a record of an IFC file against the rules of the record's entity (its class), and
// describes the first attribute that does not match.
import { nounFor } from './formatCount.js';
import type { Choice, ChoiceRule, Rule } from './ifcRules.js';
import { oneLine } from './part.js';
import type { StepFile } from './stepFile.js';
import {
  ABSENT,
  CLOSE,
  DERIVED,
  ENUMERATION,
  INTEGER,
  OPEN,
  REAL,
  REFERENCE,
  TEXT,
  type Tokens,
  TYPED,
} from './stepTokens.js';

/** Maximum number of the permitted names of an enumeration that an error message lists. */
const MAX_NAMES = 4;

/** Returns whether the entity of the record with this number is `entity` or inherits from `entity`. */
export type IsA = (number: number, entity: string) => boolean;

/** Checks the attributes of the records of one file. */
export class AttributeCheck {
  private at = 0;
  // The index of the first token of the first list item that does not match; -1 if there is none.
  private wrongItem = -1;

  constructor(
    private readonly file: StepFile,
    private readonly isA: IsA,
  ) {}

  /**
   * Describes the first attribute of the loaded record that does not match its rule; returns undefined if all
   * match. Rules without an attribute, and attributes without a rule, are not compared: see countAttributes.
   */
  describeFault(rules: readonly Rule[]): string | undefined {
    const { tokens } = this.file;
    this.at = 0;
    this.wrongItem = -1;
    for (let i = 0; i < rules.length && this.at < tokens.count; i++) {
      const start = this.at;
      if (this.matches(rules[i])) continue;
      const found =
        this.wrongItem >= 0
          ? `holds ${this.describeToken(this.wrongItem)}`
          : `is ${this.describeToken(start)}`;
      return `attribute ${i + 1} ${found}, but must be ${textOfRule(rules[i])}`;
    }
    return undefined;
  }

  // Returns whether the value that begins at token `at` matches a rule. If so, advances `at` past the value.
  private matches(rule: Rule): boolean {
    const { kinds } = this.file.tokens;
    if (kinds[this.at] === ABSENT && rule.isOptional) {
      this.at++;
      return true;
    }
    if ('choices' in rule) return rule.choices.some(choice => this.matchesChoice(choice));
    if (kinds[this.at] !== OPEN) return false;
    let length = 0;
    for (this.at++; kinds[this.at] !== CLOSE; length++) {
      const item = this.at;
      if (this.matches(rule.list)) continue;
      if (this.wrongItem < 0) this.wrongItem = item;
      return false;
    }
    this.at++;
    return length >= rule.min && length <= rule.max;
  }

  private matchesChoice(choice: Choice): boolean {
    const { kinds, values } = this.file.tokens;
    const kind = kinds[this.at];
    switch (choice.kind) {
      case 'number':
        return this.advanceIf(
          (kind === INTEGER || (kind === REAL && !choice.isWhole)) &&
            Number.isFinite(values[this.at]) &&
            (choice.isZeroAllowed ? values[this.at] >= choice.min : values[this.at] > choice.min),
        );
      case 'text':
        return this.advanceIf(kind === TEXT);
      case 'boolean':
        return this.advanceIf(
          kind === ENUMERATION && ['.T.', '.F.', '.U.'].includes(this.file.textOf(this.at)),
        );
      case 'enumeration':
        return this.advanceIf(
          kind === ENUMERATION && (choice.values?.includes(this.file.textOf(this.at).slice(1, -1)) ?? true),
        );
      case 'derived':
        return this.advanceIf(kind === DERIVED);
      case 'entity':
        return this.advanceIf(kind === REFERENCE && this.isA(values[this.at], choice.name));
      case 'measure':
        return (
          kind === TYPED &&
          (kinds[this.at + 2] === REAL || kinds[this.at + 2] === INTEGER) &&
          kinds[this.at + 3] === CLOSE &&
          values[this.at + 2] > 0 &&
          this.skipValue()
        );
      case 'typed':
        return (
          kind === TYPED && this.file.names[values[this.at]] === choice.name && this.matchesTyped(choice.rule)
        );
      case 'any':
        return this.skipValue();
    }
  }

  private matchesTyped(rule: Rule): boolean {
    const start = this.at;
    this.at += 2;
    if (this.matches(rule) && this.file.tokens.kinds[this.at] === CLOSE) return this.advanceIf(true);
    this.at = start;
    return false;
  }

  private advanceIf(isMatch: boolean): boolean {
    if (isMatch) this.at++;
    return isMatch;
  }

  private skipValue(): boolean {
    this.at = valueEnd(this.file.tokens, this.at);
    return true;
  }

  // Returns the number of values of the list that begins at a token.
  private lengthOf(token: number): number {
    const { tokens } = this.file;
    let length = 0;
    for (let at = token + 1; tokens.kinds[at] !== CLOSE; at = valueEnd(tokens, at)) length++;
    return length;
  }

  private describeToken(token: number): string {
    const { kinds, values } = this.file.tokens;
    if (kinds[token] === OPEN) {
      const count = this.lengthOf(token);
      return `a list of ${count} ${nounFor(count, 'value')}`;
    }
    if (kinds[token] === REFERENCE) {
      const record = this.file.recordOf(values[token]);
      return record < 0
        ? `#${values[token]}, which is not in the file`
        : `#${values[token]} (${this.file.names[this.file.entities[record]]})`;
    }
    return oneLine(this.file.textOf(token));
  }
}

/** Counts all attributes of the loaded record, and the derived attributes (*) among them. */
export function countAttributes({ tokens }: StepFile): { all: number; derived: number } {
  let all = 0;
  let derived = 0;
  for (let at = 0; at < tokens.count; at = valueEnd(tokens, at)) {
    all++;
    if (tokens.kinds[at] === DERIVED) derived++;
  }
  return { all, derived };
}

/**
 * Returns the position of the first token of an attribute; the number of tokens if there is no such attribute.
 * @param index Index of the attribute, from 0.
 */
export function attributeStart(tokens: Tokens, index: number): number {
  let at = 0;
  for (let i = 0; i < index && at < tokens.count; i++) at = valueEnd(tokens, at);
  return at;
}

// Returns the token after the value that begins at token `at`.
function valueEnd({ kinds }: Tokens, at: number): number {
  let end = kinds[at] === TYPED ? at + 1 : at;
  let depth = 0;
  do {
    if (kinds[end] === OPEN) depth++;
    else if (kinds[end] === CLOSE) depth--;
    end++;
  } while (depth > 0);
  return end;
}

function textOfRule(rule: Rule): string {
  const optional = rule.isOptional ? ' or $' : '';
  if ('choices' in rule) return textOfChoices(rule) + optional;
  const length =
    rule.max === Infinity
      ? `at least ${rule.min}`
      : rule.min === rule.max
        ? `${rule.min}`
        : `${rule.min} to ${rule.max}`;
  const noun = nounFor(rule.max === Infinity ? rule.min : rule.max, 'value');
  return `a list of ${length} ${noun} (each ${textOfRule(rule.list)})${optional}`;
}

function textOfChoices({ choices }: ChoiceRule): string {
  const [first] = choices;
  if (first.kind === 'enumeration') {
    if (!first.values) return 'a name between dots';
    const names = first.values.map(name => `.${name}.`);
    return `one of ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', ...' : ''}`;
  }
  return choices.map(textOfChoice).join(' or ');
}

function textOfChoice(choice: Choice): string {
  switch (choice.kind) {
    case 'number':
      return `${choice.isWhole ? 'a whole' : 'a finite'} number${choice.min === 0 ? (choice.isZeroAllowed ? ' of at least 0' : ' above 0') : ''}`;
    case 'text':
      return 'text';
    case 'boolean':
      return '.T., .F. or .U.';
    case 'measure':
      return 'a measure above 0';
    case 'derived':
      return '*';
    case 'entity':
    case 'typed':
      return choice.name;
    default:
      return 'a value';
  }
}
