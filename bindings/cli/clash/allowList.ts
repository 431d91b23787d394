// A file of allowed pairs -> which clashes are allowed, and which of its lines are about nothing.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidFile } from '../../formats/part.js';

/** What a line names may be a part's name, its type or its id; `*` stands for any characters. */
export interface NamedThing {
  name: string;
  type?: string;
  id?: string;
}

interface Rule {
  line: number;
  texts: [string, string];
}

export class AllowList {
  private constructor(
    private readonly file: string,
    private readonly rules: Rule[],
  ) {}

  /**
   * One pair a line, a tab or a comma between its parts; empty lines and those that begin with # say nothing.
   * Throws InvalidFile.
   */
  static async read(path: string): Promise<AllowList> {
    const file = basename(path);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      throw new InvalidFile(
        `${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`,
        'Check the path of --allow.',
      );
    }
    return AllowList.parse(file, text);
  }

  static parse(file: string, text: string): AllowList {
    const rules = text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .flatMap((content, i) => {
        const isEmpty = content.trim() === '' || content.trimStart().startsWith('#');
        return isEmpty ? [] : [{ line: i + 1, texts: splitPair(`${file}: line ${i + 1}`, content) }];
      });
    return new AllowList(file, rules);
  }

  /** pairs: of clashes, a and b by their places in parts. */
  apply(
    parts: NamedThing[],
    pairs: { a: number; b: number }[],
  ): { isAllowed: boolean[]; idle: { message: string; fix: string }[] } {
    const isAllowed = pairs.map(() => false);
    const idle = this.rules.flatMap(({ line, texts }) => {
      const [first, second] = texts.map(text => namedBy(text, parts));
      let isUsed = false;
      pairs.forEach(({ a, b }, i) => {
        if (!(first.has(a) && second.has(b)) && !(first.has(b) && second.has(a))) return;
        isAllowed[i] = isUsed = true;
      });
      if (isUsed) return [];
      const unknown = first.size === 0 ? texts[0] : second.size === 0 ? texts[1] : undefined;
      const why =
        unknown === undefined
          ? `no clash is between "${texts[0]}" and "${texts[1]}"`
          : `no part is called "${unknown}"`;
      return [
        {
          message: `${this.file}: line ${line} allows nothing: ${why}`,
          fix: 'Correct the line, or take it out.',
        },
      ];
    });
    return { isAllowed, idle };
  }
}

// A tab, where there is one: names may have commas.
function splitPair(place: string, content: string): [string, string] {
  const texts = content.split(content.includes('\t') ? /\t+/ : ',').map(text => text.trim());
  if (texts.length === 2 && texts.every(text => text !== '')) return [texts[0], texts[1]];
  throw new InvalidFile(
    `${place} is not two names with a tab or a comma between them`,
    'Write PART A, PART B; where a name has a comma, put a tab between the two.',
  );
}

function namedBy(text: string, parts: NamedThing[]): Set<number> {
  const pieces = text.split(/\*+/);
  const isNamed = ({ name, type, id }: NamedThing) =>
    [name, type, id].some(word => word !== undefined && isMatch(word, pieces));
  return new Set(parts.flatMap((part, number) => (isNamed(part) ? [number] : [])));
}

// Each piece at its first place after the one before, which leaves most for the rest: a pattern of many
// stars, tried as a regular expression, takes years.
function isMatch(word: string, pieces: string[]): boolean {
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (pieces.length === 1) return word === first;
  const end = word.length - last.length;
  if (first.length > end || !word.startsWith(first) || !word.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = word.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
