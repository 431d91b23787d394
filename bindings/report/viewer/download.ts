// Offers files for download.

/** Downloads a file. Characters that file names should not have are replaced. */
export function download(blob: Blob, name: string, extension: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, 100)}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
