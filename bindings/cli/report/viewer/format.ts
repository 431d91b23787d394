// Numbers -> text as people read it.
const grouped = new Intl.NumberFormat('en-US');

export const count = (value: number): string => grouped.format(value);

export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : noun.endsWith('sh') ? 'es' : 's'}`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** A coordinate to five digits of the range that it ends; zero is plain. */
export function coordinate(value: number, range: number): string {
  if (value === 0 || Math.abs(value) < range * 1e-9) return '0';
  const size = Math.max(Math.abs(value), range);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(4);
  return value.toFixed(Math.min(8, Math.max(0, 4 - Math.floor(Math.log10(size)))));
}

/** The last piece of a path of any system. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path;
