// Reads exact numbers of bytes from a stream of chunks of any size.
export class ByteReader {
  private readonly chunks: ReadableStreamDefaultReader<Uint8Array>;
  private chunk = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array>) {
    this.chunks = stream.getReader();
  }

  /**
   * Returns the next bytes in a new buffer.
   *
   * @throws RangeError if the stream has fewer bytes left.
   */
  async take(byteLength: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(byteLength);
    for (let at = 0; at < byteLength; ) {
      if (this.chunk.length === 0) await this.refill();
      const part = this.chunk.subarray(0, byteLength - at);
      bytes.set(part, at);
      this.chunk = this.chunk.subarray(part.length);
      at += part.length;
    }
    return bytes.buffer;
  }

  private async refill(): Promise<void> {
    const { done, value } = await this.chunks.read();
    if (done) throw new RangeError('the data of this page is incomplete');
    this.chunk = value as Uint8Array<ArrayBuffer>;
  }
}
