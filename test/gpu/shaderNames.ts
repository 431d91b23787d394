// Shortens the names in WGSL text as the build does. Tests need the short names to find or replace text in
// the built shaders. The text must have no comments and no unnecessary spaces, because the built shaders
// have none.

import { fileURLToPath } from 'node:url';
// @ts-ignore: a script of the build.
import { readShaders, shortened } from '../../bindings/build/shaders.mjs';
import { shaderLayout } from '../../dist/records/emit.js';

const { names } = readShaders(fileURLToPath(new URL('../../gpu', import.meta.url)), shaderLayout().records);

export const shortText = (text: string): string => shortened(text, names);
