// Reads a list of pairs that may clash (`--allow FILE`). Determines which clashes the list allows, and which
// lines of the list match no clash.
import { basename } from 'node:path';
import { InvalidFile } from '../../formats/part.js';
import { CLASSES } from '../../report/clashClasses.js';
import { readTextFile } from '../readTextFile.js';
import { pattern } from './pattern.js';

/** The properties of a part that a pattern may match: its name, its type or its id. */
export interface PatternTarget {
  name: string;
  type?: string;
  id?: string;
}

interface Rule {
  line: number;
  patterns: [string, string];
  /** The classes of clashes that are allowed; undefined: all. */
  classes: string[] | undefined;
}

export class AllowList {
  private constructor(
    private readonly file: string,
    private readonly rules: Rule[],
  ) {}

  /**
   * Reads a list from a file. Each line holds two patterns, separated by a tab or a comma; `*` matches any
   * characters. An optional third field lists the classes that are allowed, such as `touch coplanar`. Empty
   * lines and lines that begin with # are skipped.
   *
   * @param classes - The classes that lines may name.
   * @throws InvalidFile
   */
  static async read(path: string, classes: readonly string[] = CLASSES): Promise<AllowList> {
    return AllowList.parse(basename(path), await readTextFile(path, '--allow'), classes);
  }

  /**
   * Parses the text of a list. `file` is the file name for error messages.
   *
   * @throws InvalidFile
   */
  static parse(file: string, text: string, classes: readonly string[] = CLASSES): AllowList {
    const rules = text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .flatMap((content, i) => {
        const isEmpty = content.trim() === '' || content.trimStart().startsWith('#');
        return isEmpty ? [] : [{ line: i + 1, ...parseLine(`${file}: line ${i + 1}`, content, classes) }];
      });
    return new AllowList(file, rules);
  }

  /**
   * Returns whether each clash is allowed, and a note for each line that matches no clash. `pairs` are the
   * clashes: a and b are indices of `parts`.
   */
  apply(
    parts: PatternTarget[],
    pairs: { a: number; b: number; class: string }[],
  ): { isAllowed: boolean[]; unused: { message: string; fix: string }[] } {
    const isAllowed = pairs.map(() => false);
    const unused = this.rules.flatMap(({ line, patterns, classes }) => {
      const [first, second] = patterns.map(text => partsMatching(text, parts));
      let isUsed = false;
      pairs.forEach(({ a, b, class: kind }, i) => {
        if (classes && !classes.includes(kind)) return;
        if (!(first.has(a) && second.has(b)) && !(first.has(b) && second.has(a))) return;
        isAllowed[i] = isUsed = true;
      });
      if (isUsed) return [];
      const unmatched = first.size === 0 ? patterns[0] : second.size === 0 ? patterns[1] : undefined;
      const reason =
        unmatched === undefined
          ? `there is no clash ${classes ? `of the class ${classes.join(' or ')} ` : ''}between "${patterns[0]}" and "${patterns[1]}"`
          : `there is no part that matches "${unmatched}"`;
      return [
        {
          message: `${this.file}: line ${line} has no effect: ${reason}`,
          fix: 'Correct or remove the line.',
        },
      ];
    });
    return { isAllowed, unused };
  }
}

// Splits a line at its tabs or, if there is no tab, at its commas. In a line with a tab, commas belong to
// names.
function parseLine(
  place: string,
  content: string,
  known: readonly string[],
): Pick<Rule, 'patterns' | 'classes'> {
  const texts = content.split(content.includes('\t') ? /\t+/ : ',').map(text => text.trim());
  const [first, second, third] = texts;
  const classes = third?.split(/ +/);
  const areValid = texts.length === 2 || (texts.length === 3 && classes!.every(name => known.includes(name)));
  if (areValid && first !== '' && second !== '') return { patterns: [first, second], classes };
  throw new InvalidFile(
    `${place} does not hold two names and, optionally, classes, separated by tabs or commas`,
    `Write "PART A, PART B" or "PART A, PART B, CLASSES". CLASSES is one or more of ${known.join(' ')}, separated by spaces. If a name contains a comma, separate the fields by tabs.`,
  );
}

// Returns the indices of the parts that match a pattern.
function partsMatching(text: string, parts: PatternTarget[]): Set<number> {
  const isMatch = pattern(text);
  const isNamed = ({ name, type, id }: PatternTarget) =>
    [name, type, id].some(word => word !== undefined && isMatch(word));
  return new Set(parts.flatMap((part, number) => (isNamed(part) ? [number] : [])));
}
