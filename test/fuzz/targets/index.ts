// Lists the fuzz targets: one or more for each reader of files and messages.
import type { Target } from '../target.js';
import { allowList } from './allowList.js';
import { clashRules } from './clashRules.js';
import { clusterLists, clusterMessages, clusterPackets } from './clusterMessages.js';
import { gltf } from './gltf.js';
import { ifcRecords, ifcWhole } from './ifc.js';
import { obj, ply, stl } from './meshFiles.js';
import { off } from './off.js';
import { planted } from './planted.js';
import { storedMesh } from './stored.js';
import { threeMfModels } from './threeMf.js';

export const targets: readonly Target[] = [
  obj,
  stl,
  ply,
  off,
  threeMfModels,
  gltf,
  ifcRecords,
  ifcWhole,
  allowList,
  clashRules,
  storedMesh,
  clusterMessages,
  clusterLists,
  clusterPackets,
];

/** Matches the files whose coverage guides the fuzzer, by their paths relative to dist. */
export const covered = new RegExp(targets.map(({ covers }) => covers.source).join('|'));

export function targetNamed(name: string): Target {
  const found = [...targets, ...planted].find(target => target.name === name);
  if (!found) throw new RangeError(`there is no fuzz target ${name}`);
  return found;
}
