// Divides keys into chunks of whole rounds of a workgroup: chunk c begins at c * chunkLength(count, chunks).

fn chunkLength(count: u32, chunks: u32) -> u32 {
  let rounds = (count + WORKGROUP - 1u) / WORKGROUP;
  return (rounds + chunks - 1u) / chunks * WORKGROUP;
}
