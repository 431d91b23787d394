// A broker that is kept running: one that dies is started again at the same port, where everyone comes back
// to it, but not for ever.
import { type Broker, startBroker } from '../../cluster/broker.js';
import type { BrokerOptions } from '../../cluster/brokerConfig.js';
import { deferred } from '../../cluster/promises.js';

/** A broker that dies so often within this time is not started again. */
const MOST_RESTARTS = 5;
const WITHIN = 60_000;

export interface KeptBroker {
  readonly broker: Broker;
  /** Told of each death, in words, once it runs again. */
  onRestart: (line: string) => void;
  /** Resolves when it is given up, with the reason. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/** Its port must be given. @throws CollisionError 'Cluster', as startBroker */
export async function keepBroker(options: BrokerOptions): Promise<KeptBroker> {
  let broker = await startBroker(options);
  let died: number[] = [];
  let isClosing = false;
  const { promise: lost, resolve: give } = deferred<Error>();
  const kept: KeptBroker = {
    get broker() {
      return broker;
    },
    onRestart() {},
    lost,
    async close() {
      isClosing = true;
      await broker.close();
    },
  };

  function watch(): void {
    void broker.closed.then(reason => {
      if (!isClosing && reason) void restart(reason);
    });
  }

  async function restart(reason: Error): Promise<void> {
    const now = performance.now();
    died = [...died.filter(at => at > now - WITHIN), now];
    if (died.length > MOST_RESTARTS) return give(reason);
    try {
      broker = await startBroker(options);
    } catch (error) {
      return give(error as Error);
    }
    if (isClosing) return broker.close();
    kept.onRestart(`${reason.message}; it was started again`);
    watch();
  }

  watch();
  return kept;
}
