// Makes the page cross-origin isolated, as threads require. If the host does not send the necessary headers,
// registers a service worker that adds these headers, and reloads the page once.

const TRIED = 'isolation tried';
const MAX_WAIT_MILLISECONDS = 4000;

/**
 * Resolves when the page is isolated, or when it turns out that it cannot be isolated. Never resolves if the
 * page is reloaded.
 */
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

// Returns whether this is the first attempt in the session, and records it. Returns false if the attempt
// cannot be recorded because storage is not available: otherwise the page might reload forever.
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
