// Mutator for STEP text, the format of IFC files: replaces, removes or repeats one token or one record.
import type { Mutator } from '../target.js';
import { replaced } from './bytes.js';
import { latin, ofLatin } from './text.js';

const TOKEN =
  /'(?:[^']|'')*'|\.[A-Z_0-9]+\.|#\d+|[A-Z][A-Z0-9_]*|[-+]?\d+(?:\.\d*)?(?:E[-+]?\d+)?|[$*(),;=]/g;
const RECORD = /#\d+\s*=[^;]*;\s*/g;

export const tokenMutator: Mutator = (bytes, { random, dictionary, other }) => {
  const text = latin(bytes);
  const isRecord = random.below(4) === 0;
  const matches = [...text.matchAll(isRecord ? RECORD : TOKEN)];
  if (matches.length === 0) return bytes.slice();
  const { 0: old, index } = matches[random.below(matches.length)];
  const foreign = latin(other).match(isRecord ? RECORD : TOKEN) ?? [''];
  const values = [
    matches[random.below(matches.length)][0],
    foreign[random.below(foreign.length)],
    isRecord ? '' : dictionary[random.below(dictionary.length)],
    old + (isRecord ? '' : ',') + old,
    // Repeats the record with another number.
    isRecord ? old + old.replace(/^#\d+/, `#${random.below(1000)}`) : '',
    isRecord ? old.replace(/=\s*\w+/, `=${dictionary[random.below(dictionary.length)]}`) : `(${old})`,
  ];
  return replaced(bytes, index!, index! + old.length, ofLatin(values[random.below(values.length)]));
};
