// Packs the files of a BCF archive and encodes its pictures. The build bundles the packages that this file
// imports into it, because the package has no dependencies. They are written in JavaScript, so they compress
// to the same bytes on every machine, unlike node:zlib.
import { encode } from 'fast-png';
import { type Zippable, zipSync } from 'fflate';

/** Files by path. Text is stored as UTF-8. */
export type ArchiveFiles = Map<string, string | Uint8Array>;

/** The max number of files: a zip file without the extension ZIP64 counts them in 16 bits. */
export const MAX_FILES = 0xffff;

/** Returns a zip file. It has no dates of its own: each file in it has the first date of the format. */
export function zipOf(files: ArchiveFiles): Uint8Array {
  // The date is written in local time.
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
