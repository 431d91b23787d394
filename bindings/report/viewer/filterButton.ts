// Makes the buttons above the table that show or hide the clashes of one kind.
import { make } from './elements.js';
import { formatCount } from './format.js';

/**
 * Makes a button that adds a kind to a set, or removes it. The button shows the name of the kind and its number
 * of clashes.
 *
 * @param attribute - The attribute of the element that contains the kind.
 * @param listed - The kinds whose buttons are pressed.
 */
export function makeFilterButton<Kind extends string>(
  attribute: string,
  kind: Kind,
  name: string,
  hint: string,
  total: number,
  listed: Set<Kind>,
  onChange: () => void,
): HTMLElement {
  const button = make('button', 'class', `${name} `, {
    type: 'button',
    title: hint,
    [attribute]: kind,
    'aria-pressed': `${listed.has(kind)}`,
  });
  button.append(make('span', 'total', formatCount(total)));
  button.addEventListener('click', () => {
    if (!listed.delete(kind)) listed.add(kind);
    button.setAttribute('aria-pressed', `${listed.has(kind)}`);
    onChange();
  });
  return button;
}
