// The timelines of the page: a row for each pair of parts, and a bar for each interval of contact. They are in
// the HTML of the page. With a 3D view, rows and bars can be clicked, and a line shows the current time.
import type { MotionHeader } from '../motionContent.js';
import { byId, make } from './elements.js';

export class Timeline {
  private readonly rows = [...document.querySelectorAll<HTMLElement>('[data-pair]')];
  private readonly sections = [...document.querySelectorAll<HTMLElement>('[data-motion]')];

  /** @param onMoment - Called with the moment of a row or of a bar that is clicked. */
  constructor({ pairs, parts }: MotionHeader, onMoment: (moment: number) => void) {
    document.body.classList.add('has-view');
    this.rows.forEach((row, pair) => {
      const { a, b } = pairs[pair];
      const name = row.querySelector('bdi')!;
      // A button makes the row reachable with the keyboard. The handler below treats its clicks as clicks on
      // the row.
      const button = make('button', 'go', undefined, {
        type: 'button',
        'aria-label': `Show ${parts[a].name} and ${parts[b].name}`,
      });
      name.replaceWith(button);
      button.append(name);
    });
    byId('grid').addEventListener('click', ({ target }) => {
      const bar = (target as Element).closest<SVGElement>('[data-moment]');
      const row = (target as Element).closest<HTMLElement>('[data-pair]');
      if (bar) onMoment(Number(bar.dataset.moment));
      else if (row) onMoment(pairs[Number(row.dataset.pair)].first);
    });
  }

  /** Marks the row of a pair and scrolls to it; undefined marks none. */
  select(pair: number | undefined): void {
    this.rows.forEach((row, i) => {
      if (i === pair) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
    if (pair === undefined) return;
    // The row may be wider than the page, so its button at the left is scrolled to.
    const button = this.rows[pair].querySelector<HTMLElement>('.go')!;
    button.scrollIntoView({ block: 'nearest' });
    // Enter presses the button that has the focus, so the button of the selected row gets the focus.
    if (document.activeElement?.matches('.go')) button.focus({ preventScroll: true });
  }

  /** Moves the line that shows the time to a fraction of a motion. */
  setTime(motion: number, fraction: number): void {
    this.sections.forEach((section, i) => {
      section.classList.toggle('current-motion', i === motion);
      if (i === motion) section.style.setProperty('--now', `${fraction}`);
    });
  }
}
