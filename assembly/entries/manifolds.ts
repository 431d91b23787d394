// Lists the kernels of manifolds.wasm (contact points for physics solvers), one per line.

export { findManifolds } from '../manifolds/findManifolds';
