// Sets up a checkout: installs the dependencies in the lock file, builds dist, and installs the programs that
// the tests of web pages and clusters need.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathOf, root } from './paths.mjs';

/**
 * Runs a program. stdio: where the output of the program goes. If the program fails, this process exits with
 * the exit code of the program.
 */
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
 * Returns whether every package in the lock file is installed in the version listed in that file. Links and
 * optional packages are not checked, since some optional packages are for other platforms.
 */
export function isInstalled() {
  const installedFile = pathOf('node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(pathOf('package-lock.json'))).every(
    ([place, { version, optional, link }]) =>
      place === '' || optional || link || installed[place]?.version === version,
  );
}

export function install() {
  if (isInstalled()) return;
  console.log('Installing dependencies (npm ci)');
  // In npm scripts, such as `npm test`, this variable is the path of npm's own script. Node can run that
  // script without a shell, so this works on every platform.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) runOrExit(process.execPath, [npm, 'ci', '--no-audit', '--no-fund']);
  else runOrExit('npm', ['ci', '--no-audit', '--no-fund']);
}

/** Builds dist; does nothing if dist is up to date. */
export function build() {
  runOrExit(process.execPath, [pathOf('bindings/build/build.mjs')]);
}

const browsers = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const hasBrowser = () => browsers.some(file => file !== '' && existsSync(file));

// Installs Debian packages if this process runs as root and finds apt-get.
function installFromDebian(...packages) {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return;
  if (packages.some(name => name.endsWith(':arm64')))
    spawnSync('dpkg', ['--add-architecture', 'arm64'], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`Installing ${packages.join(' and ')} (apt-get install)`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ])
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
}

/**
 * Installs Chromium from Debian's packages if possible; else prints how to install it. Without Chromium,
 * tests of web pages are skipped, and benches cannot use its software GPU.
 */
export function installBrowser() {
  if (hasBrowser()) return;
  installFromDebian('chromium');
  if (!hasBrowser())
    console.log(
      'Chromium not found: tests of web pages, and GPU tests that need the software GPU of Chromium, are skipped; benches cannot use that GPU. Install it (Debian: apt-get install chromium), or set the variable CHROMIUM to its path.',
    );
}

const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
const hasProgram = name => folders.some(folder => folder !== '' && existsSync(path.join(folder, name)));

/**
 * Installs two programs from Debian's packages if possible: `nats-server`, the message broker of clusters, and
 * `ip`, with which tests simulate several hosts on one machine. If `nats-server` could not be installed, prints
 * how to install it.
 */
export function installBroker() {
  const packages = [
    ['nats-server', 'nats-server'],
    ['ip', 'iproute2'],
  ].flatMap(([program, name]) => (hasProgram(program) ? [] : [name]));
  if (packages.length === 0) return;
  installFromDebian(...packages);
  if (!hasProgram('nats-server'))
    console.log(
      'nats-server not found: tests of clusters are skipped, and benches of clusters fail. Install it (Debian: apt-get install nats-server).',
    );
}

/**
 * Installs Firefox, WebKit, a software GPU for Firefox, and an emulator for arm64 from Debian's packages if
 * possible, for the tests that compare platforms.
 */
export function installPlatforms() {
  const packages = [
    ['/usr/bin/firefox-esr', 'firefox-esr'],
    ['/usr/share/vulkan/icd.d/lvp_icd.x86_64.json', 'mesa-vulkan-drivers'],
    ['/usr/bin/WebKitWebDriver', 'webkit2gtk-driver'],
    ['/usr/bin/Xvfb', 'xvfb'],
    ['/usr/bin/qemu-aarch64-static', 'qemu-user-static'],
    ['/lib/ld-linux-aarch64.so.1', 'libc6:arm64'],
    ['/usr/lib/aarch64-linux-gnu/libstdc++.so.6', 'libstdc++6:arm64'],
  ].flatMap(([file, name]) => (existsSync(file) ? [] : [name]));
  if (packages.length > 0) installFromDebian(...packages);
}

/**
 * Returns environment variables that let Dawn (WebGPU for Node) find the software GPU that comes with
 * Chromium. The variables must be set when the process that uses Dawn starts.
 */
export function gpuEnvironment() {
  const driver = '/usr/lib/chromium/vk_swiftshader_icd.json';
  if (process.env.VK_DRIVER_FILES || !existsSync(driver)) return {};
  return {
    VK_DRIVER_FILES: driver,
    // A layer of Mesa looks for a display in this folder, and prints an error if the variable is not set.
    XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? tmpdir(),
    LD_LIBRARY_PATH: ['/usr/lib/chromium', process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  };
}
