// Defines what the checks of STEP and IGES files find in a file.

export type CadFormat = 'step' | 'iges';

/** What a check of a file finds in it. */
export interface CadContents {
  /** Number of solids. A solid counts once for each place that the assemblies of a STEP file give it. */
  solidCount: number;
  /** Whether the file may contain surfaces that are not closed. */
  hasSurfaces: boolean;
  /** Names of other files that contain parts of the model. */
  documents: string[];
}
