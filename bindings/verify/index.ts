// Entry point `pfront/verify`: re-exports only.
/**
 * Checks the certificates of queries and of models. This module shares no code with the engine, and runs
 * without the engine.
 * @module pfront/verify
 */
export type {
  Claim,
  ModelClaim,
  Verdict,
  VerifiableCertificate,
  VerifiableClash,
  VerifiableMesh,
  VerifiableModelCertificate,
  VerifiablePairs,
  VerifiablePart,
} from './claims.js';
export { verify, verifyModel } from './verify.js';
