// Sets a checkout up: installs dependencies as the lock file says, builds dist, and installs what tests of
// pages and clusters need.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { at, root } from './paths.mjs';

/** Runs a program; its output goes to `stdio`. Ends this process with its code when it fails. */
export function runOrExit(program, args, stdio = 'inherit') {
  const { status, signal, error } = spawnSync(program, args, { cwd: root, stdio });
  if (status === 0) return;
  console.error(
    `${program} ${args.join(' ')}: ${error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)}`,
  );
  process.exit(status || 1);
}

const packagesOf = file => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * Whether every package that the lock file asks for lies in node_modules in that version; those for other
 * machines aside.
 */
export function isInstalled() {
  const installedFile = at('node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(at('package-lock.json'))).every(
    ([place, { version, optional, link }]) =>
      place === '' || optional || link || installed[place]?.version === version,
  );
}

export function install() {
  if (isInstalled()) return;
  console.log('Installing dependencies (npm ci)');
  // Under `npm test` the path of npm's own script is known: no shell, on any platform.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) runOrExit(process.execPath, [npm, 'ci', '--no-audit', '--no-fund']);
  else runOrExit('npm', ['ci', '--no-audit', '--no-fund']);
}

/** Builds dist; does nothing when it is up to date. */
export function build() {
  runOrExit(process.execPath, [at('bindings/build/build.mjs')]);
}

const browsers = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const hasBrowser = () => browsers.some(file => file !== '' && existsSync(file));

// Where that may be done.
function installFromDebian(...packages) {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return;
  console.log(`Installing ${packages.join(' and ')} (apt-get install)`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ])
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
}

/**
 * Chromium, from Debian's packages where that may be done; elsewhere it is said how. Tests of pages are
 * skipped by name without it.
 */
export function installBrowser() {
  if (hasBrowser()) return;
  installFromDebian('chromium');
  if (!hasBrowser())
    console.log(
      'No Chromium, which has a software GPU, too: tests of web pages and of GPUs are skipped. Install it (Debian: apt-get install chromium), or name it in the variable CHROMIUM.',
    );
}

const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
const hasProgram = name => folders.some(folder => folder !== '' && existsSync(path.join(folder, name)));

/** nats-server, which clusters meet at, and ip, which makes several hosts of one: as the browser. */
export function installBroker() {
  const packages = [
    ['nats-server', 'nats-server'],
    ['ip', 'iproute2'],
  ].flatMap(([program, name]) => (hasProgram(program) ? [] : [name]));
  if (packages.length === 0) return;
  installFromDebian(...packages);
  if (!hasProgram('nats-server'))
    console.log(
      'No nats-server: tests of clusters are skipped. Install it (Debian: apt-get install nats-server).',
    );
}

/**
 * What Dawn in Node needs to find the software adapter that comes with Chromium: variables for a process that
 * is started with them.
 */
export function gpuEnvironment() {
  const driver = '/usr/lib/chromium/vk_swiftshader_icd.json';
  if (process.env.VK_DRIVER_FILES || !existsSync(driver)) return {};
  return {
    VK_DRIVER_FILES: driver,
    LD_LIBRARY_PATH: ['/usr/lib/chromium', process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  };
}
