// The status and the comments of each clash. The page keeps them in the browser's storage, under a key of the
// model, so that the next report of the same files shows them again. If the browser refuses storage, they
// last until the page is closed.
import { type BcfComment, STATUSES, type Status } from '../bcf/topic.js';
import { uuidText } from '../bcf/uuid.js';

const PREFIX = 'pfront-report';
const AUTHOR_KEY = `${PREFIX} author`;

export interface Review {
  status: Status;
  comments: BcfComment[];
}

const untouched = (): Review => ({ status: STATUSES[0], comments: [] });

export class Reviews {
  /** Whether reviews last after the page is closed. */
  isKept = true;
  private readonly key: string;
  private reviews: Record<string, Review> = {};
  private authorName = '';

  /**
   * Reads the reviews of a model.
   *
   * @param model - The GUID of the model.
   * @param onChange - Called when a review has changed, also in another tab.
   */
  constructor(
    model: string,
    private readonly onChange: () => void,
  ) {
    this.key = `${PREFIX} ${model}`;
    this.read();
    addEventListener('storage', ({ key }) => {
      if (key !== this.key) return;
      this.read();
      onChange();
    });
  }

  /** The name under which comments are written. */
  get author(): string {
    return this.authorName;
  }

  set author(name: string) {
    this.authorName = name;
    this.store(AUTHOR_KEY, name);
  }

  /** Returns the review of the clash with this GUID. */
  of(guid: string): Review {
    return Object.hasOwn(this.reviews, guid) ? this.reviews[guid] : untouched();
  }

  /** Whether the clash has comments, or a status other than STATUSES[0]. */
  isTouched(guid: string): boolean {
    return Object.hasOwn(this.reviews, guid);
  }

  setStatus(guid: string, status: Status): void {
    this.change(guid, review => {
      review.status = status;
    });
  }

  /** Adds a comment with the current time. */
  addComment(guid: string, text: string): void {
    const date = `${new Date().toISOString().slice(0, 19)}Z`;
    this.change(guid, ({ comments }) =>
      comments.push({ guid: randomGuid(), date, author: this.authorName.trim() || 'unnamed', text }),
    );
  }

  removeComment(guid: string, comment: string): void {
    this.change(guid, review => {
      review.comments = review.comments.filter(one => one.guid !== comment);
    });
  }

  private change(guid: string, how: (review: Review) => void): void {
    // Another tab may have stored reviews since they were read.
    this.read();
    const review = this.of(guid);
    how(review);
    if (review.status === STATUSES[0] && review.comments.length === 0) delete this.reviews[guid];
    else this.reviews[guid] = review;
    this.store(this.key, JSON.stringify(this.reviews));
    this.onChange();
  }

  private read(): void {
    // If storing has failed, the reviews in the page are newer than those in the storage.
    if (!this.isKept) return;
    try {
      this.authorName = localStorage.getItem(AUTHOR_KEY) ?? this.authorName;
      this.reviews = parse(localStorage.getItem(this.key) ?? '{}');
    } catch {
      this.isKept = false;
    }
  }

  private store(key: string, text: string): void {
    try {
      localStorage.setItem(key, text);
    } catch {
      this.isKept = false;
    }
  }
}

// Parses stored reviews, and drops entries that are not valid reviews.
function parse(text: string): Record<string, Review> {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, review]) => isReview(review)));
}

function isReview(value: unknown): value is Review {
  const { status, comments } = (value ?? {}) as Partial<Review>;
  return (
    STATUSES.includes(status!) &&
    Array.isArray(comments) &&
    comments.every(comment =>
      (['guid', 'date', 'author', 'text'] as const).every(key => typeof comment?.[key] === 'string'),
    )
  );
}

// Returns a random UUID. crypto.randomUUID is missing on pages that are not in a secure context.
function randomGuid(): string {
  return uuidText(crypto.getRandomValues(new Uint8Array(16)), 4);
}
