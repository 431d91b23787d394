// `npm test`: installs and builds where needed, runs every suite in a process of its own -> one line of counts at the end.
// A suite is a folder of test/ with *.test.ts files. --proof: the *.proof.ts files instead. Names of suites: only those.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { at, build, gpuEnvironment, install, installBroker, installBrowser, root } from '../bindings/build/setUp.mjs';

const suitesAtOnce = 2;
const flags = process.argv.slice(2);
const isProof = flags.includes('--proof');
const wanted = flags.filter(flag => !flag.startsWith('--'));
const ending = isProof ? '.proof.ts' : '.test.ts';
const minutes = isProof ? 120 : 25;
const suiteMinutes = isProof ? 60 : 15;
const longest = ['systems', 'cluster', 'gpu', 'browser'];
const rank = name => (longest.includes(name) ? longest.indexOf(name) : longest.length);

install();
if (!flags.includes('--no-build')) build();
// A software GPU comes with it.
if (wanted.length === 0 || ['browser', 'gpu', 'cluster'].some(name => wanted.includes(name))) installBrowser();
if (wanted.length === 0 || wanted.includes('cluster')) installBroker();
const endsAt = performance.now() + minutes * 60_000;

const suites = readdirSync(at('test'), { withFileTypes: true })
  .filter(entry => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)))
  .map(entry => entry.name)
  .filter(name => readdirSync(at('test', name)).some(file => file.endsWith(ending)))
  // The longest first: then two at once end about together.
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));

// A suite that ended by itself but printed no counts, or did not end: one failure more than what it told.
function countsOf(output, code) {
  const counts = [...output.matchAll(/^ {2}(Total|Passed|Skipped): +(\d+)$/gm)];
  const [total, passed, skipped] = ['Total', 'Passed', 'Skipped'].map(word => counts.filter(([, name]) => name === word).reduce((sum, [,, count]) => sum + Number(count), 0));
  const failed = total - passed;
  return { passed, skipped, failed: failed === 0 && (code !== 0 || total + skipped === 0) ? 1 : failed };
}

function runSuite(name) {
  return new Promise(resolve => {
    const startedAt = performance.now();
    const pattern = ending.replaceAll('.', '\\.') + '$';
    const child = spawn(process.execPath, ['--import', 'tsx', at('node_modules/uvu/bin.js'), '--no-color', at('test', name), pattern],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...gpuEnvironment(), NO_COLOR: '1' } });
    let output = '', isLate = false;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { output += text; });
    const timer = setTimeout(() => { isLate = true; child.kill('SIGKILL'); }, Math.max(1000, Math.min(suiteMinutes * 60_000, endsAt - startedAt)));
    child.on('error', error => { output += String(error); });
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ name, code: isLate ? 1 : code, isLate, output: output.replace(/\x1b\[[0-9;]*m/g, ''), seconds: (performance.now() - startedAt) / 1000 });
    });
  });
}

function report({ name, code, isLate, output, seconds }) {
  const counts = countsOf(output, code);
  const notes = [...output.matchAll(/^(?:• )*((?:skipped|counted): .*)$/gm)].map(([, line]) => `  ${line}`);
  console.log([`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds.toFixed(1)} s`, ...notes].join('\n'));
  if (isLate) console.log(`  ended after ${seconds.toFixed(0)} s without an end`);
  if (counts.failed > 0) console.log(output.trimEnd());
  return counts;
}

const waiting = [...suites];
const total = { passed: 0, failed: 0, skipped: 0 };
await Promise.all(Array.from({ length: suitesAtOnce }, async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const counts = report(await runSuite(name));
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
}));

const mayNotSkip = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false';
if (total.passed + total.failed === 0) console.log('No tests were found.');
if (mayNotSkip && total.skipped > 0) console.log('With CI set nothing may be skipped.');
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 || total.passed === 0 || (mayNotSkip && total.skipped > 0) ? 1 : 0;
