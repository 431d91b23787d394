// `npm run demo`: builds the demo in dist-demo and serves it. `npm run demo -- --build` does not serve it.
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
