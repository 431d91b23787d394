// Names the ways in which `pfront clash --group` groups clashes.

export const GROUPINGS = ['type', 'part', 'storey', 'cluster'] as const;
export type Grouping = (typeof GROUPINGS)[number];
