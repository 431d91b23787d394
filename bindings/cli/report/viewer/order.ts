// Clashes, a filter and a column -> the clashes to list, in order.
import type { ReportClash, ReportHeader } from '../content.js';

export type ColumnKey = 'a' | 'b' | 'triangles' | 'pairs';
export interface Sorting { key: ColumnKey; isFalling: boolean }

export class ClashOrder {
  // By name, digits as numbers: `Bolt 9` before `Bolt 10`.
  private readonly rankOfPart: Uint32Array;
  private readonly texts: string[];

  constructor(private readonly header: ReportHeader) {
    const { parts, files } = header;
    const { compare } = new Intl.Collator('en', { numeric: true });
    this.rankOfPart = new Uint32Array(parts.length);
    parts.map((_, part) => part).sort((x, y) => compare(parts[x].name, parts[y].name)).forEach((part, rank) => { this.rankOfPart[part] = rank; });
    this.texts = parts.map(({ name, file }) => `${name}\n${files[file]}`.toLowerCase());
  }

  /** Clashes of which each word of the filter is in a part's or file's name. */
  list(filter: string, { key, isFalling }: Sorting): number[] {
    const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const { clashes } = this.header;
    const kept = clashes.map((_, clash) => clash).filter((clash) => {
      const { a, b } = clashes[clash];
      return words.every((word) => this.texts[a].includes(word) || this.texts[b].includes(word));
    });
    const values = clashes.map((clash) => this.valueOf(clash, key));
    const sign = isFalling ? -1 : 1;
    return kept.sort((x, y) => sign * (values[x] - values[y]) || x - y);
  }

  private valueOf({ a, b, trianglePairs, trianglesA, trianglesB }: ReportClash, key: ColumnKey): number {
    if (key === 'pairs') return trianglePairs;
    return key === 'triangles' ? trianglesA + trianglesB : this.rankOfPart[key === 'a' ? a : b];
  }
}
