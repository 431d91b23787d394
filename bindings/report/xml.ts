// Writes XML documents.
import { escapeHtml } from './escapeHtml.js';

const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/** XML that needs no further escaping. */
export interface Xml {
  xml: string;
}
export type Attributes = Record<string, string | boolean | number>;

/**
 * Returns an element.
 *
 * @param content - Elements, lists of elements, or text and numbers, which are escaped. Pass a long list as one
 * argument, because a call takes only about 120,000 arguments.
 */
export function element(
  name: string,
  attributes: Attributes,
  ...content: (Xml | string | number | readonly Xml[])[]
): Xml {
  const start = `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value)).replace(/\n/g, '&#10;')}"`)
    .join('')}`;
  const inside = content
    .flat()
    .map(item => (typeof item === 'object' ? item.xml : escapeXml(String(item))))
    .join('');
  return { xml: inside === '' ? `${start}/>` : `${start}>${inside}</${name}>` };
}

/** Returns the text of a document with this root element. */
export function documentOf(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

// Escapes text. Replaces characters that XML does not allow even if they are escaped: most control
// characters, lone surrogates, U+FFFE and U+FFFF. Tabs and carriage returns are escaped, because readers may
// change them.
function escapeXml(text: string): string {
  return escapeHtml(text.replace(NOT_XML, '\ufffd')).replace(/\t/g, '&#9;').replace(/\r/g, '&#13;');
}
