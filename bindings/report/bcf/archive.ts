// Packs the files of a BCF archive and encodes its pictures. The build bundles the imported packages into
// this file, because pfront has no dependencies. The imported packages are written in JavaScript, so, unlike
// node:zlib, they compress to the same bytes on every machine.
import { encode } from 'fast-png';
import { type Zippable, zipSync } from 'fflate';

/** Files by path. Text is stored as UTF-8. */
export type ArchiveFiles = Map<string, string | Uint8Array>;

/** The max number of files: a zip file without the extension ZIP64 counts them in 16 bits. */
export const MAX_FILES = 0xffff;

/**
 * Returns a zip file. Each file in it has the earliest date of the format, so that equal contents give equal
 * bytes.
 */
export function zipOf(files: ArchiveFiles): Uint8Array {
  // The library writes the date in local time.
  const options = { mtime: new Date(1980, 0, 1), level: 6 } as const;
  const entries: Zippable = {};
  for (const [path, content] of files)
    entries[path] =
      typeof content === 'string'
        ? [new TextEncoder().encode(content), options]
        : // Pictures are already compressed.
          [content, { ...options, level: 0 }];
  return zipSync(entries);
}

/** Returns a PNG file. `data` has three bytes for each pixel: red, green, blue. */
export function pngOf(width: number, height: number, data: Uint8Array): Uint8Array {
  return encode({ width, height, data, channels: 3, depth: 8 });
}
