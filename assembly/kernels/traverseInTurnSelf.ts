// As traverseInTurn, of meshes paired with themselves.
import { runInTurn } from './traverseInTurn';
import { SELF } from '../pairing';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurnSelf(jobAt: usize, begin: u32, end: u32): void { runInTurn(SELF, jobAt); }
