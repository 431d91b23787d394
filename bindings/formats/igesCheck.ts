// Checks that an IGES file is complete before a library reads it: checks the number in each line, and how many
// lines each section has.
import type { CadContents } from './cadContents.js';
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';

const SECTIONS = 'SGDPT';
const COLUMNS = 72;
// Type numbers of entities: a solid, and surfaces that need not be closed.
const SOLID = 186;
const SURFACES = [143, 144];

/**
 * Checks the lines of a file. Each line has 72 columns of data, followed by the letter of a section and the
 * number of the line in this section. The last line declares how many lines each section has.
 * @throws InvalidFile
 */
export function checkIges(bytes: Uint8Array): CadContents {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  const counts = [0, 0, 0, 0, 0];
  const contents: CadContents = { solidCount: 0, hasSurfaces: false, documents: [] };
  let section = 0;
  lines.forEach((line, index) => {
    const fail = (what: string): never => {
      throw new InvalidFile(`line ${index + 1}: ${what}`, EXPORT_AGAIN);
    };
    const [, letter, number] = /^([SGDPT]) *(\d+) *$/.exec(line.slice(COLUMNS)) ?? [];
    const next = letter === undefined ? -1 : SECTIONS.indexOf(letter);
    if (next < section)
      fail(
        `expected the letter of a section and a number from column 73 on, found ${quote(line.slice(COLUMNS))}`,
      );
    section = next;
    counts[section]++;
    if (Number(number) !== counts[section])
      fail(`has the number ${number} in section ${letter}, but must have the number ${counts[section]}`);
    if (letter !== 'D' || counts[section] % 2 === 0) return;
    const type = Number(line.slice(0, 8));
    if (type === SOLID) contents.solidCount++;
    if (SURFACES.includes(type)) contents.hasSurfaces = true;
  });
  checkCounts(lines.at(-1) ?? '', counts);
  return { ...contents, hasSurfaces: contents.hasSurfaces || contents.solidCount === 0 };
}

function checkCounts(last: string, counts: number[]): void {
  if (counts[SECTIONS.indexOf('T')] !== 1)
    throw new InvalidFile('must end with exactly one line of section T', EXPORT_AGAIN);
  const declared = [...last.slice(0, COLUMNS).matchAll(/([SGDP]) *(\d+)/g)];
  for (const [, letter, number] of declared) {
    const count = counts[SECTIONS.indexOf(letter)];
    if (Number(number) !== count)
      throw new InvalidFile(
        `section ${letter} has ${count} lines, but the last line of the file declares ${number}`,
        EXPORT_AGAIN,
      );
  }
  if (declared.length !== 4)
    throw new InvalidFile(
      `the last line of the file is ${quote(last)}, which does not have the numbers of lines of four sections`,
      EXPORT_AGAIN,
    );
}
