// The status and the comments of the selected clash, in the panel of its details.
import { STATUSES, type Status } from '../bcf/topic.js';
import { make } from './elements.js';
import type { Reviews } from './reviews.js';

export class ReviewPanel {
  readonly element = make('div', 'review');
  private readonly status = make('select', 'status', undefined, {
    'aria-label': 'Status',
  }) as HTMLSelectElement;
  private readonly comments = make('ul', 'comments');
  private readonly author = make('input', 'author', undefined, {
    placeholder: 'Your name',
    'aria-label': 'Your name',
    autocomplete: 'name',
  }) as HTMLInputElement;
  private readonly text = make('textarea', 'comment', undefined, {
    placeholder: 'Comment (C)',
    'aria-label': 'Comment',
    rows: '1',
  }) as HTMLTextAreaElement;
  private readonly note = make('p', 'quiet note');
  private guid = '';

  constructor(private readonly reviews: Reviews) {
    for (const status of STATUSES) this.status.append(make('option', '', status, { value: status }));
    const add = make('button', 'add', 'Add', { type: 'button', title: 'Add the comment (Ctrl+Enter)' });
    const write = make('div', 'write');
    write.append(this.text, add);
    const first = make('div', 'first');
    first.append(this.status, this.author);
    this.element.append(first, this.comments, write, this.note);
    this.status.addEventListener('change', () => reviews.setStatus(this.guid, this.status.value as Status));
    this.author.addEventListener('change', () => {
      reviews.author = this.author.value;
      this.update();
    });
    add.addEventListener('click', () => this.add());
    this.text.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.add();
    });
  }

  /** Shows the review of the clash with this GUID. */
  show(guid: string): void {
    if (guid !== this.guid) this.text.value = '';
    this.guid = guid;
    this.update();
  }

  /** Updates the panel after the review or the name of the author has changed. */
  update(): void {
    const { status, comments } = this.reviews.of(this.guid);
    this.status.value = status;
    this.author.value = this.reviews.author;
    this.comments.replaceChildren(
      ...comments.map(({ guid, date, author, text }) => {
        const line = make('li', '');
        const remove = make('button', 'step', '\u00d7', {
          type: 'button',
          title: 'Delete the comment',
          'aria-label': 'Delete the comment',
        });
        remove.addEventListener('click', () => this.reviews.removeComment(this.guid, guid));
        line.append(make('bdi', 'text', text), remove, make('span', 'quiet', `${author}, ${dateText(date)}`));
        return line;
      }),
    );
    this.comments.hidden = comments.length === 0;
    this.note.hidden = this.reviews.isKept;
    this.note.textContent =
      'This browser does not allow storage: save the page or a BCF file before you close the page.';
  }

  /** Moves the focus to the text of a new comment. */
  focus(): void {
    this.text.focus();
  }

  private add(): void {
    const text = this.text.value.trim();
    if (text === '') return;
    if (this.author.value !== this.reviews.author) this.reviews.author = this.author.value;
    this.text.value = '';
    this.reviews.addComment(this.guid, text);
  }
}

const dateText = (date: string): string =>
  new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
