// Defines the rules of `pfront clash`: the pairs of parts that are tested, and the classes that are listed.
import type { ClashClass } from '../../report/clashClasses.js';
import type { Length } from './lengthOption.js';
import type { Selector } from './selector.js';

/** A rule as the user wrote it. If an option is undefined, the option of the command line applies. */
export interface Rule {
  name: string;
  /** Each part of the set `a` is tested against each part of the set `b`. The sets may overlap. */
  a: Selector;
  b: Selector;
  tolerance?: Length;
  clearance?: Length;
  classes?: readonly ClashClass[];
}
