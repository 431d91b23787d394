// Filters and sorts the clashes that the table of the report page shows.
import { compareFindings } from '../clashClasses.js';
import type { ReportHeader } from '../content.js';
import type { Reviews } from './reviews.js';

export type ColumnKey = 'a' | 'b' | 'what' | 'size';
export interface Sorting {
  key: ColumnKey;
  isDescending: boolean;
}

export class ClashOrder {
  // Rank of each part in the order of names. Digits are compared as numbers: `Bolt 9` comes before `Bolt 10`.
  private readonly rankOfPart: Uint32Array;
  private readonly texts: string[];
  // Rank of each clash by severity: the worst clash has rank 0.
  private readonly rankOfClash: Uint32Array;

  constructor(
    private readonly header: ReportHeader,
    private readonly reviews: Reviews,
  ) {
    const { parts, files, clashes } = header;
    const { compare } = new Intl.Collator('en', { numeric: true });
    this.rankOfPart = new Uint32Array(parts.length);
    parts
      .map((_, part) => part)
      .sort((x, y) => compare(parts[x].name, parts[y].name))
      .forEach((part, rank) => {
        this.rankOfPart[part] = rank;
      });
    this.rankOfClash = new Uint32Array(clashes.length);
    clashes
      .map((_, clash) => clash)
      .sort((x, y) => compareFindings(clashes[x], clashes[y]))
      .forEach((clash, rank) => {
        this.rankOfClash[clash] = rank;
      });
    this.texts = parts.map(({ name, file, id, type, objectType, storey, layer, assembly }) =>
      [name, files[file], id, type, objectType, storey, layer, assembly].join('\n').toLowerCase(),
    );
  }

  /**
   * Returns the candidates that match the filter, sorted. A clash matches if each word of the filter occurs in
   * its status, or in the name, the identifier, the type, the object type, the storey, the layer, the assembly
   * or the file name of at least one of its two parts.
   */
  list(candidates: number[], filter: string, { key, isDescending }: Sorting): number[] {
    const words = filter
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '');
    const { clashes } = this.header;
    const matches = candidates.filter(clash => {
      const { a, b, guid } = clashes[clash];
      return words.every(
        word =>
          this.texts[a].includes(word) ||
          this.texts[b].includes(word) ||
          this.reviews.of(guid).status.toLowerCase().includes(word),
      );
    });
    const values = clashes.map((_, clash) => this.valueOf(clash, key));
    const sign = isDescending ? -1 : 1;
    return matches.sort((x, y) => sign * (values[x] - values[y]) || x - y);
  }

  private valueOf(clash: number, key: ColumnKey): number {
    const { a, b, size } = this.header.clashes[clash];
    if (key === 'what') return this.rankOfClash[clash];
    return key === 'size' ? size : this.rankOfPart[key === 'a' ? a : b];
  }
}
