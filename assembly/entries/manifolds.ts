// Lists the kernels of manifolds.wasm, one per line. They are for contact points that physics solvers use.

export { findManifolds } from '../manifolds/findManifolds';
