// A report's content and a path -> one page that needs nothing else; it appears only when it is whole.
import { constants, readFileSync } from 'node:fs';
import { access, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { CollisionError } from '../../core/errors.js';
import type { ReportContent } from '../../report/content.js';
import { contentBytes } from '../../report/contentBytes.js';
import { dataBlock, pageFoot, pageHead, titleOf } from '../../report/page.js';
import type { Progress } from '../progress.js';
import { grouped } from '../terminal.js';
import { writeWhole } from '../wholeFile.js';

/** Browsers hold pages up to about this size; larger ones fail without a word. */
export const LARGEST_PAGE_BYTES = 512e6;
// Text of one script element: a multiple of three bytes, so that each block is base64 of its own.
const BLOCK_BYTES = 3 << 20;

/** The page cannot be written, or would be larger than browsers open. */
export class ReportFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('ReportFailed', message, fix);
  }
}

/**
 * Throws ReportFailed where the page's folder is missing or closed: better told before a long search than
 * after it.
 */
export async function checkFolder(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error as Error);
  }
}

/**
 * @returns the page's bytes. Throws ReportFailed; a page that stood at the path before is then still there.
 */
export async function writeReport(
  path: string,
  content: ReportContent,
  progress: Progress,
  largestBytes = LARGEST_PAGE_BYTES,
): Promise<number> {
  try {
    return await writeWhole(path, file => writePage(new SizedFile(file, largestBytes), content, progress));
  } catch (error) {
    if (error instanceof CollisionError) throw error;
    throw (error as NodeJS.ErrnoException).code ? unwritable(path, error as Error) : error;
  }
}

function unwritable(path: string, { message }: Error): ReportFailed {
  return new ReportFailed(
    `${path}: cannot be written (${message.split(',')[0]})`,
    'Give a path in a folder that exists and may be written to.',
  );
}

class SizedFile {
  bytes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly largestBytes: number,
  ) {}

  async write(text: string): Promise<void> {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.largestBytes) {
      throw new ReportFailed(
        `the report would be larger than ${grouped(this.largestBytes / 1e6)} MB`,
        'Give fewer files or parts, or a coarser export; --json has every clash at any size.',
      );
    }
    await this.file.writeFile(text);
  }
}

async function writePage(file: SizedFile, content: ReportContent, progress: Progress): Promise<number> {
  const pieces = [...contentBytes(content)];
  progress.begin('Writing report', pieces.length);
  const counted = function* () {
    for (const piece of pieces) {
      yield piece;
      progress.step();
    }
  };
  const script = readFileSync(new URL('../../report/viewer.js', import.meta.url), 'utf8');
  await file.write(pageHead(titleOf(content.header), script));
  await writeBlocks(file, Readable.from(counted()).pipe(createGzip({ chunkSize: 1 << 18 })));
  await file.write(pageFoot(file.bytes, script));
  return file.bytes;
}

async function writeBlocks(file: SizedFile, chunks: AsyncIterable<Buffer>): Promise<void> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < BLOCK_BYTES) continue;
    const bytes = Buffer.concat(waiting);
    const end = bytes.length - (bytes.length % 3);
    await file.write(dataBlock(bytes.toString('base64', 0, end)));
    waiting = [bytes.subarray(end)];
    waitingBytes = bytes.length - end;
  }
  await file.write(dataBlock(Buffer.concat(waiting).toString('base64')));
}
