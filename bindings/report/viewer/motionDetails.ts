// The panel over the 3D view of a motion: the two parts of the selected pair, when they come into contact, and
// where.
import type { MotionHeader } from '../motionContent.js';
import { makePart, makeSteps, type Steps } from './details.js';
import { make } from './elements.js';
import { formatCount } from './format.js';

/** Max number of intervals that have a button. The others can be clicked in the timeline. */
const MAX_BUTTONS = 100;

/**
 * Fills the panel.
 *
 * @param shown - The moment whose contact is drawn, if any.
 * @param ranges - The place of the contact (see `makeRanges`).
 * @param onMoment - Called with the moment of an interval when its button is pressed.
 */
export function showPairDetails(
  panel: HTMLElement,
  header: MotionHeader,
  pair: number,
  shown: number | undefined,
  ranges: HTMLElement,
  steps: Steps,
  onMoment: (moment: number) => void,
): void {
  const { pairs, motions } = header;
  const { a, b, class: kind, summary, motion, moments } = pairs[pair];
  const what = make('div', 'meets');
  const first = make('p', 'first');
  first.append(make('strong', `kind ${kind}`, kind), ` ${summary}`);
  what.append(first, make('bdi', 'quiet', motions[motion].name));
  const focused = buttonsOf(panel).indexOf(document.activeElement as HTMLButtonElement);
  panel.replaceChildren(
    makeSteps(pair, pairs.length, steps, 'pair'),
    makePart('a', a, 0, header, steps),
    makePart('b', b, 0, header, steps),
    what,
    ranges,
    makeMoments(header, moments, shown, onMoment),
  );
  // The button that replaces the focused one gets the focus.
  if (focused >= 0) buttonsOf(panel)[focused]?.focus();
}

const buttonsOf = (panel: HTMLElement): HTMLButtonElement[] => [...panel.querySelectorAll('button')];

function makeMoments(
  { clashes }: MotionHeader,
  [begin, end]: [number, number],
  shown: number | undefined,
  onMoment: (moment: number) => void,
): HTMLElement {
  const list = make('div', 'moments', undefined, { role: 'group', 'aria-label': 'Intervals' });
  for (let moment = begin; moment < Math.min(end, begin + MAX_BUTTONS); moment++) {
    const { from, to } = clashes[moment];
    const text = from === to ? `${from.toFixed(3)} s` : `${from.toFixed(3)}\u2013${to.toFixed(3)} s`;
    const button = make('button', '', text, {
      type: 'button',
      title: 'Show both parts at this time',
      'aria-pressed': `${moment === shown}`,
    });
    button.addEventListener('click', () => onMoment(moment));
    list.append(button);
  }
  const rest = end - begin - MAX_BUTTONS;
  if (rest > 0) list.append(make('span', 'quiet', `and ${formatCount(rest)} more in the timeline`));
  return list;
}
