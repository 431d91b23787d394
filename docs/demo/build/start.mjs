// `npm run demo`: builds and serves the demo. `npm run demo -- --build` only builds it into dist-demo.
import { build, install } from '../../../bindings/build/setUp.mjs';

const PORT = 8080;

install();
build();
const { buildSite } = await import('./site.mjs');
const folder = await buildSite();
console.log(`Built the demo in ${folder}`);
if (!process.argv.includes('--build')) {
  const { serve } = await import('./serve.mjs');
  const { address } = await serve(folder, PORT);
  console.log(`Open ${address} (stop with Ctrl+C)`);
}
