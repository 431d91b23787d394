// Implements `npm run determinism`: runs the suite `determinism`, and prints which platforms gave the results
// of hashes.json.
//
// --write: if all results are equal, records the table and the digest of the hashes in docs/determinism.md.
// Platforms that are missing on this machine keep their rows, unless the hashes have changed.
// --accept: before the comparison, replaces the hashes in hashes.json by those of Node on this machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathOf, root } from '../../bindings/build/paths.mjs';
import { DIGEST, digestOfHashes, HEAD, pagePath } from './page.mjs';

const FLAGS = ['--write', '--accept'];

const words = process.argv.slice(2);
const wrong = words.filter(word => !FLAGS.includes(word));
if (wrong.length > 0) {
  console.error(`determinism: unknown option ${wrong.join(', ')}; the options are ${FLAGS.join(' and ')}`);
  process.exit(2);
}

const folder = mkdtempSync(path.join(tmpdir(), 'pfront-determinism-'));
const recordFile = path.join(folder, 'rows.json');
const { status } = spawnSync(process.execPath, [pathOf('test/run.mjs'), 'determinism'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PFRONT_DETERMINISM: recordFile,
    ...(words.includes('--accept') ? { PFRONT_ACCEPT: 'yes' } : {}),
  },
});
const found = JSON.parse(readFileSync(recordFile, 'utf8'));
rmSync(folder, { recursive: true });

const date = new Date().toISOString().slice(0, 10);
const rows = new Map(
  found.map(({ platform, version, threads, queries }) => [
    `${platform} ${threads}`,
    `| ${platform} | ${version} | ${threads} | ${queries} of ${queries} | ${date} |`,
  ]),
);
const table = [...HEAD, ...rows.values()].join('\n');
console.log(`\n${table}`);

if (status === 0 && words.includes('--write')) {
  const text = readFileSync(pagePath, 'utf8');
  const digest = digestOfHashes();
  const from = text.indexOf(HEAD[0]);
  const to = text.indexOf('\n\n', from);
  const others = text
    .slice(from, to)
    .split('\n')
    .slice(HEAD.length)
    .filter(line => {
      const [, platform, , threads] = line.split('|').map(cell => cell.trim());
      return !rows.has(`${platform} ${threads}`);
    });
  const kept = DIGEST.exec(text)?.[1] === digest ? others : [];
  const written = `${text.slice(0, from)}${[table, ...kept].join('\n')}${text.slice(to)}`;
  writeFileSync(pagePath, written.replace(DIGEST, `The digest of these hashes is ${digest}.`));
}
process.exit(status ?? 1);
