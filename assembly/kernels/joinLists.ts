// Pieces of pair lists -> behind each other.
import { ListCopy } from '../layout';

export function joinLists(jobAt: usize, begin: u32, end: u32): void {
  for (let i = begin; i < end; i++) {
    const copy = jobAt + <usize>i * ListCopy.SIZE, bytes = <usize>load<u32>(copy, ListCopy.count) << 2;
    memory.copy(<usize>load<u32>(copy, ListCopy.toAAt), <usize>load<u32>(copy, ListCopy.aAt), bytes);
    memory.copy(<usize>load<u32>(copy, ListCopy.toBAt), <usize>load<u32>(copy, ListCopy.bAt), bytes);
  }
}
