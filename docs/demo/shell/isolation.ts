// Makes the page cross-origin isolated if the host sends no headers: registers a service worker that adds
// them, and reloads the page once.

const TRIED = 'isolation tried';
const MAX_WAIT_MILLISECONDS = 4000;

/** Resolves if the page is isolated or cannot be. Never resolves if the page reloads. */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated) {
    forget();
    return;
  }
  if (!isSecureContext || !navigator.serviceWorker || !isFirstTry()) return;
  try {
    await navigator.serviceWorker.register('isolationWorker.js');
    const wait = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('no service worker')), MAX_WAIT_MILLISECONDS);
    });
    await Promise.race([navigator.serviceWorker.ready, wait]);
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => {});
}

// Without storage the attempt cannot be recorded. Then isolation is not tried, so that the page does not
// reload forever.
function isFirstTry(): boolean {
  try {
    if (sessionStorage.getItem(TRIED)) return false;
    sessionStorage.setItem(TRIED, 'yes');
    return true;
  } catch {
    return false;
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(TRIED);
  } catch {
    /* Storage is not available. */
  }
}
