// Registers tests of the cluster. Each test must end within its time limit and closes what it opened. If
// nats-server is missing, tests that need it are skipped, and their names are printed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tiered } from '../support/test.js';
import { within } from '../support/within.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const hasBroker = folders.some(folder => existsSync(join(folder, 'nats-server')));

/** The objects that a test opens. */
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
 * Registers a test that closes what it opened, whether it passes or fails. seconds: the max time on an idle
 * machine.
 */
export const boundedTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  test(name, bounded(name, seconds, run)),
);

/** A boundedTest that needs nats-server. */
export const brokerTest = tiered((test, name, seconds: number, run: (opened: Opened) => Promise<void>) =>
  hasBroker
    ? test(name, bounded(name, seconds, run))
    : test.skip(name, 'nats-server is missing; Debian: apt-get install nats-server'),
);
