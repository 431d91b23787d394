// Reads the keys with which the user steers the character: arrow keys or WASD, and space to jump.

const KEYS: Record<string, readonly [right: number, forward: number]> = {
  ArrowUp: [0, 1],
  KeyW: [0, 1],
  ArrowDown: [0, -1],
  KeyS: [0, -1],
  ArrowRight: [1, 0],
  KeyD: [1, 0],
  ArrowLeft: [-1, 0],
  KeyA: [-1, 0],
};
const JUMP = 'Space';

export interface Keys {
  /** Whether the user has pressed any of the keys so far. */
  readonly isUsed: boolean;
  readonly jumps: boolean;
  /** The sum of the directions of all keys that are down. */
  readonly direction: readonly [right: number, forward: number];
}

/** Watches the keyboard. Keys that are meant for a control of the page do not count. */
export function watchKeys(): Keys {
  const down = new Set<string>();
  let isUsed = false;
  addEventListener('keydown', event => {
    if (!(event.code in KEYS) && event.code !== JUMP) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest('input, select, button, a')) return;
    event.preventDefault();
    isUsed = true;
    down.add(event.code);
  });
  addEventListener('keyup', event => down.delete(event.code));
  // Keys that are released while another window has the focus send no event.
  addEventListener('blur', () => down.clear());
  return {
    get isUsed() {
      return isUsed;
    },
    get jumps() {
      return down.has(JUMP);
    },
    get direction() {
      const all = [...down].flatMap(code => (KEYS[code] ? [KEYS[code]] : []));
      return [0, 1].map(axis => all.reduce((sum, key) => sum + key[axis]!, 0)) as [number, number];
    },
  };
}
