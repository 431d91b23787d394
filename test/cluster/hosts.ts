// Simulates several hosts on this machine. Each host has its own folder and, if the system permits, a network
// namespace that a bridge connects to the others. Otherwise, all hosts use the network of this machine, and
// the broker listens on a loopback address.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN } from '../support/commandLine.js';
import { freePort } from './clusterProcesses.js';

export interface Ended {
  code: number | null;
  output: string;
}

export interface Host {
  /** The folder in which the host's commands run. */
  readonly folder: string;
  /**
   * Runs a line of shell commands on the host. Three commands are replaced: npx runs the built pfront, scp
   * copies from the folder of the first host, and npm does nothing.
   */
  run(line: string): { child: ChildProcess; output(): string; ended: Promise<Ended> };
}

export interface Hosts {
  readonly kind: 'namespaces' | 'loopback addresses';
  readonly all: readonly Host[];
  close(): void;
}

const ip = (...args: string[]): boolean => spawnSync('ip', args, { stdio: 'ignore' }).status === 0;

/** Makes `count` hosts, at most 200. In commands, the address of all[i] is `${network}.${i + 1}`. */
export async function makeHosts(count: number, network: string): Promise<Hosts> {
  const prefix = `pf${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  const children = new Set<ChildProcess>();
  writeTools(folder);
  const isApart = makeNamespaces(prefix, names, network);
  const port = isApart ? 4222 : await freePort();
  // Without namespaces, replaces the address of the first host, on which the broker runs, by a loopback
  // address with a free port.
  const here = (line: string): string =>
    isApart
      ? line
      : line
          .replaceAll(`--host ${network}.1`, `--host 127.0.0.11 --port ${port}`)
          .replaceAll(`${network}.1:4222`, `127.0.0.11:${port}`);
  const all = names.map((name, i): Host => {
    const own = join(folder, `host${i + 1}`);
    mkdirSync(own);
    return {
      folder: own,
      run(line) {
        const command = ['sh', '-c', here(line)];
        const [file, ...args] = isApart ? ['ip', 'netns', 'exec', name, ...command] : command;
        const child = spawn(file!, args, {
          cwd: own,
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
          env: {
            ...process.env,
            PATH: `${join(folder, 'tools')}:${process.env.PATH}:/usr/sbin`,
            XDG_RUNTIME_DIR: own,
            HOSTS: folder,
            NO_COLOR: '1',
            PFRONT_TOKEN: '',
          },
        });
        let output = '';
        children.add(child);
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text;
          });
        return {
          child,
          output: () => output,
          ended: new Promise(resolve => {
            child.once('close', code => {
              children.delete(child);
              resolve({ code, output });
            });
          }),
        };
      },
    };
  });
  return {
    all,
    kind: isApart ? 'namespaces' : 'loopback addresses',
    close() {
      for (const { pid } of children)
        try {
          process.kill(-pid!, 'SIGKILL');
        } catch {
          /* The process has already ended. */
        }
      if (isApart) removeNamespaces([...names, prefix]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeTools(folder: string): void {
  const tools: Record<string, string> = {
    npx: `shift\nexec "${process.execPath}" "${MAIN}" "$@"`,
    scp: 'cp "$HOSTS/host1/${1#*:}" "$2"',
    npm: 'exit 0',
  };
  mkdirSync(join(folder, 'tools'));
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(folder, 'tools', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, 'tools', name), 0o755);
  }
}

// Makes a namespace for each host and connects it to a bridge. The bridge has its own namespace, so that this
// machine's network stays unchanged. Returns false if a step failed; in this case, no namespace remains.
function makeNamespaces(prefix: string, names: readonly string[], network: string): boolean {
  const inside = (name: string, ...args: string[]): boolean => ip('-n', name, ...args);
  const isMade =
    ip('netns', 'add', prefix) &&
    inside(prefix, 'link', 'add', 'bridge', 'type', 'bridge') &&
    inside(prefix, 'link', 'set', 'bridge', 'up') &&
    names.every(
      (name, i) =>
        ip('netns', 'add', name) &&
        inside(name, 'link', 'set', 'lo', 'up') &&
        inside(prefix, 'link', 'add', `port${i}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name) &&
        inside(prefix, 'link', 'set', `port${i}`, 'master', 'bridge', 'up') &&
        inside(name, 'address', 'add', `${network}.${i + 1}/24`, 'dev', 'eth0') &&
        inside(name, 'link', 'set', 'eth0', 'up'),
    );
  if (!isMade) removeNamespaces([...names, prefix]);
  return isMade;
}

function removeNamespaces(names: readonly string[]): void {
  for (const name of names) {
    // Ends all processes that still run in the namespace.
    for (const pid of spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' })
      .stdout?.split('\n')
      .map(Number)
      .filter(pid => pid > 0) ?? [])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        /* The process has already ended. */
      }
    ip('netns', 'delete', name);
  }
}
