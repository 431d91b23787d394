// Entry point `pfront/verify`: re-exports only.
/**
 * Checks the certificates of queries. It shares no code with the engine and runs without it.
 * @module pfront/verify
 */
export {
  type Claim,
  type Verdict,
  type VerifiableCertificate,
  type VerifiableMesh,
  type VerifiablePairs,
  verify,
} from './verify.js';
