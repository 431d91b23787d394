// Lists the kernels of rays.wasm, one per line. They are for ray casts.

export { castRays } from '../rays/castRays';
