// Lists the kernels of rays.wasm (ray casts), one per line.

export { castRays } from '../rays/castRays';
