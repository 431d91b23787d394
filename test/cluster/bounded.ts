// Registers tests of the cluster. Each test must end within its time limit, and the objects that it opened
// are then closed. If nats-server is missing, tests that need it are skipped, and their names are printed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tiered } from '../support/test.js';
import { within } from '../support/within.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const hasBroker = folders.some(folder => existsSync(join(folder, 'nats-server')));

/** The objects that a test has opened. When the test ends, they are closed in reverse order. */
export class Opened {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** Registers an object that is closed at the end of the test, whether it passes or fails. */
  add<T extends { close(): Promise<unknown> }>(thing: T): T {
    this.ends.push(() => thing.close());
    return thing;
  }

  async close(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await within(10_000, 'closing', end());
  }
}

const bounded =
  (name: string, seconds: number, run: (opened: Opened) => Promise<void>) => async (): Promise<void> => {
    const opened = new Opened();
    try {
      await within(seconds * 1000, name, run(opened));
    } finally {
      await opened.close();
    }
  };

/**
 * Registers a test with a time limit. The objects that it adds to `opened` are closed at its end, whether it
 * passes or fails. seconds: the time in which the test should end on an idle machine. The limit is longer
 * (see `within`).
 */
export const boundedTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  test(name, bounded(name, seconds, run)),
);

/** Registers a test as boundedTest does, or skips it if nats-server is missing. */
export const brokerTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  hasBroker
    ? test(name, bounded(name, seconds, run))
    : test.skip(name, 'nats-server is missing; on Debian: apt-get install nats-server'),
);
