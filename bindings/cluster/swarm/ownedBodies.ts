// Stores the states of the bodies that a node owns, in arbitrary order. A node owns the bodies whose
// centers lie in its columns.

export class OwnedBodies {
  count = 0;
  ids = new Uint32Array(64);
  states: Float64Array;
  private readonly indices = new Map<number, number>();
  private readonly stateLength: number;

  constructor(stateLength: number) {
    this.stateLength = stateLength;
    this.states = new Float64Array(64 * stateLength);
  }

  /** Returns a view of a state. Writing to the view changes the state. */
  stateAt(index: number): Float64Array {
    return this.states.subarray(index * this.stateLength, (index + 1) * this.stateLength);
  }
  indexOf(body: number): number | undefined {
    return this.indices.get(body);
  }

  /** Adds a body, or replaces the state of a stored body. from: the offset of the state in `states`. */
  add(body: number, states: Float64Array, from: number): void {
    if (this.count === this.ids.length) this.grow();
    const index = this.indices.get(body) ?? this.count++;
    this.indices.set(body, index);
    this.ids[index] = body;
    this.states.set(states.subarray(from, from + this.stateLength), index * this.stateLength);
  }

  /** Removes the body at an index. The last body moves to this index. */
  removeAt(index: number): void {
    this.indices.delete(this.ids[index]);
    const last = --this.count;
    if (index === last) return;
    this.ids[index] = this.ids[last];
    this.states.copyWithin(index * this.stateLength, last * this.stateLength, (last + 1) * this.stateLength);
    this.indices.set(this.ids[index], index);
  }

  private grow(): void {
    const ids = new Uint32Array(2 * this.ids.length);
    const states = new Float64Array(2 * this.states.length);
    ids.set(this.ids);
    states.set(this.states);
    [this.ids, this.states] = [ids, states];
  }
}
