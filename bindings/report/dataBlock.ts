// Writes the data of a page.

/**
 * Returns the HTML element that holds one block of the compressed content: a script element whose type
 * browsers do not run.
 */
export function dataBlock(base64: string): string {
  return `<script type="application/octet-stream" class="data">${base64}</script>\n`;
}
