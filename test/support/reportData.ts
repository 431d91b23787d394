// Reads the data that a report page holds.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * Unpacks the data of a report page. @returns the data's header (see `ReportContent`), the number of bytes
 * after the header, which hold arrays of numbers, and the number of data blocks in the page
 */
export function readReportData(page: string) {
  // The pattern matches the script elements that hold data. The page's own scripts contain code that writes
  // such elements. The pattern does not match this code, because the text between the tags there is not
  // base64.
  const blocks = [
    ...readFileSync(page, 'utf8').matchAll(
      /<script type="application\/octet-stream" class="data">([A-Za-z0-9+/=]*)<\/script>/g,
    ),
  ].map(([, text]) => Buffer.from(text!, 'base64'));
  const bytes = gunzipSync(Buffer.concat(blocks));
  const headerEnd = 4 + bytes.readUInt32LE(0);
  return {
    header: JSON.parse(bytes.toString('utf8', 4, headerEnd)) as any,
    numberBytes: bytes.length - headerEnd,
    blocks: blocks.length,
  };
}
