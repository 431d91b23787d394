// Writes XML documents.
import { escapeHtml } from '../../../report/page.js';

/** XML that needs no further escaping. */
export interface Xml {
  xml: string;
}
export type Attributes = Record<string, string | boolean>;

/**
 * Returns an element.
 *
 * @param content - Text, which is escaped, or elements.
 */
export function element(name: string, attributes: Attributes, ...content: (Xml | string | number)[]): Xml {
  const start = `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')}`;
  const inside = content
    .map(item => (typeof item === 'object' ? item.xml : escapeXml(String(item))))
    .join('');
  return { xml: inside === '' ? `${start}/>` : `${start}>${inside}</${name}>` };
}

/** Returns the text of a document with this root element. */
export function documentOf(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

// Escapes text, and replaces characters that XML does not allow, also escaped ones: most control characters
// and lone surrogates.
function escapeXml(text: string): string {
  return escapeHtml(
    text.replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    ),
  );
}
