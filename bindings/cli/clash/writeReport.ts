// Writes the HTML reports of `pfront clash`. A report is one self-contained file, which appears under its name
// only when it is complete.
import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { CollisionError } from '../../core/errors.js';
import { clashPage } from '../../report/clashPage.js';
import type { ReportContent, SceneContent } from '../../report/content.js';
import { contentBytes } from '../../report/contentBytes.js';
import { dataBlocks } from '../../report/dataBlocks.js';
import { type PageParts, pageFoot, pageHead } from '../../report/page.js';
import { writeOutputFile } from '../outputFile.js';
import type { Progress } from '../progress.js';
import { formatCount } from '../terminal.js';

/**
 * The approximate size in bytes of the largest page that browsers can open. Browsers fail on larger pages
 * without an error message.
 */
export const MAX_PAGE_BYTES = 512e6;

/** The report cannot be written, or would be too large for browsers. */
export class ReportFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('ReportFailed', message, fix);
  }
}

/**
 * Writes the report.
 *
 * @returns The size of the file in bytes.
 * @throws ReportFailed; a file that existed at the path is then unchanged.
 */
export async function writeReport(
  path: string,
  content: ReportContent,
  progress: Progress,
  maxBytes = MAX_PAGE_BYTES,
): Promise<number> {
  return writePage(path, clashPage(content.header), content, progress, maxBytes);
}

/**
 * Writes a page with a 3D view.
 *
 * @returns The size of the file in bytes.
 * @throws ReportFailed; a file that existed at the path is then unchanged.
 */
export async function writePage(
  path: string,
  page: PageParts,
  content: SceneContent,
  progress: Progress,
  maxBytes = MAX_PAGE_BYTES,
): Promise<number> {
  return writeOutputFile(path, ReportFailed, file =>
    writeParts(new LimitedFile(file, maxBytes), page, content, progress),
  );
}

class LimitedFile {
  bytes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly maxBytes: number,
  ) {}

  async write(text: string): Promise<void> {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.maxBytes) {
      throw new ReportFailed(
        `the report would be larger than ${formatCount(this.maxBytes / 1e6)} MB`,
        'Give fewer files, or files with fewer triangles; --json has no size limit.',
      );
    }
    await this.file.writeFile(text);
  }
}

async function writeParts(
  file: LimitedFile,
  page: PageParts,
  content: SceneContent,
  progress: Progress,
): Promise<number> {
  const pieces = [...contentBytes(content)];
  progress.begin('Writing report', pieces.length);
  const counted = function* () {
    for (const piece of pieces) {
      yield piece;
      progress.step();
    }
  };
  const script = readFileSync(new URL('../../report/viewer.js', import.meta.url), 'utf8');
  await file.write(pageHead(page, script));
  const compressed = Readable.from(counted()).pipe(createGzip({ chunkSize: 1 << 18 }));
  for await (const block of dataBlocks(compressed, base64Of)) await file.write(block);
  await file.write(pageFoot(file.bytes, script));
  return file.bytes;
}

const base64Of = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('base64');
