// The name and version of the JSON that `pfront clash --json` prints and `--baseline` reads. The schema is
// docs/schemas/clash.schema.json.
export const FORMAT = 'pfront clash';
/** Incremented if a field is removed or changes its meaning, but not for a new field. */
export const FORMAT_VERSION = 1;
