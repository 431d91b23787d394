// Uses the package draco3d to decode the positions and triangles of a mesh that is compressed with Draco.
import type { DracoDecoder, DracoMesh, DracoModule, DracoObject } from 'draco3d';

/** What a compressed mesh contains. */
export interface DracoGeometry {
  positions: Float32Array;
  indices: Uint32Array;
}

/**
 * Decodes a mesh.
 * @param attribute The unique id of the attribute that has the positions.
 * @param pointCount The expected number of vertices.
 * @param allocate Called with the size of the result before it is allocated.
 * @throws Error that says what is wrong
 */
export type DracoDecode = (
  bytes: Uint8Array,
  attribute: number,
  pointCount: number,
  allocate: (bytes: number) => void,
) => DracoGeometry;

/** Returns the decoder of a loaded package. */
export function dracoDecoder(draco: DracoModule): DracoDecode {
  return (bytes, attribute, pointCount, allocate) => {
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
      allocate(12 * (mesh.num_points() + mesh.num_faces()));
      return geometryOf(draco, decoder, mesh, attribute);
    } finally {
      for (const object of made) draco.destroy(object);
    }
  };
}

function geometryOf(
  draco: DracoModule,
  decoder: DracoDecoder,
  mesh: DracoMesh,
  attribute: number,
): DracoGeometry {
  const found = decoder.GetAttributeByUniqueId(mesh, attribute);
  if (found.ptr === 0 || found.num_components() !== 3)
    throw new Error(`its attribute ${attribute} is not a list of positions`);
  const positions = copyOut(draco, 12 * mesh.num_points(), (bytes, at) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, found, draco.DT_FLOAT32, bytes, at),
  );
  const indices = copyOut(draco, 12 * mesh.num_faces(), (bytes, at) =>
    decoder.GetTrianglesUInt32Array(mesh, bytes, at),
  );
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
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
