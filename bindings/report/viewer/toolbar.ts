// The buttons over the 3D view, and the line that names the clicked part.
import type { SceneHeader } from '../content.js';
import { byId, make, makeName } from './elements.js';
import { plural } from './format.js';
import type { View } from './view.js';

export class Toolbar {
  private readonly isolate = byId<HTMLButtonElement>('isolate');
  private readonly unhide = byId<HTMLButtonElement>('unhide');
  private readonly around = byId<HTMLButtonElement>('section-around');
  private readonly picked = byId('picked');

  /** @param onList - Called to list the clashes of a part; undefined if the page cannot list them. */
  constructor(
    private readonly view: View,
    private readonly header: Pick<SceneHeader, 'parts'>,
    private readonly onList?: (part: number) => void,
  ) {
    const tools = byId('view-tools');
    tools.hidden = !view.stage;
    // The panel of details grows upward from the bottom edge. Its top must stay below the tools.
    new ResizeObserver(() =>
      document.body.style.setProperty('--tools-height', `${tools.offsetHeight}px`),
    ).observe(tools);
    byId('section').addEventListener('click', () => view.toggleSection());
    byId('section-all').addEventListener('click', () => view.section.set(undefined));
    byId('measure').addEventListener('click', () => view.measure.setOn(!view.measure.isActive));
    this.around.addEventListener('click', () => view.cutAroundClash());
    this.isolate.addEventListener('click', () => view.toggleIsolated());
    this.unhide.addEventListener('click', () => this.showHidden());
    this.update();
  }

  /** Shows all hidden parts again. */
  showHidden(): void {
    this.view.roles.showHidden();
    this.view.update();
  }

  /** Updates the buttons after parts were hidden, isolated, picked or shown. */
  update(): void {
    const { roles } = this.view;
    this.isolate.disabled = !roles.canIsolate;
    this.isolate.setAttribute('aria-pressed', `${roles.isIsolated}`);
    this.unhide.hidden = roles.hiddenCount === 0;
    this.unhide.textContent = `Show ${plural(roles.hiddenCount, 'hidden part')}`;
    this.around.disabled = roles.clash === undefined;
    this.showPicked(roles.picked);
  }

  private showPicked(part: number | undefined): void {
    this.picked.hidden = part === undefined;
    if (part === undefined) return;
    const button = (text: string, title: string, press: () => void): HTMLElement => {
      const element = make('button', '', text, { type: 'button', title });
      element.addEventListener('click', press);
      return element;
    };
    const { name, type, storey, assembly } = this.header.parts[part];
    this.picked.replaceChildren(
      makeName(name),
      make('span', 'quiet', [type, storey, assembly].filter(Boolean).join(', ')),
      button('Hide', 'Hide this part (H)', () => this.view.hidePicked()),
      ...(this.onList
        ? [button('List clashes', 'List the clashes of this part', () => this.onList?.(part))]
        : []),
    );
  }
}
