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

/** Names of at most this many characters fit into a cell of the table. */
const MAX_NAME = 28;

/**
 * Creates an element for a name in the table. Shows an ellipsis instead of the middle of a long name, because
 * names from one program often differ only at the end. The whole name stays the text of the element.
 */
export function makeCutName(text: string): HTMLElement {
  const characters = [...text];
  if (characters.length <= MAX_NAME) return makeName(text);
  const name = make('bdi', 'name', undefined, { title: text });
  const end = characters.length - Math.ceil((MAX_NAME - 1) / 2);
  const begin = Math.floor((MAX_NAME - 1) / 2);
  name.append(
    characters.slice(0, begin).join(''),
    make('span', 'cut', characters.slice(begin, end).join('')),
    make('span', 'end', characters.slice(end).join('')),
  );
  return name;
}

/**
 * Creates an element for a name that comes from a file. It is a bdi element, so that a name in a
 * right-to-left script does not change the direction of the text around it.
 */
export function makeName(text: string): HTMLElement {
  return make('bdi', 'name', text, { title: text });
}
