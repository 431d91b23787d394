// The roles of the commands of `pfront cluster` that connect to a cluster, each with a file of credentials.

/** node: `join`; caller: `run`; observer: `status`. */
export const fileRoles = ['node', 'caller', 'observer'] as const;
export type FileRole = (typeof fileRoles)[number];
/** The paths of the seeds, by role. */
export type RoleFiles = Record<FileRole, string>;
