// Makes promises that are settled by the caller, after a delay, or after pending events.

/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

export function deferred<T>(): Deferred<T> {
  let settle!: Pick<Deferred<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds);
  });

/** Yields to the event loop: resolves after pending events, so that received messages are handled first. */
export const yieldToEventLoop: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () =>
        new Promise(resolve => {
          setImmediate(resolve);
        })
    : () =>
        new Promise(resolve => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(0);
        });
