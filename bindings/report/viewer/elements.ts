// Elements of the page by id, and new ones: text only ever enters as text.
export function byId<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

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

/** A name from a file, kept from turning the direction of the text around it. */
export function makeName(text: string): HTMLElement {
  return make('bdi', 'name', text, { title: text });
}
