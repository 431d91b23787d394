// Names the exit codes that several commands share.

/** Elements of the model could not be read, or animations could not be checked, so clashes may be missing. */
export const INCOMPLETE = 4;
