// Preloaded into a process: makes its n-th operation that writes a file fail, as if the disk were full, and
// all later ones too. PFRONT_FAIL_WRITE is n, counted from 1; the number of operations is printed at the end.

import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const failAt = Number(process.env.PFRONT_FAIL_WRITE);
let count = 0;

function fail() {
  if (++count < failAt) return;
  const message = 'ENOSPC: no space left on device, write';
  throw Object.assign(new Error(message), { code: 'ENOSPC', errno: -28, syscall: 'write' });
}

const handle = await open(process.execPath);
const files = Object.getPrototypeOf(handle);
await handle.close();

const { writeFile, write, writev, close, sync } = files;
Object.assign(files, {
  // A full disk may take the first bytes.
  async writeFile(data, options) {
    try {
      fail();
    } catch (error) {
      await writeFile.call(this, data.slice(0, data.length >> 1), options);
      throw error;
    }
    return writeFile.call(this, data, options);
  },
  async write(...args) {
    fail();
    return write.apply(this, args);
  },
  async writev(...args) {
    fail();
    return writev.apply(this, args);
  },
  async sync() {
    fail();
    return sync.call(this);
  },
  // Some file systems report a full disk only when the file is closed.
  async close() {
    await close.call(this);
    if (process.env.PFRONT_FAIL_CLOSE) fail();
  },
});

const promises = fs.promises;
const original = { open: promises.open, rename: promises.rename };
Object.assign(promises, {
  async open(path, flags, mode) {
    if (typeof flags === 'string' && /[wa+]/.test(flags)) fail();
    return original.open(path, flags, mode);
  },
  async rename(from, to) {
    fail();
    return original.rename(from, to);
  },
});
syncBuiltinESMExports();

process.on('exit', () => process.stderr.write(`counted ${count}\n`));
