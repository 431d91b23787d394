// Simulates a full disk in a process that preloads this module (node --import). The n-th operation that
// writes a file, and all later ones, fail with ENOSPC. The environment variable PFRONT_FAIL_WRITE gives n,
// counted from 1. Opening a file for writing, syncing it, renaming it and making a folder are also counted.
// Closing a file is counted only if PFRONT_FAIL_CLOSE is set. At exit, the number of counted operations is printed to stderr.

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
  // A disk that becomes full may still store the first bytes.
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

const { writeFileSync, openSync, renameSync, mkdirSync, mkdtempSync } = fs;
Object.assign(fs, {
  writeFileSync(file, data, options) {
    try {
      fail();
    } catch (error) {
      writeFileSync(file, data.slice(0, data.length >> 1), options);
      throw error;
    }
    writeFileSync(file, data, options);
  },
  openSync(path, flags, mode) {
    if (typeof flags === 'string' && /[wa+]/.test(flags)) fail();
    return openSync(path, flags, mode);
  },
  renameSync(from, to) {
    fail();
    renameSync(from, to);
  },
  mkdirSync(path, options) {
    fail();
    return mkdirSync(path, options);
  },
  mkdtempSync(prefix, options) {
    fail();
    return mkdtempSync(prefix, options);
  },
});
syncBuiltinESMExports();

process.on('exit', () => process.stderr.write(`counted ${count}\n`));
