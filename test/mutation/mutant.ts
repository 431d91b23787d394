// Defines a mutant: the package with one deliberate error, and how the scenes and the tests run it.
import type { WasmFile } from '../../dist/engine/engineOptions.js';

/** Folders of `bindings` with the code of queries. The folders of `test` with the same names test it. */
export const QUERY_FOLDERS = [
  'bvh',
  'mesh',
  'narrowphase',
  'broadphase',
  'scene',
  'ccd',
  'contact',
  'proximity',
  'points',
  'rays',
  'manifolds',
  'poses',
  'hybrid',
  'certificate',
  'casts',
];

/**
 * What one scene does with correct code. notes: names and hashes of its results, in order. seconds: its
 * processor time. kernels: the kernels that it ran. scripts: the numbers of the script mutants whose code it
 * ran.
 */
export interface SceneReference {
  name: string;
  notes: readonly (readonly [name: string, hash: string])[];
  kernels: readonly string[];
  scripts: readonly string[];
  seconds: number;
}

/**
 * A mutant as a scene runs it: new bytes at a position of a kernel file, or the number of an error in the
 * scripts. scenes: the names of the scenes that run the changed code.
 */
export interface SceneMutant {
  scenes: readonly string[];
  wasm?: { file: WasmFile; at: number; bytes: Uint8Array };
  script?: string;
}

/** What happened to a mutant. by: the scene or the test that found it, and what it found. */
export interface Outcome {
  status: 'wrong result' | 'error' | 'trap' | 'timeout' | 'survived';
  by: string;
}

export interface Mutant {
  /** The kernel or the source file that has the error. */
  where: string;
  /** Describes the error. */
  change: string;
  /** Returns the file and the line of the source, such as 'assembly/simd/boxes.ts:12'. */
  place(): string;
  /** Returns whether a scene or a test that runs these kernels may run the changed code. */
  isRunBy(kernels: readonly string[]): boolean;
  /** The suites of the changed code, whose tests run first. */
  suites: readonly (string | undefined)[];
  sceneMutant(references: readonly SceneReference[]): SceneMutant;
  /** Returns the texts of files of dist with the error, and environment variables that select it. */
  changedFiles(): { files: Record<string, string>; env: Record<string, string> };
  /**
   * Returns a mutant that traps at the place of this mutant's error. Missing if such a mutant cannot be made.
   */
  trapping?(): Mutant;
}
