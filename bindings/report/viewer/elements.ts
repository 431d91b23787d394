// Finds and creates HTML elements. Text is always set as text, never as HTML.
/** Returns the element with this id. */
export function byId<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Creates an element. */
export function make(
  tag: string,
  className: string,
  text?: string,
  attributes: Record<string, string> = {},
): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/**
 * Creates an element for a name that comes from a file. It is a bdi element, so that a name in a
 * right-to-left script does not change the direction of the text around it.
 */
export function makeName(text: string): HTMLElement {
  return make('bdi', 'name', text, { title: text });
}
