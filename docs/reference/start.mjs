// `npm run docs`: the reference of all public names, written to docs/api.
import { install } from '../../bindings/build/setUp.mjs';

install();
const { buildReference } = await import('./reference.mjs');
console.log(`The reference is built in ${await buildReference()}`);
