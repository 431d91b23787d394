// The version of the package.

/** The same as `version` in package.json, which pages cannot read. */
export const VERSION = '0.1.0';
