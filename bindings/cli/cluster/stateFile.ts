// Where a running cluster of this machine is: a file that only its user may read. Credentials are not in it,
// only the paths of their files.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { CredentialFiles } from '../../cluster/credentials.js';
import { ClusterError } from '../../cluster/errors.js';
import { writeTextAtomically } from '../atomicFile.js';

/** A process, and when it began: numbers of processes are used again. */
export interface Known {
  pid: number;
  birth: string;
}

export interface ClusterState {
  cluster: string;
  servers: string[];
  /** Absolute paths, by option. */
  files: CredentialFiles;
  /** What `pfront cluster up` runs as. */
  supervisor: Known;
  /** Started by it; undefined where a broker was given. */
  broker?: Known;
  workers: Known[];
  log?: string;
}

const folderOf = (): string =>
  process.env.XDG_RUNTIME_DIR
    ? path.join(process.env.XDG_RUNTIME_DIR, 'pfront')
    : path.join(tmpdir(), `pfront-${userInfo().username.replace(/\W/g, '_')}`);

const fileOf = (cluster: string): string => path.join(folderOf(), `${cluster}.json`);

/**
 * The folder of states and logs, made where it is missing. @throws CollisionError 'Cluster' where others
 * could write to it
 */
export function stateFolder(): string {
  const folder = folderOf();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(folder);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new ClusterError(
      `${folder} may be written to by others`,
      `remove it, or name a folder of your own in XDG_RUNTIME_DIR`,
    );
  }
  return folder;
}

/** When a process began; undefined where there is none of this number. Only Linux tells it: elsewhere ''. */
export function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    // The name, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return '';
  }
}

export const knownOf = (pid: number): Known => ({ pid, birth: birthOf(pid) ?? '' });

export const isAlive = ({ pid, birth }: Known): boolean => birthOf(pid) === birth;

export function writeState(state: ClusterState): void {
  writeTextAtomically(path.join(stateFolder(), `${state.cluster}.json`), JSON.stringify(state));
}

export function removeState(cluster: string): void {
  rmSync(fileOf(cluster), { force: true });
}

/** @returns undefined where no cluster of this name was started here, or its file says nothing */
export function readState(cluster: string): ClusterState | undefined {
  try {
    const state = JSON.parse(readFileSync(fileOf(cluster), 'utf8')) as ClusterState;
    return isState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function isState(state: Partial<ClusterState> | null): state is ClusterState {
  const isKnown = (known: Known | undefined): boolean =>
    Number.isInteger(known?.pid) && typeof known!.birth === 'string';
  return (
    typeof state?.cluster === 'string' &&
    Array.isArray(state.servers) &&
    typeof state.files === 'object' &&
    isKnown(state.supervisor) &&
    Array.isArray(state.workers) &&
    state.workers.every(isKnown) &&
    (state.broker === undefined || isKnown(state.broker))
  );
}

/** Names of the clusters that were started here and run. */
export function runningHere(): string[] {
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
