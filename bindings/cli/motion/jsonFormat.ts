// The name and version of the JSON that `pfront clash --json` prints for motions and `--baseline` reads. The
// schema is docs/schemas/motion.schema.json.
export const FORMAT = 'pfront motion';
/** Incremented if a field is removed or changes its meaning, but not for a new field. */
export const FORMAT_VERSION = 2;
