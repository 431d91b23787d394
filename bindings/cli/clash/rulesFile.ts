// Reads the rules of `--rules FILE.json`: a list of objects. Each has two sets of parts, and optionally a
// tolerance, a clearance and classes. An object may also be a clash set of the program ifcclash.

import { basename } from 'node:path';
import { InvalidFile } from '../../formats/part.js';
import { CLASSES, type ClashClass, isClass } from '../../report/clashClasses.js';
import { readTextFile } from '../readTextFile.js';
import { type Fail, type JsonObject, readClashSet, rejectUnknownKeys } from './ifcClashSets.js';
import { type Length, readLength } from './lengthOption.js';
import type { Rule } from './rules.js';
import { anyOf, readSelector, type Selector } from './selector.js';

const KEYS = ['name', 'between', 'tolerance', 'clearance', 'classes'];
const EXAMPLE = '[{ "name": "pipes", "between": ["type:IfcPipeSegment", "type:IfcWall"] }]';

/**
 * Reads a file of rules.
 *
 * @param files - The files of the command line.
 * @returns The rules, and all files to read: the files of the command line, and files that only the clash
 *   sets name.
 * @throws InvalidFile
 */
export async function readRulesFile(
  path: string,
  files: readonly string[],
): Promise<{ rules: Rule[]; files: string[] }> {
  return parseRules(basename(path), await readTextFile(path, '--rules'), files);
}

/** Parses the text of a file of rules; `file` is its name for messages. @throws InvalidFile */
export function parseRules(
  file: string,
  text: string,
  files: readonly string[],
): { rules: Rule[]; files: string[] } {
  const fail: Fail = (message, fix) => {
    // Names and selectors of the file may contain line breaks; a message is one line.
    throw new InvalidFile(`${file}: ${message.replace(/[\r\n]+/g, ' ')}`, fix.replace(/[\r\n]+/g, ' '));
  };
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return fail(`is not JSON: ${(error as Error).message.split('\n')[0]}`, 'Correct the syntax.');
  }
  if (!Array.isArray(content) || content.length === 0)
    return fail('is not a list of rules', `Write a list such as ${EXAMPLE}.`);
  const allFiles = [...files];
  const names = new Set<string>();
  const rules = content.map((entry: unknown, i): Rule => {
    if (!isObject(entry)) return fail(`rule ${i + 1} is not an object`, `Write a list such as ${EXAMPLE}.`);
    const name = entry.name;
    if (typeof name !== 'string' || name.trim() === '')
      return fail(`rule ${i + 1} has no name`, 'Add "name": a string that tells the rules apart.');
    if (names.has(name)) fail(`two rules are named "${name}"`, 'Give each rule its own name.');
    names.add(name);
    const failInRule: Fail = (message, fix) => fail(`rule "${name}": ${message}`, fix);
    return 'a' in entry
      ? readClashSet(name, entry, allFiles, failInRule)
      : readOwnRule(name, entry, failInRule);
  });
  if (allFiles.length === 0)
    fail('its rules name no file, and the command line names none', 'Run pfront clash FILE --rules RULES.');
  return { rules, files: allFiles };
}

function readOwnRule(name: string, entry: JsonObject, fail: Fail): Rule {
  rejectUnknownKeys(entry, KEYS, fail);
  const { between, tolerance, clearance, classes } = entry;
  if (!Array.isArray(between) || between.length !== 2)
    return fail(
      '"between" is not a list of two sets',
      'Write "between": ["type:IfcPipeSegment", "type:IfcWall"].',
    );
  const [a, b] = between.map(set => readSet(set, fail));
  const rule: Rule = {
    name,
    a,
    b,
    ...(tolerance === undefined ? {} : { tolerance: lengthOf('tolerance', tolerance, fail) }),
    ...(clearance === undefined ? {} : { clearance: lengthOf('clearance', clearance, fail) }),
    ...(classes === undefined ? {} : { classes: classesOf(classes, fail) }),
  };
  if (rule.classes?.includes('clearance') && rule.clearance?.value === 0)
    fail('the class clearance requires a clearance above 0', 'Add "clearance": "25mm", or remove the class.');
  return rule;
}

// Parses a set: one selector, or a list of selectors. A part is in the set if at least one selector matches.
function readSet(set: unknown, fail: Fail): Selector {
  const texts = Array.isArray(set) ? set : [set];
  if (texts.length === 0) fail('a set is empty', 'Write at least one selector, or "*" for all parts.');
  const selectors = texts.map(text =>
    typeof text === 'string'
      ? readSelector(text, fail)
      : fail(`${JSON.stringify(text)} is not a selector`, 'Write a string such as "type:IfcWall".'),
  );
  return anyOf(selectors);
}

function lengthOf(key: string, value: unknown, fail: Fail): Length {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0)
    return { value, text: String(value) };
  if (typeof value !== 'string')
    return fail(
      `"${key}" is ${JSON.stringify(value)}, which is not a length`,
      `Write "${key}": "25mm", or a number in the unit of the files.`,
    );
  try {
    return readLength(key, value);
  } catch (error) {
    const { message, fix } = error as { message: string; fix: string };
    return fail(message, fix);
  }
}

function classesOf(value: unknown, fail: Fail): ClashClass[] {
  if (!Array.isArray(value) || value.length === 0)
    return fail('"classes" is not a list of classes', `Write a list of ${CLASSES.join(', ')}.`);
  const names = value.map(name =>
    typeof name === 'string' && isClass(name)
      ? name
      : fail(`${JSON.stringify(name)} is not a class`, `Write a list of ${CLASSES.join(', ')}.`),
  );
  return [...new Set(names)];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
