// Reads and writes the state file of a cluster that was started on this machine: its processes, addresses and
// credential files. Only the user who started the cluster may read the file, which contains no credentials
// itself.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { CredentialFiles } from '../../cluster/credentials.js';
import { ClusterError } from '../../cluster/errors.js';
import { writeTextAtomically } from '../atomicFile.js';
import { fileRoles, type RoleFiles } from './roleFiles.js';

/** Identifies a process. The start time is needed because process ids are reused. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

export interface ClusterState {
  cluster: string;
  servers: string[];
  /** For each credential option of the command line, the absolute path of the file that it names. */
  files: CredentialFiles;
  /** Absolute paths of the nkey files that `up` has made; undefined if `up` was given credentials. */
  roleFiles?: RoleFiles;
  /** The process of `pfront cluster up`. */
  supervisor: ProcessIdentity;
  /** The broker that `up` started; undefined if an existing broker is used. */
  broker?: ProcessIdentity;
  workers: ProcessIdentity[];
  log?: string;
}

const folderOf = (): string =>
  process.env.XDG_RUNTIME_DIR
    ? path.join(process.env.XDG_RUNTIME_DIR, 'pfront')
    : path.join(tmpdir(), `pfront-${userInfo().username.replace(/\W/g, '_')}`);

const fileOf = (cluster: string): string => path.join(folderOf(), `${cluster}.json`);

/**
 * Returns the folder of state files and logs, and creates the folder if it is missing.
 * @throws CollisionError 'Cluster' if the folder cannot be created or is a link, or if other users own it or could
 *   write to it
 */
export function stateFolder(): string {
  const folder = folderOf();
  writeStateFiles(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  if (!isOwn(folder)) {
    throw new ClusterError(
      `${folder} is a link, belongs to another user, or is writable by other users`,
      'remove it, or set XDG_RUNTIME_DIR to a folder that only you can write to',
    );
  }
  if ((lstatSync(folder).mode & 0o055) !== 0) chmodSync(folder, 0o700);
  return folder;
}

/**
 * Returns whether a folder exists and only the current user can write to it. Another user may have created the
 * folder of state files first; no file in it can then be trusted. Windows does not report owners, so there the
 * function only checks that the folder exists.
 */
function isOwn(folder: string): boolean {
  try {
    const status = lstatSync(folder);
    if (!status.isDirectory()) return false;
    return !process.getuid || (status.uid === process.getuid() && (status.mode & 0o022) === 0);
  } catch {
    // The folder does not exist, or a folder around it cannot be searched.
    return false;
  }
}

/** Returns the folder of the credentials that `up` makes for a cluster. */
export const credentialFolder = (cluster: string): string =>
  path.join(stateFolder(), `${cluster}.credentials`);

/**
 * Returns the start time of a process; undefined if no running process has this id. Only Linux reports start
 * times; on other systems the result is ''.
 */
export function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    // The process name, in parentheses, may contain any character, so all text up to the last `) ` is
    // removed.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return '';
  }
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startTime: startTimeOf(pid) ?? '' });

export const isAlive = ({ pid, startTime }: ProcessIdentity): boolean => startTimeOf(pid) === startTime;

/**
 * Calls `write`, which writes files to the folder of state files.
 * @throws CollisionError 'Cluster' if the file system fails
 */
export function writeStateFiles<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    throw new ClusterError(
      `the state of the cluster cannot be written to ${folderOf()} (${(error as Error).message.split(',')[0]})`,
      'free space there, or set XDG_RUNTIME_DIR to a folder that is writable and has space',
    );
  }
}

/** @throws CollisionError 'Cluster' if the file cannot be written; an older file is then unchanged */
export function writeState(state: ClusterState): void {
  writeStateFiles(() =>
    writeTextAtomically(path.join(stateFolder(), `${state.cluster}.json`), JSON.stringify(state)),
  );
}

/** Removes the state of a cluster, and the credentials that `up` has made for it. */
export function removeState(cluster: string): void {
  if (!isOwn(folderOf())) return;
  rmSync(fileOf(cluster), { force: true });
  rmSync(path.join(folderOf(), `${cluster}.credentials`), { recursive: true, force: true });
}

/**
 * Reads the state of a cluster.
 * @returns undefined if this user has started no cluster with this name on this machine, or if its state file is
 * invalid
 */
export function readState(cluster: string): ClusterState | undefined {
  if (!isOwn(folderOf())) return undefined;
  try {
    const state = JSON.parse(readFileSync(fileOf(cluster), 'utf8')) as ClusterState;
    return isState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function isState(state: Partial<ClusterState> | null): state is ClusterState {
  const isKnown = (known: ProcessIdentity | undefined): boolean =>
    Number.isInteger(known?.pid) && typeof known!.startTime === 'string';
  return (
    typeof state?.cluster === 'string' &&
    Array.isArray(state.servers) &&
    typeof state.files === 'object' &&
    isKnown(state.supervisor) &&
    Array.isArray(state.workers) &&
    state.workers.every(isKnown) &&
    (state.roleFiles === undefined || fileRoles.every(role => typeof state.roleFiles?.[role] === 'string')) &&
    (state.broker === undefined || isKnown(state.broker))
  );
}

/** Returns the names of the clusters that this user has started on this machine and that still run. */
export function runningHere(): string[] {
  if (!isOwn(folderOf())) return [];
  try {
    const names = readdirSync(folderOf()).flatMap(file =>
      file.endsWith('.json') ? [file.slice(0, -5)] : [],
    );
    return names.filter(name => {
      const state = readState(name);
      return state !== undefined && isAlive(state.supervisor);
    });
  } catch {
    return [];
  }
}
