// Declares the part of the package draco3d that is used.
declare module 'draco3d' {
  export interface DracoObject {
    /** 0 if the object does not exist. */
    readonly ptr: number;
  }
  export interface DracoAttribute extends DracoObject {
    num_components(): number;
  }
  export interface DracoMesh extends DracoObject {
    num_points(): number;
    num_faces(): number;
  }
  export interface DracoStatus {
    ok(): boolean;
    error_msg(): string;
  }
  export interface DracoBuffer extends DracoObject {
    Init(bytes: Int8Array, length: number): void;
  }
  export interface DracoDecoder extends DracoObject {
    GetEncodedGeometryType(buffer: DracoBuffer): number;
    DecodeBufferToMesh(buffer: DracoBuffer, mesh: DracoMesh): DracoStatus;
    GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
    GetAttributeDataArrayForAllPoints(
      mesh: DracoMesh,
      attribute: DracoAttribute,
      type: number,
      bytes: number,
      at: number,
    ): boolean;
    GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, at: number): boolean;
  }
  export interface DracoModule {
    readonly TRIANGULAR_MESH: number;
    readonly DT_FLOAT32: number;
    readonly DT_UINT32: number;
    readonly HEAPU8: Uint8Array;
    readonly Decoder: new () => DracoDecoder;
    readonly DecoderBuffer: new () => DracoBuffer;
    readonly Mesh: new () => DracoMesh;
    _malloc(bytes: number): number;
    _free(at: number): void;
    destroy(object: DracoObject): void;
  }
  const draco: { createDecoderModule(): Promise<DracoModule> };
  export default draco;
}
