// Encodes errors of nodes for the process that submitted the job. `failureOf` encodes an error, and `errorOf`
// decodes it into an error with the same code, message and fix.
import {
  Capacity,
  CollisionError,
  Disposed,
  InvalidBoxes,
  InvalidMesh,
  InvalidTransform,
  Unsupported,
} from '../../core/errors.js';
import { ClusterError } from '../errors.js';

/** Thrown by a node that could not fetch the results of `tasks` from the nodes that keep them. */
export class MissingResult extends ClusterError {
  readonly tasks: readonly number[];
  constructor(task: number) {
    super(
      `the result of task ${task} could not be fetched`,
      'the task runs again; if this recurs, check the network',
    );
    this.tasks = [task];
  }
}

const kinds = { InvalidMesh, InvalidBoxes, InvalidTransform, Unsupported, Disposed };
const MAX_TEXT_LENGTH = 4000;

interface Failure {
  missing: Uint32Array;
  neededBytes: number;
  code: Uint8Array;
  text: Uint8Array;
  fix: Uint8Array;
}

export function failureOf(error: unknown): Failure {
  const {
    code = 'Internal',
    message,
    fix = 'report this as a bug, with the input of the job',
    neededBytes = 0,
  } = Object(error) as Partial<Capacity>;
  const bytes = (text: unknown): Uint8Array =>
    new TextEncoder().encode(String(text).slice(0, MAX_TEXT_LENGTH));
  return {
    missing: Uint32Array.from(error instanceof MissingResult ? error.tasks : []),
    neededBytes: Number.isSafeInteger(neededBytes) ? neededBytes : 0,
    code: bytes(code),
    text: bytes(message ?? error),
    fix: bytes(fix),
  };
}

export function errorOf({ neededBytes, code, text, fix }: Omit<Failure, 'missing'>): CollisionError {
  const [name, message, fixText] = [code, text, fix].map(bytes => new TextDecoder().decode(bytes));
  if (name === 'Capacity') return new Capacity(message, fixText, neededBytes);
  const Kind = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined;
  return Kind ? new Kind(message, fixText) : new CollisionError(name, message, fixText);
}
