// Keeps the message broker of a cluster running: a broker that dies is restarted on the same port, so that
// all nodes can reconnect. The number of restarts per minute is limited.
import { type Broker, startBroker } from '../../cluster/broker.js';
import type { BrokerOptions } from '../../cluster/brokerConfig.js';
import { deferred } from '../../cluster/promises.js';

/** The maximum number of restarts within RESTART_WINDOW milliseconds. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW = 60_000;

export interface SupervisedBroker {
  readonly broker: Broker;
  /** Called with a description of the failure after each restart, unless `close` was called meanwhile. */
  onRestart: (line: string) => void;
  /**
   * Resolves with the reason when the broker has died and will not be restarted, because it died too often or
   * because a restart failed. Does not resolve if `close` ended the broker.
   */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Starts a broker and keeps it running. `options.port` must be set, so that a restarted broker has the same
 * port.
 * @throws CollisionError 'Cluster' if the broker cannot be started: see `startBroker`
 */
export async function superviseBroker(options: BrokerOptions): Promise<SupervisedBroker> {
  let broker = await startBroker(options);
  let deathTimes: number[] = [];
  let isClosing = false;
  const { promise: lost, resolve: resolveLost } = deferred<Error>();
  const kept: SupervisedBroker = {
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
    deathTimes = [...deathTimes.filter(at => at > now - RESTART_WINDOW), now];
    if (deathTimes.length > MAX_RESTARTS) return resolveLost(reason);
    try {
      broker = await startBroker(options);
    } catch (error) {
      return resolveLost(error as Error);
    }
    if (isClosing) return broker.close();
    kept.onRestart(`${reason.message}; it was restarted`);
    watch();
  }

  watch();
  return kept;
}
