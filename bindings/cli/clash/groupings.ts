// Lists the properties by which `pfront clash --group` can group clashes.

export const GROUPINGS = ['type', 'part', 'storey', 'assembly', 'cluster'] as const;
export type Grouping = (typeof GROUPINGS)[number];
