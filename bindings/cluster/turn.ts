// Lets other work of the thread go on: what came in meanwhile is taken first.

/** Resolves when the thread has looked at what waits. */
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
