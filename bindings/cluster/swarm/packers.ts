// Collects the bodies and contacts that one member (node) of a swarm sends to another, in lists that grow as
// needed.
import type { SentValues } from '../message.js';
import type { Crossing, PairContacts } from './messages.js';

export type CrossingOf = SentValues<typeof Crossing>;
export type PairContactsOf = SentValues<typeof PairContacts>;

/**
 * Collects the bodies that reach into another member's columns or migrate to that member. rows: the body's
 * placements before and after the step, 12 numbers each. state: passed only for bodies that migrate.
 */
export class CrossingPacker {
  private readonly ids: number[] = [];
  private readonly migrants: number[] = [];
  private rows = new Float64Array(24 * 16);
  private states = new Float64Array(16);
  private areFloats = true;
  private readonly stateLength: number;

  constructor(stateLength: number) {
    this.stateLength = stateLength;
  }

  add(body: number, rows: Float64Array, state: Float64Array | undefined): void {
    const at = 24 * this.ids.length;
    if (at + 24 > this.rows.length) this.rows = longer(this.rows);
    this.rows.set(rows, at);
    for (let i = 0; this.areFloats && i < 24; i++) this.areFloats = Math.fround(rows[i]) === rows[i];
    if (state) {
      const to = this.migrants.length * this.stateLength;
      while (to + this.stateLength > this.states.length) this.states = longer(this.states);
      this.states.set(state, to);
      this.migrants.push(this.ids.length);
    }
    this.ids.push(body);
  }

  values(): CrossingOf {
    const rows = this.rows.subarray(0, 24 * this.ids.length);
    return {
      ids: Uint32Array.from(this.ids),
      ...(this.areFloats
        ? { rows: new Float64Array(0), floats: Float32Array.from(rows) }
        : { rows, floats: new Float32Array(0) }),
      migrants: Uint32Array.from(this.migrants),
      states: this.states.subarray(0, this.stateLength * this.migrants.length),
    };
  }
}

function longer(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}

/**
 * Collects the contacts that are sent to one member: the contacts of the bodies that this member owns. In each
 * contact, `body` is the owned body. x, y, z: the origin of the other body at the end of the step.
 */
export class ContactPacker {
  private readonly bodies: number[] = [];
  private readonly others: number[] = [];
  private readonly toi: number[] = [];
  private readonly origins: number[] = [];

  add(body: number, other: number, toi: number, x: number, y: number, z: number): void {
    this.bodies.push(body);
    this.others.push(other);
    this.toi.push(toi);
    this.origins.push(x, y, z);
  }

  values(): PairContactsOf {
    return {
      bodies: Uint32Array.from(this.bodies),
      others: Uint32Array.from(this.others),
      toi: Float64Array.from(this.toi),
      origins: Float64Array.from(this.origins),
    };
  }
}
