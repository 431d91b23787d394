// Runs one test file with uvu in this process. runFile.mjs starts this script with the command
// `node --import tsx test/runner/file.mjs FILE`.
import path from 'node:path';
import { run } from 'uvu/run';

const file = path.resolve(process.argv[2]);
await run([{ name: path.basename(file), file: file.replaceAll('\\', '/').replace(/^\//, '') }]);
