// Replaces names in a piece of WGSL without comments and spaces by the short names of the built package.

import { fileURLToPath } from 'node:url';
// @ts-ignore: a script of the build.
import { readShaders, shortened } from '../../bindings/build/shaders.mjs';
import { shaderLayout } from '../../dist/records/emit.js';

const { names } = readShaders(fileURLToPath(new URL('../../gpu', import.meta.url)), shaderLayout().records);

export const shortText = (text: string): string => shortened(text, names);
