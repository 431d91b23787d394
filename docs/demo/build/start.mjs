// `npm run demo`: builds what has changed and serves the demo; `npm run demo -- --build` only builds it into
// dist-demo.
import { build, install } from '../../../bindings/build/setUp.mjs';

const PORT = 8080;

install();
build();
const { buildSite } = await import('./site.mjs');
const folder = await buildSite();
console.log(`The demo is built in ${folder}`);
if (!process.argv.includes('--build')) {
  const { serve } = await import('./serve.mjs');
  const { address } = await serve(folder, PORT);
  console.log(`Open ${address} (end with Ctrl+C)`);
}
