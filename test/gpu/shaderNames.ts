// A piece of WGSL without comments and spaces -> the same with the short names that the package has.

import { fileURLToPath } from 'node:url';
// @ts-ignore: a script of the build.
import { readShaders, shortened } from '../../bindings/build/shaders.mjs';
import { shaderLayout } from '../../dist/records/emit.js';

const { names } = readShaders(fileURLToPath(new URL('../../gpu', import.meta.url)), shaderLayout().records);

export const shortText = (text: string): string => shortened(text, names);
