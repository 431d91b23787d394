// Registers tests of the cluster: each ends within its time and closes what it opened; tests that need
// nats-server are skipped by name if it is missing.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tiered } from '../support/test.js';
import { within } from '../support/within.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const hasBroker = folders.some(folder => existsSync(join(folder, 'nats-server')));

/** An object that a test opens. */
export class Opened {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** It is closed when the test has ended, passed or failed. */
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

/** A test that closes what it opened, passed or failed. seconds: the maximum time on a quiet machine. */
export const boundedTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  test(name, bounded(name, seconds, run)),
);

/** A boundedTest that needs nats-server. */
export const brokerTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  hasBroker
    ? test(name, bounded(name, seconds, run))
    : test.skip(name, 'no nats-server; Debian: apt-get install nats-server'),
);
