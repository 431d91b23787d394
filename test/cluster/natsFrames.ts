// Splits the bytes of a NATS connection, which arrive in arbitrary chunks, into whole frames: control lines,
// and messages with their payload.

/** The operations whose line is followed by a payload. The line ends with the payload's length in bytes. */
const carriers = new Set(['PUB', 'HPUB', 'MSG', 'HMSG']);
const LINE_BYTES = 1 << 20;
const CARRIED_BYTES = 1 << 26;

export interface Frame {
  /** All bytes of the frame: the control line and the payload, if any, each with its line end. */
  bytes: Buffer;
  /** The operation in capitals: INFO, CONNECT, PUB, MSG, PING … */
  operation: string;
  /** The rest of the line after the operation. */
  words: string;
  /** The subject, for messages. */
  subject: string | undefined;
}

/** Splits the bytes of one direction of one connection. */
export class NatsFrames {
  private chunks: Buffer[] = [];
  private held = 0;
  private wanted = 0;

  /** Adds bytes and returns the frames that they complete, in order. */
  add(chunk: Buffer): Frame[] {
    this.chunks.push(chunk);
    this.held += chunk.length;
    // Chunks are joined only when a frame may be complete, so that large frames are copied once.
    if (this.held < this.wanted) return [];
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const frames: Frame[] = [];
    for (let frame = this.first(rest); frame; frame = this.first(rest)) {
      frames.push(frame);
      rest = rest.subarray(frame.bytes.length);
    }
    this.chunks = rest.length > 0 ? [rest] : [];
    this.held = rest.length;
    return frames;
  }

  private first(bytes: Buffer): Frame | undefined {
    this.wanted = 0;
    const end = bytes.indexOf('\r\n');
    if (end < 0) {
      if (bytes.length > LINE_BYTES) throw new RangeError(`a control line has more than ${LINE_BYTES} bytes`);
      return undefined;
    }
    const line = bytes.toString('latin1', 0, end);
    const [operation = '', ...words] = line.split(/[ \t]+/);
    const name = operation.toUpperCase();
    let length = end + 2;
    if (carriers.has(name)) {
      const carried = Number(words.at(-1));
      if (!Number.isInteger(carried) || carried < 0 || carried > CARRIED_BYTES)
        throw new RangeError(`no length at the end of: ${line}`);
      length += carried + 2;
      if (bytes.length < length) {
        this.wanted = length;
        return undefined;
      }
      if (bytes[length - 2] !== 13 || bytes[length - 1] !== 10)
        throw new RangeError(`more bytes than announced by: ${line}`);
    }
    return {
      bytes: bytes.subarray(0, length),
      operation: name,
      words: line.slice(operation.length).trim(),
      subject: carriers.has(name) ? words[0] : undefined,
    };
  }
}
