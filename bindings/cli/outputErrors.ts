// Tells whether errors of standard output are ignored.

/**
 * If output cannot be written, for example because the disk is full, the command ends with an error. But while
 * `areIgnored` is true, the command continues without output.
 */
export const outputErrors = { areIgnored: false };
