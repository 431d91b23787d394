// Tasks whose inputs are results of other tasks, kept by the nodes that did them: who does what, and what has to be done again when a node
// is lost with what it kept. No clock and no messages: it is told.

/** prefer: the node that did this task has what it needs already; isBound: no other one gets it while that one lives. */
export interface Work { id: number; kind: number; part: number; needs: readonly number[]; prefer?: number; isBound?: boolean; keeps: boolean }

interface Entry { work: Work; state: 'waiting' | 'given' | 'done'; node: number; failures: Set<number>; times: number }

/** A task that so many nodes failed at is not given out again. */
const MOST_FAILURES = 3;
/** Times that a task is given out, at most: a run that goes in circles ends. */
const MOST_TIMES = 30;

export class Ledger {
  /** Tasks given out again. */
  again = 0;
  private readonly entries = new Map<number, Entry>();
  private readonly nodes = new Set<number>();

  get nodeCount(): number { return this.nodes.size; }
  get size(): number { return this.entries.size; }
  get doneCount(): number { return [...this.entries.values()].filter(({ state }) => state === 'done').length; }

  add(work: Work): void { this.entries.set(work.id, { work, state: 'waiting', node: 0, failures: new Set(), times: 0 }); }

  join(node: number): void { this.nodes.add(node); }

  /** A node is gone; what it was doing waits again. What it kept is done again when it is needed. */
  lose(node: number): void {
    this.nodes.delete(node);
    for (const entry of this.entries.values()) if (entry.state === 'given' && entry.node === node) entry.state = 'waiting';
  }

  /** @returns whether it is news */
  done(id: number, node: number): boolean {
    const entry = this.entries.get(id);
    if (!entry || entry.state === 'done') return false;
    entry.state = 'done';
    entry.node = node;
    return true;
  }

  /** Nobody can give a task's result: it is done again. */
  missing(id: number): void {
    const entry = this.entries.get(id);
    if (entry?.state === 'done') entry.state = 'waiting';
  }

  /** Results that are needed now: those that were lost with their nodes are made again. @returns whether all can be had */
  want(ids: readonly number[]): boolean {
    const lost = ids.filter((id) => !this.has(id));
    for (const id of lost) this.missing(id);
    return lost.length === 0;
  }

  /** A node could not do what it was given. isOwn: by its own fault, not for what it needed. @returns whether the task is given up */
  failed(id: number, node: number, isOwn: boolean): boolean {
    const entry = this.entries.get(id);
    if (entry?.state !== 'given' || entry.node !== node) return false;
    entry.state = 'waiting';
    if (isOwn) entry.failures.add(node);
    return entry.failures.size >= MOST_FAILURES || (entry.failures.size > 0 && [...this.nodes].every((other) => entry.failures.has(other)));
  }

  /** Tasks that may begin, each with the node that does it: those nodes have them now. */
  give(): { work: Work; node: number }[] {
    this.reopen();
    const idle = new Set(this.nodes), given: { work: Work; node: number }[] = [];
    for (const { state, node } of this.entries.values()) if (state === 'given') idle.delete(node);
    const waiting = [...this.entries.values()].filter((entry) => entry.state === 'waiting' && entry.work.needs.every((need) => this.has(need)));
    for (const isFirst of [true, false]) {
      for (const entry of waiting) {
        if (entry.state !== 'waiting') continue;
        const preferred = entry.work.prefer === undefined ? undefined : this.entries.get(entry.work.prefer)?.node, isThere = preferred !== undefined && this.nodes.has(preferred) && !entry.failures.has(preferred);
        if (!isFirst && isThere && entry.work.isBound) continue;
        const node = isFirst ? (isThere && idle.has(preferred) ? preferred : undefined) : [...idle].find((other) => !entry.failures.has(other));
        if (node === undefined) continue;
        idle.delete(node);
        if (entry.times++ > 0) this.again++;
        entry.state = 'given';
        entry.node = node;
        given.push({ work: entry.work, node });
      }
    }
    return given;
  }

  /** Whether a task's result can be had; the node that keeps it. */
  has(id: number): boolean { return this.holderOf(id) !== undefined; }

  holderOf(id: number): number | undefined {
    const entry = this.entries.get(id);
    return entry?.state === 'done' && (!entry.work.keeps || this.nodes.has(entry.node)) ? entry.node : undefined;
  }

  /** What a node is doing now. */
  given(): { work: Work; node: number }[] { return [...this.entries.values()].filter(({ state }) => state === 'given').map(({ work, node }) => ({ work, node })); }

  /** The task that goes in circles, if any. */
  get endless(): number | undefined { return [...this.entries.values()].find(({ times }) => times > MOST_TIMES)?.work.id; }

  // What waits needs its inputs: those that were lost are done again, and theirs.
  private reopen(): void {
    const look = [...this.entries.values()].filter(({ state }) => state === 'waiting');
    for (let entry = look.pop(); entry; entry = look.pop()) {
      for (const need of entry.work.needs) {
        const input = this.entries.get(need)!;
        if (input.state !== 'done' || this.has(need)) continue;
        input.state = 'waiting';
        look.push(input);
      }
    }
  }
}
