// Stores the states of a node's home bodies, in arbitrary order. A node is the home of the bodies whose
// centers lie in its columns.

export class HomeBodies {
  count = 0;
  ids = new Uint32Array(64);
  states: Float64Array;
  private readonly places = new Map<number, number>();
  private readonly stateLength: number;

  constructor(stateLength: number) {
    this.stateLength = stateLength;
    this.states = new Float64Array(64 * stateLength);
  }

  /** Returns a view of a state; writes to it change the state. */
  stateAt(place: number): Float64Array {
    return this.states.subarray(place * this.stateLength, (place + 1) * this.stateLength);
  }
  placeOf(body: number): number | undefined {
    return this.places.get(body);
  }

  /** Adds a body, or replaces its state if it is here already. from: the offset of its state in `states`. */
  add(body: number, states: Float64Array, from: number): void {
    if (this.count === this.ids.length) this.grow();
    const place = this.places.get(body) ?? this.count++;
    this.places.set(body, place);
    this.ids[place] = body;
    this.states.set(states.subarray(from, from + this.stateLength), place * this.stateLength);
  }

  /** Removes the body at a place. The last body moves to this place. */
  removeAt(place: number): void {
    this.places.delete(this.ids[place]);
    const last = --this.count;
    if (place === last) return;
    this.ids[place] = this.ids[last];
    this.states.copyWithin(place * this.stateLength, last * this.stateLength, (last + 1) * this.stateLength);
    this.places.set(this.ids[place], place);
  }

  private grow(): void {
    const ids = new Uint32Array(2 * this.ids.length);
    const states = new Float64Array(2 * this.states.length);
    ids.set(this.ids);
    states.set(this.states);
    [this.ids, this.states] = [ids, states];
  }
}
