// A page that is not cross-origin isolated -> the same page behind the service worker that isolates it,
// reloaded once.

const TRIED = 'isolation tried';
const MOST_WAIT_MILLISECONDS = 4000;

/** Resolves when the page is as isolated as it can be; does not resolve where it reloads. */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated) {
    forget();
    return;
  }
  if (!isSecureContext || !navigator.serviceWorker || !isFirstTry()) return;
  try {
    await navigator.serviceWorker.register('isolationWorker.js');
    const wait = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('no service worker')), MOST_WAIT_MILLISECONDS);
    });
    await Promise.race([navigator.serviceWorker.ready, wait]);
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => {});
}

// Without storage nothing says that it was tried: then it is not, so that no page reloads for ever.
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
    /* Nothing was kept. */
  }
}
