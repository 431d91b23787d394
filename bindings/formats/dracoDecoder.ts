// Uses the package draco3d to decode the triangles and the vertex attributes of a mesh that is compressed with
// Draco.
import type { DracoDecoder, DracoMesh, DracoModule, DracoObject } from 'draco3d';

/** A vertex attribute of a compressed mesh. */
export interface DracoAttributeRequest {
  /** The unique id of the attribute in the compressed mesh. */
  id: number;
  /** The name of the attribute in the glTF file, for messages. */
  name: string;
  /** The number of components of each vertex. */
  components: number;
  /** Whether the values are decoded as floats; otherwise as unsigned integers. */
  isFloat: boolean;
}

/** What a compressed mesh contains. values: for each requested attribute, the components of all vertices. */
export interface DracoGeometry {
  indices: Uint32Array;
  values: (Float32Array | Uint32Array)[];
}

/**
 * Decodes a mesh.
 * @param pointCount The expected number of vertices.
 * @param allocate Called with the size of the result before it is allocated.
 * @throws Error whose message says what is wrong with the compressed mesh
 */
export type DracoDecode = (
  bytes: Uint8Array,
  attributes: readonly DracoAttributeRequest[],
  pointCount: number,
  allocate: (bytes: number) => void,
) => DracoGeometry;

/** Returns the decoder of a loaded package. */
export function dracoDecoder(draco: DracoModule): DracoDecode {
  return (bytes, attributes, pointCount, allocate) => {
    const made: DracoObject[] = [];
    const make = <Made extends DracoObject>(object: Made): Made => {
      made.push(object);
      return object;
    };
    try {
      const buffer = make(new draco.DecoderBuffer());
      buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
      const decoder = make(new draco.Decoder());
      if (decoder.GetEncodedGeometryType(buffer) !== draco.TRIANGULAR_MESH)
        throw new Error('it is not a triangle mesh');
      const mesh = make(new draco.Mesh());
      const status = decoder.DecodeBufferToMesh(buffer, mesh);
      if (!status.ok() || mesh.ptr === 0) throw new Error(status.error_msg());
      if (mesh.num_points() !== pointCount)
        throw new Error(`it has ${mesh.num_points()} vertices, not ${pointCount}`);
      const components = attributes.reduce((sum, attribute) => sum + attribute.components, 0);
      allocate(4 * components * mesh.num_points() + 12 * mesh.num_faces());
      return geometryOf(draco, decoder, mesh, attributes);
    } finally {
      for (const object of made) draco.destroy(object);
    }
  };
}

function geometryOf(
  draco: DracoModule,
  decoder: DracoDecoder,
  mesh: DracoMesh,
  attributes: readonly DracoAttributeRequest[],
): DracoGeometry {
  const values = attributes.map(({ id, name, components, isFloat }) => {
    const found = decoder.GetAttributeByUniqueId(mesh, id);
    if (found.ptr === 0 || found.num_components() !== components)
      throw new Error(`its attribute ${id} does not hold ${name}, ${components} numbers for each vertex`);
    const type = isFloat ? draco.DT_FLOAT32 : draco.DT_UINT32;
    const copied = copyOut(draco, 4 * components * mesh.num_points(), (bytes, at) =>
      decoder.GetAttributeDataArrayForAllPoints(mesh, found, type, bytes, at),
    );
    return isFloat ? new Float32Array(copied) : new Uint32Array(copied);
  });
  const indices = copyOut(draco, 12 * mesh.num_faces(), (bytes, at) =>
    decoder.GetTrianglesUInt32Array(mesh, bytes, at),
  );
  return { indices: new Uint32Array(indices), values };
}

// Returns what `write` writes to the memory of the package.
function copyOut(
  draco: DracoModule,
  bytes: number,
  write: (bytes: number, at: number) => boolean,
): ArrayBuffer {
  const at = draco._malloc(bytes);
  try {
    if (!write(bytes, at)) throw new Error('its data cannot be converted');
    return draco.HEAPU8.slice(at, at + bytes).buffer as ArrayBuffer;
  } finally {
    draco._free(at);
  }
}
