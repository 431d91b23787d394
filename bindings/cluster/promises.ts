// Promises that are settled from outside, after a time, or when the thread has looked at what waits.

/** A promise, and what settles it. */
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

/** Resolves when the thread has looked at what waits: what came in meanwhile is taken first. */
export const nextTurn: () => Promise<void> =
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
