// Reads an XML file into elements, with the optional package libxml2-wasm.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { decimalNumber } from '../../../formats/decimalNumber.js';
import { missingPackage } from '../../../formats/missingPackage.js';
import { InvalidFile } from '../../../formats/part.js';

/** An element of an XML file. */
export interface Element {
  name: string;
  /** The place of the element, for error messages: the file and the line. */
  where: string;
  attributes: Map<string, string>;
  children: Element[];
}

const REPAIR = 'Repair the file in the program that wrote it.';

/** Throws InvalidFile. @param where Where the file is invalid. */
export function refuse(where: string, what: string, fix = REPAIR): never {
  throw new InvalidFile(`${where} ${what}`, fix);
}

/** Reads the root element of a file. External entities are not loaded. @throws InvalidFile, MissingPackage */
export async function readXml(path: string): Promise<Element> {
  const file = basename(path);
  const library = await loadLibrary();
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return refuse(`${file}:`, `cannot be read (${(error as NodeJS.ErrnoException).code})`, 'Check the path.');
  }
  try {
    using document = library.XmlDocument.fromBuffer(bytes, {
      option: library.ParseOption.XML_PARSE_NO_XXE,
    });
    return elementOf(document.root, file, library);
  } catch (error) {
    if (!(error instanceof library.XmlError)) throw error;
    return refuse(`${file}:`, `is not valid XML: ${error.message.trim().split('\n')[0]}`);
  }
}

async function loadLibrary() {
  try {
    return await import('libxml2-wasm');
  } catch (error) {
    throw missingPackage(error, 'URDF and SRDF files', 'libxml2-wasm');
  }
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

function elementOf(node: InstanceType<Library['XmlElement']>, file: string, library: Library): Element {
  const children: Element[] = [];
  for (let child = node.firstChild; child; child = child.next)
    if (child instanceof library.XmlElement) children.push(elementOf(child, file, library));
  return {
    name: node.name,
    where: `${file}: line ${node.line}: <${node.name}>`,
    attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
    children,
  };
}

/** Returns the children that have the name `name`. */
export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter(child => child.name === name);

/** Returns the only child that has the name `name`; undefined if there is none. @throws InvalidFile */
export function childOf(element: Element, name: string): Element | undefined {
  const [first, second] = childrenOf(element, name);
  if (second) refuse(element.where, `has two elements <${name}>`);
  return first;
}

/** Returns the value of an attribute. @throws InvalidFile if it is missing */
export function attributeOf(element: Element, name: string): string {
  const value = element.attributes.get(name)?.trim();
  return value || refuse(element.where, `has no attribute ${name}`);
}

/** Returns the numbers of an attribute; undefined if the attribute is missing. @throws InvalidFile */
export function numbersOf(element: Element, name: string, count: number): number[] | undefined {
  const text = element.attributes.get(name);
  if (text === undefined) return undefined;
  const words = text.trim().split(/\s+/);
  const numbers = words.map(decimalNumber);
  if (numbers.length !== count || !numbers.every(Number.isFinite))
    refuse(
      element.where,
      `has ${name}="${text.slice(0, 40)}", which is not ${count === 1 ? 'a number' : `${count} numbers`}`,
    );
  return numbers;
}

/** Returns the number of an attribute, which must be more than 0. @throws InvalidFile */
export function lengthAttribute(element: Element, name: string): number {
  const value = numbersOf(element, name, 1)?.[0] ?? refuse(element.where, `has no attribute ${name}`);
  return value > 0 ? value : refuse(element.where, `has ${name}="${value}", which is not more than 0`);
}
