// A service worker for hosts that cannot set headers: adds the headers for cross-origin isolation to every
// response of this site.

interface WorkerScope extends EventTarget {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
interface WaitEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = globalThis as unknown as WorkerScope;

async function isolated(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

scope.addEventListener('install', () => {
  void scope.skipWaiting();
});
scope.addEventListener('activate', event => {
  (event as WaitEvent).waitUntil(scope.clients.claim());
});
scope.addEventListener('fetch', event => {
  const { request } = event as RequestEvent;
  if (new URL(request.url).origin !== location.origin || request.method !== 'GET') return;
  (event as RequestEvent).respondWith(isolated(request));
});
