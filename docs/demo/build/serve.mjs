// A local web server for a folder. It sends the headers for cross-origin isolation, which pages need for
// threads.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// Returns the path of the file that a URL requests, or undefined if the folder has no such file.
function fileOf(folder, address) {
  let name;
  try {
    name = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
  const isInside = file.startsWith(folder + path.sep);
  return isInside && existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/**
 * Serves the folder on the given port, or on any free port if the given port is in use. Resolves to the
 * address of the server and a function that stops the server.
 */
export function serve(folder, port) {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url);
    response.writeHead(file ? 200 : 404, {
      'Content-Type': types[path.extname(file ?? '.txt')] ?? 'text/plain',
      'Cache-Control': 'no-cache',
      ...isolation,
    });
    if (file) createReadStream(file).pipe(response);
    else response.end('There is no such page.');
  });
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      if (error.code !== 'EADDRINUSE') {
        reject(error);
        return;
      }
      server.listen(0, '127.0.0.1');
    });
    server.once('listening', () =>
      resolve({
        address: `http://localhost:${server.address().port}/`,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    );
    server.listen(port, '127.0.0.1');
  });
}
