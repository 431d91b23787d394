// Runs for `npm run docs`: generates the reference of all public names in docs/api.
import { install } from '../../bindings/build/setUp.mjs';

install();
const { buildReference } = await import('./reference.mjs');
console.log(`The reference is built in ${await buildReference()}`);
