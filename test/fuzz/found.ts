// Loads found.json: the inputs for which a reader was once wrong. A fuzz test that finds another such input
// prints the entry to add to the file.
import { readFileSync } from 'node:fs';
import type { Finding } from './fuzzer.js';

/** target: the name of the reader's fuzz target. what: the mistake of the reader. base64: the input. */
export interface FoundInput {
  target: string;
  what: string;
  base64: string;
}

/** The inputs of found.json. */
export const foundInputs: FoundInput[] = JSON.parse(
  readFileSync(new URL('./found.json', import.meta.url), 'utf8'),
);

/** Returns the message of a failed test: each finding with a line for found.json. */
export function findingsText(findings: Finding[]): string {
  return findings
    .map(({ target, kind, error, bytes }) => {
      const what = `${kind}: ${error.split('\n')[0]}`.slice(0, 120);
      const line: FoundInput = { target, what, base64: Buffer.from(bytes).toString('base64') };
      return `${target}: ${kind}\n${error}\nadd this entry to found.json: ${JSON.stringify(line)}`;
    })
    .join('\n');
}
