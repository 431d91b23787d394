// How a clash compares with an earlier run: the values that reports store, and their texts.

/** How a clash compares with an earlier run. */
export interface ReportChange {
  /** Whether the clash is new, or the earlier run has it, too. */
  change: 'new' | 'open';
  /** The class in the earlier run, if it has the clash with another class. */
  previousClass?: string;
}

/** Describes the comparison in a few words, such as `new, was touch`. */
export const changeText = ({ change, previousClass }: Partial<ReportChange>): string =>
  `${change === 'new' ? 'new' : 'still open'}${previousClass ? `, was ${previousClass}` : ''}`;

/** Returns the labels of a BCF topic: new clashes get a label, so that programs can list them. */
export const changeLabels = ({ change }: Partial<ReportChange> = {}): string[] =>
  change === 'new' ? ['new'] : [];

/** Returns the lines of the description of a BCF topic. */
export const changeLines = (compared: Partial<ReportChange> = {}): string[] =>
  compared.change === undefined ? [] : [`compared with the baseline: ${changeText(compared)}`];
