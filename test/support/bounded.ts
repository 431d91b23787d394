// Tests of the cluster: every one ends within its time, closes what it opened, and is skipped by name where it needs nats-server and there is none.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from './test.js';
import { within } from './within.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const hasBroker = folders.some((folder) => existsSync(join(folder, 'nats-server')));

/** What a test opens. */
export class Opened {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** It is closed when the test has ended, however it ended. */
  add<T extends { close(): Promise<unknown> }>(thing: T): T {
    this.ends.push(() => thing.close());
    return thing;
  }

  async close(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await within(10_000, 'closing', end());
  }
}

export function boundedTest(name: string, seconds: number, run: (opened: Opened) => Promise<void>): void {
  test(name, async () => {
    const opened = new Opened();
    try {
      await within(seconds * 1000, name, run(opened));
    } finally {
      await opened.close();
    }
  });
}

/** One that needs nats-server. */
export function brokerTest(name: string, seconds: number, run: (opened: Opened) => Promise<void>): void {
  if (hasBroker) return boundedTest(name, seconds, run);
  console.log(`\nskipped: ${name} (no nats-server; Debian: apt-get install nats-server)`);
  test.skip(name, () => {});
}
