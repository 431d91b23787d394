// Decides how each part is drawn, depending on the selected clash, the clicked part, and the parts that are
// hidden or isolated.
import type { ScenePair } from '../content.js';
import type { PartRole } from './model.js';

export class PartRoles {
  /** The selected clash. */
  clash: ScenePair | undefined;
  /** The part that the user has clicked. */
  picked: number | undefined;
  /**
   * Whether only the picked part is drawn or, if no part is picked, only the two parts of the selected clash.
   */
  isIsolated = false;
  private readonly hiddenParts = new Set<number>();

  /** Number of parts that the user has hidden. */
  get hiddenCount(): number {
    return this.hiddenParts.size;
  }

  /** Whether a part or a clash can be isolated. */
  get canIsolate(): boolean {
    return this.picked !== undefined || this.clash !== undefined;
  }

  isHidden(part: number): boolean {
    return this.hiddenParts.has(part);
  }

  /** Hides a part, or shows it again. */
  toggleHidden(part: number): void {
    if (!this.hiddenParts.delete(part)) this.hiddenParts.add(part);
  }

  /** Shows all hidden parts again. */
  showHidden(): void {
    this.hiddenParts.clear();
  }

  /** Returns how a part is drawn. */
  roleOf(part: number): PartRole {
    if (this.hiddenParts.has(part)) return 'hidden';
    const own = this.clash && ownRole(this.clash, part);
    if (this.isIsolated && this.canIsolate) {
      const isShown = this.picked === undefined ? own !== undefined : part === this.picked;
      if (!isShown) return 'hidden';
    }
    return own ?? (part === this.picked ? 'picked' : this.clash ? 'ghost' : 'plain');
  }
}

// Returns the role of a part of the clash; undefined for other parts.
function ownRole({ a, b, inner }: ScenePair, part: number): PartRole | undefined {
  if (part === a) return inner === 'b' ? 'glassA' : 'a';
  if (part === b) return inner === 'a' ? 'glassB' : 'b';
  return undefined;
}
