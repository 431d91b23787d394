// The part of the package occt-import-js that pfront uses. The package has no types.
declare module 'occt-import-js' {
  export interface OcctNode {
    name: string;
    /** Indices into the list of meshes. */
    meshes: number[];
    children: OcctNode[];
  }
  export interface OcctMesh {
    name: string;
    attributes: { position: { array: number[] } };
    index: { array: number[] };
    /** Red, green and blue as linear intensities from 0 to 1; undefined if the mesh has no color. */
    color?: [number, number, number];
    /**
     * The first and the last triangle of each face. If a face has no triangles, `last` is below `first`.
     * `color`: the face's own color, which overrides the color of the mesh; null if the face has none.
     */
    brep_faces: { first: number; last: number; color: [number, number, number] | null }[];
  }
  export type OcctResult = { success: false } | { success: true; root: OcctNode; meshes: OcctMesh[] };
  export interface OcctOptions {
    linearUnit: 'millimeter';
    linearDeflectionType: 'absolute_value';
    linearDeflection: number;
    angularDeflection: number;
  }
  export interface Occt {
    ReadFile(format: 'step' | 'iges', bytes: Uint8Array, options: OcctOptions): OcctResult;
  }
  export default function occtimportjs(module: {
    /**
     * Instantiates the library's WebAssembly module. If omitted, the library reads and compiles its own file.
     * @param onInstance Receives the instance.
     */
    instantiateWasm?(
      imports: WebAssembly.Imports,
      onInstance: (instance: WebAssembly.Instance) => void,
    ): object;
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<Occt>;
}
