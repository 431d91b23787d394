// Makes XML schemas from tables of elements, and validates documents against them with libxml2. Elements and
// attributes that are not in the table are errors.

import { XmlDocument, XsdValidator } from 'libxml2-wasm';

/** An element: its name, followed by `?`, `*` or `+` for the number of its occurrences, and its content. */
export type Element = [name: string, content: string | Complex];
export interface Complex {
  attributes?: Record<string, string>;
  elements?: Element[];
  /** The element may contain text. */
  text?: boolean;
}

const NUMBER: Record<string, string> = {
  '': '',
  '?': ' minOccurs="0"',
  '*': ' minOccurs="0" maxOccurs="unbounded"',
  '+': ' maxOccurs="unbounded"',
};

function declarationOf([name, content]: Element): string {
  const [, word, number] = /^(\w+)([?*+]?)$/.exec(name)!;
  const start = `<xs:element name="${word}"${NUMBER[number!]}`;
  if (typeof content === 'string') return `${start} type="${content}"/>`;
  const { attributes = {}, elements = [], text = false } = content;
  const inside = elements.map(declarationOf).join('');
  return `${start}><xs:complexType${text ? ' mixed="true"' : ''}><xs:sequence>${inside}</xs:sequence>${Object.entries(
    attributes,
  )
    .map(
      ([key, type]) =>
        `<xs:attribute name="${key}" type="${type.replace('?', '')}"${type.endsWith('?') ? '' : ' use="required"'}/>`,
    )
    .join('')}</xs:complexType></xs:element>`;
}

/**
 * Validates an XML document. root: its root element. types: declarations of simple types that the elements
 * use. @throws if the document breaks a rule
 */
export function validateXml(text: string, root: Element, types = ''): void {
  using schema = XmlDocument.fromString(
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${types}${declarationOf(root)}</xs:schema>`,
  );
  using validator = XsdValidator.fromDoc(schema);
  using document = XmlDocument.fromString(text);
  validator.validate(document);
}
