// Parses the XML of 3MF files with the package sax, and reads the values of attributes. Errors name the line.
import type { QualifiedTag } from 'sax';
import { decimalNumber } from './decimalNumber.js';
import { EXPORT_AGAIN, InvalidFile, oneLine, quote } from './part.js';
import { SAXParser } from './threeMfPackages.js';

/** An element of an XML file, with the data of its start tag. */
export interface XmlElement {
  /** The namespace. */
  space: string;
  /** The name without a prefix. */
  name: string;
  /**
   * Returns the value of an attribute.
   * @param space The namespace of the attribute. By default, the attribute has no namespace.
   */
  get(name: string, space?: string): string | undefined;
  /** Returns the names of the attributes that have no namespace. */
  names(): string[];
  /** Returns the namespace of a prefix. */
  spaceOf(prefix: string): string | undefined;
  /** Throws InvalidFile with the line of the element. */
  refuse(what: string, fix?: string): never;
}

const CHUNK_BYTES = 1 << 20;
/**
 * Max depth of nesting. A limit is needed because the time of the parser grows with the square of the depth of
 * elements that declare namespaces. Elements of 3MF are nested only a few levels deep.
 */
const MAX_DEPTH = 256;

/**
 * Parses a file.
 * @param path The name of the file, for errors.
 * @param open Called for each start tag.
 * @param close Called for each end tag.
 * @throws InvalidFile if the file is not well-formed
 */
export function parseXml(
  path: string,
  bytes: Uint8Array,
  open: (element: XmlElement) => void,
  close: () => void,
): void {
  const parser = new SAXParser(true, { xmlns: true });
  const refuse = (what: string, fix = EXPORT_AGAIN): never => {
    throw new InvalidFile(`${oneLine(path)}: line ${parser.line + 1}: ${what}`, fix);
  };
  parser.onerror = ({ message }) => refuse(`is not well-formed XML (${oneLine(message.split('\n')[0])})`);
  parser.ondoctype = () => refuse('has a document type, which 3MF does not allow');
  let isEmpty = true;
  let depth = 0;
  let attributeCount = 0;
  // Two faults are found here, because sax does not report them: a second root element, and attributes with the
  // same name, of which sax keeps only the last one.
  parser.onattribute = () => {
    attributeCount++;
  };
  parser.onopentag = opened => {
    if (depth === 0 && !isEmpty) refuse('is not well-formed XML (it has a second root element)');
    if (Object.keys(opened.attributes).length !== attributeCount)
      refuse(`is not well-formed XML (${quote(opened.name)} has two attributes with the same name)`);
    attributeCount = 0;
    isEmpty = false;
    if (++depth > MAX_DEPTH) refuse(`has elements nested more than ${MAX_DEPTH} deep`);
    open(elementOf(opened as QualifiedTag, refuse));
  };
  parser.onclosetag = () => {
    depth--;
    close();
  };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return refuse('is not UTF-8 text');
    }
  };
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    parser.write(decode(bytes.subarray(at, at + CHUNK_BYTES)));
  parser.write(decode());
  parser.close();
  if (isEmpty) refuse('is not well-formed XML (it has no element)');
}

function elementOf(tag: QualifiedTag, refuse: XmlElement['refuse']): XmlElement {
  return {
    space: tag.uri,
    name: tag.local,
    get(name, space = '') {
      if (space === '') return Object.hasOwn(tag.attributes, name) ? tag.attributes[name].value : undefined;
      return Object.values(tag.attributes).find(({ uri, local }) => uri === space && local === name)?.value;
    },
    names: () => Object.keys(tag.attributes).filter(name => tag.attributes[name].uri === ''),
    spaceOf: prefix => tag.ns[prefix],
    refuse,
  };
}

/** Returns an attribute. @throws InvalidFile if it is missing */
export function textOf(element: XmlElement, name: string): string {
  return element.get(name) ?? element.refuse(`${element.name} has no attribute ${name}`);
}

/** Returns an attribute as a coordinate in double precision. @throws InvalidFile */
export function coordinateOf(element: XmlElement, name: string): number {
  return readNumber(element, name, textOf(element, name).trim());
}

/** Returns an attribute as an integer from 0 to `max`. @throws InvalidFile */
export function integerOf(element: XmlElement, name: string, max: number): number {
  const text = textOf(element, name).trim();
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value <= max))
    element.refuse(
      `${element.name} has ${name}=${quote(text)}, which is not a whole number from 0 to ${max}`,
    );
  return value;
}

/** Returns an attribute as a list of numbers. @throws InvalidFile */
export function numbersOf(element: XmlElement, name: string, text: string, count: number): number[] {
  const words = text.trim().split(/\s+/);
  if (words.length !== count)
    element.refuse(`${element.name} has ${words.length} numbers as ${name}, not ${count}`);
  return words.map(word => readNumber(element, name, word));
}

function readNumber(element: XmlElement, name: string, word: string): number {
  const value = decimalNumber(word);
  if (!Number.isFinite(Math.fround(value)))
    element.refuse(`${element.name} has ${quote(word)} as ${name}, which is not a finite float32 number`);
  return value;
}
