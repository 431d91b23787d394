// The name and version of the JSON that `pfront clash --json` prints and `--baseline` reads. The schema is
// docs/schemas/clash.schema.json.
export const FORMAT = 'pfront clash';
/** Raised if a field is removed or changes its meaning. New fields do not raise it. */
export const FORMAT_VERSION = 1;
