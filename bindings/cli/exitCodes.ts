// Names the exit codes that several commands share.

/** Elements of the model could not be read, so clashes may be missing. */
export const INCOMPLETE = 4;
