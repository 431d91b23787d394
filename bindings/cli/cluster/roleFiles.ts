// Defines the roles in which commands of `pfront cluster` connect to a cluster. Each role has a credential
// file.

/** The role 'node' is for the command `join`, 'caller' for `run` and 'observer' for `status`. */
export const fileRoles = ['node', 'caller', 'observer'] as const;
export type FileRole = (typeof fileRoles)[number];
/** For each role, the path of a file with the role's nkey seed (the secret of a NATS key pair). */
export type RoleFiles = Record<FileRole, string>;
