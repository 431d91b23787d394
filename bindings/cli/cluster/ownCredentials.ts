// Makes credentials for a cluster that is started without credentials: one nkey (NATS key pair) for each
// role. The secret seeds are written to files that only the user who started the cluster may read.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { BrokerNkey } from '../../cluster/brokerConfig.js';
import { makeNkey, type Nkey } from '../../cluster/natsLink.js';
import { ownerOf } from '../../cluster/subjects.js';
import { createPrivateFile } from '../atomicFile.js';
import { fileRoles, type RoleFiles } from './roleFiles.js';
import { credentialFolder, writeStateFiles } from './stateFile.js';

export interface OwnCredentials {
  /** The public keys, for the broker. */
  nkeys: BrokerNkey[];
  roleFiles: RoleFiles;
  /**
   * The seed with which `up` itself connects. It is not written to a file, since only `up` may end the nodes.
   */
  operatorSeed: string;
}

/**
 * Makes new credentials. The credentials of an earlier cluster with this name are removed.
 * @throws CollisionError 'Cluster' if the files cannot be written
 */
export async function makeOwnCredentials(cluster: string): Promise<OwnCredentials> {
  const folder = credentialFolder(cluster);
  const owners = new Set<number>();
  // Makes keys until one has a number (see ownerOf) that no other key has: clients with equal numbers would
  // receive each other's messages.
  const makeKey = async (): Promise<Nkey> => {
    for (;;) {
      const key = await makeNkey();
      const owner = ownerOf(key.publicKey);
      if (!owners.has(owner)) {
        owners.add(owner);
        return key;
      }
    }
  };
  const operator = await makeKey();
  const nkeys: BrokerNkey[] = [{ key: operator.publicKey, role: 'operator' }];
  const roleFiles = {} as RoleFiles;
  const seeds = new Map<string, string>();
  for (const role of fileRoles) {
    const { seed, publicKey } = await makeKey();
    nkeys.push({ key: publicKey, role });
    roleFiles[role] = path.join(folder, `${role}.nkey`);
    seeds.set(roleFiles[role], seed);
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  writeStateFiles(() => {
    remove();
    try {
      mkdirSync(folder, { mode: 0o700 });
      for (const [file, seed] of seeds) createPrivateFile(file, `${seed}\n`);
    } catch (error) {
      remove();
      throw error;
    }
  });
  return { nkeys, roleFiles, operatorSeed: operator.seed };
}
