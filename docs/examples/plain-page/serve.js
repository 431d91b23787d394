// Serves this folder with the two HTTP headers that pages need for threads.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** @type {Record<string, string>} */
const types = { '.html': 'text/html', '.js': 'text/javascript' };

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = path.join(folder, pathname === '/' ? 'index.html' : pathname);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  response.writeHead(isFile ? 200 : 404, {
    'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  });
  if (isFile) createReadStream(file).pipe(response);
  else response.end();
});
server.listen(Number(process.env.PORT ?? 8080), 'localhost', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Open http://localhost:${address?.port}/`);
});
