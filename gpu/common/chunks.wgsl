// Divides keys into chunks whose length is a multiple of WORKGROUP: chunk c begins at key c *
// chunkLength(count, chunks).

fn chunkLength(count: u32, chunks: u32) -> u32 {
  let tiles = (count + WORKGROUP - 1u) / WORKGROUP;
  return (tiles + chunks - 1u) / chunks * WORKGROUP;
}
