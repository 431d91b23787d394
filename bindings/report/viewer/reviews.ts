// The reviews of clashes: the status and the comments of each clash. The page keeps them in the browser's
// storage, under a key that contains the model's GUID, so that the next report of the same files shows them
// again. If the browser refuses storage, the reviews last until the page is closed. A page that was saved with
// reviews shows these together with the reviews in the storage.
import { STATUSES, type Status } from '../bcf/topic.js';
import { uuidText } from '../bcf/uuid.js';
import type { Review } from '../content.js';

const PREFIX = 'pfront-report';
const AUTHOR_KEY = `${PREFIX} author`;

const untouched = (): Review => ({ status: STATUSES[0], comments: [] });

export class Reviews {
  /** Whether reviews last after the page is closed. */
  isKept = true;
  private readonly key: string;
  private reviews: Record<string, Review>;
  private readonly saved: Record<string, Review>;
  private authorName = '';

  /**
   * Reads the reviews of a model.
   *
   * @param model - The GUID of the model.
   * @param saved - The reviews that were saved with the page.
   * @param onChange - Called when a review has changed, in this tab or in another.
   */
  constructor(
    model: string,
    saved: unknown,
    private readonly onChange: () => void,
  ) {
    this.saved = validReviews(saved);
    this.reviews = this.saved;
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
    return reviewOf(this.reviews, guid);
  }

  /** Whether the clash has comments, or a status other than STATUSES[0]. */
  isTouched(guid: string): boolean {
    const { status, comments } = this.of(guid);
    return status !== STATUSES[0] || comments.length > 0;
  }

  /** Returns all reviews, by the GUID of the clash. */
  all(): Record<string, Review> {
    return this.reviews;
  }

  setStatus(guid: string, status: Status): void {
    this.change(guid, review => {
      review.status = status;
      review.statusAt = new Date().toISOString();
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
      review.removed = [...(review.removed ?? []), comment];
    });
  }

  private change(guid: string, edit: (review: Review) => void): void {
    // Another tab may have stored reviews since they were read.
    this.read();
    const review = this.of(guid);
    edit(review);
    // The review is stored even if it has STATUSES[0] and no comments: a saved page may still have a comment
    // that was deleted here, or an older status.
    this.reviews[guid] = review;
    this.store(this.key, JSON.stringify(this.reviews));
    this.onChange();
  }

  private read(): void {
    // If storing has failed, the reviews in memory are newer than those in the storage.
    if (!this.isKept) return;
    try {
      this.authorName = localStorage.getItem(AUTHOR_KEY) ?? this.authorName;
      this.reviews = merged(this.saved, parse(localStorage.getItem(this.key) ?? '{}'));
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
  try {
    return validReviews(JSON.parse(text));
  } catch {
    return {};
  }
}

function validReviews(stored: unknown): Record<string, Review> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, review]) => isReview(review)));
}

// Joins two sets of reviews. The result has, for each clash, the comments of both sets that neither set has
// deleted, and the status that was set last.
function merged(x: Record<string, Review>, y: Record<string, Review>): Record<string, Review> {
  const guids = new Set([...Object.keys(x), ...Object.keys(y)]);
  return Object.fromEntries(
    [...guids].map(guid => [guid, mergedReview(reviewOf(x, guid), reviewOf(y, guid))]),
  );
}

const reviewOf = (reviews: Record<string, Review>, guid: string): Review =>
  Object.hasOwn(reviews, guid) ? reviews[guid] : untouched();

function mergedReview(x: Review, y: Review): Review {
  const removed = [...new Set([...(x.removed ?? []), ...(y.removed ?? [])])];
  const comments = new Map([...x.comments, ...y.comments].map(comment => [comment.guid, comment]));
  const [xAt, yAt] = [x.statusAt ?? '', y.statusAt ?? ''];
  const { status, statusAt } = xAt > yAt || (xAt === yAt && y.status === STATUSES[0]) ? x : y;
  return {
    status,
    comments: [...comments.values()]
      .filter(({ guid }) => !removed.includes(guid))
      .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0)),
    ...(statusAt === undefined ? {} : { statusAt }),
    ...(removed.length > 0 ? { removed } : {}),
  };
}

function isReview(value: unknown): value is Review {
  const { status, comments, statusAt, removed } = (value ?? {}) as Partial<Review>;
  return (
    STATUSES.includes(status!) &&
    (statusAt === undefined || typeof statusAt === 'string') &&
    (removed === undefined || (Array.isArray(removed) && removed.every(guid => typeof guid === 'string'))) &&
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
