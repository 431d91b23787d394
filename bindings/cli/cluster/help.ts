// What `pfront cluster --help` and the help of its commands print.
const CREDENTIALS = `  --token-file FILE   the token, alone in a file; else the variable PFRONT_TOKEN
  --nkey-file FILE    the seed of an nkey; else the variable PFRONT_NKEY_SEED`;

export const clusterHelp = `pfront cluster COMMAND

Work that is shared between processes and machines, over NATS.

  up       starts nats-server and nodes on this machine
  join     starts nodes that join a cluster elsewhere
  run      clashes of files, or a swarm of moving bodies, on the cluster
  status   its nodes, and what they do
  down     ends what \`up\` has started
  nkey     makes an nkey

\`pfront cluster COMMAND --help\` lists the options of each.`;

export const upHelp = `pfront cluster up

Starts nats-server, which nodes meet at, and nodes on this machine. Shows them until
it is ended with Ctrl+C or \`pfront cluster down\`. Nodes that die are started again.

  --workers N         nodes, processes of their own, 0 to 256; default: all cores
  --threads N         threads of each node; default 1
  --backend B         where nodes compute: wasm, the CPU; auto, also a GPU where that
                      is quicker; webgpu, a GPU always. Default wasm
  --host ADDRESS      where the broker listens; default 127.0.0.1, this machine alone.
                      Others only with credentials
  --port N            default 4222
  --web-port N        one for nodes in web pages, too, which need credentials
  --servers LIST      use this broker and start none, as nats://host:4222
${CREDENTIALS}
  --nkeys FILE        public nkeys that the broker lets in, one a line
  --cert-file FILE, --key-file FILE
                      of the broker: everything is encrypted
  --ca-file FILE      whose certificates nodes trust; default: the system's
  --cluster NAME      which of the clusters of a broker; default pfront
  --detach            go on in the background
  --help              this text`;

export const joinHelp = `pfront cluster join --servers nats://host:4222

Starts nodes on this machine that join a cluster elsewhere, until Ctrl+C or until the
cluster is ended there.

  --servers LIST      its broker, as nats://host:4222
  --workers N         nodes, 1 to 256; default: all cores
  --threads N         threads of each node; default 1
  --backend B         where nodes compute: wasm, the CPU; auto, also a GPU where that
                      is quicker; webgpu, a GPU always. Default wasm
${CREDENTIALS}
  --ca-file FILE      whose certificates are trusted; default: the system's
  --cert-file FILE, --key-file FILE
                      of this machine, where the broker asks for them
  --cluster NAME      default pfront
  --help              this text`;

export const statusHelp = `pfront cluster status

The nodes of a cluster: tasks, CPU time, memory, messages.

  --servers LIST      default: the cluster that was started on this machine
${CREDENTIALS}
  --ca-file, --cert-file, --key-file FILE   as for join
  --cluster NAME      default pfront
  --json              one JSON object on standard output
  --help              this text

Exit codes: 0 nodes answer, 1 none does, 2 there is no such cluster.`;

export const downHelp = `pfront cluster down

Ends the cluster that was started on this machine: its nodes, those that joined from
elsewhere, and its broker. Takes five seconds at most.

  --cluster NAME      default pfront
  --help              this text`;

export const nkeyHelp = `pfront cluster nkey FILE

Makes an nkey: writes its seed, the secret, into FILE for --nkey-file, and prints its
public key, a line for the file that \`pfront cluster up --nkeys\` names.

  --help              this text`;

/** files: the help of what files are asked. */
export const runHelp = (files: string): string => `pfront cluster run FILE [FILE ...]
pfront cluster run nanorobots

Runs on the nodes of a cluster what else runs here alone; the answers are the same.

  --servers LIST      default: the cluster that was started on this machine
${CREDENTIALS}
  --ca-file, --cert-file, --key-file FILE   as for join
  --cluster NAME      default pfront
  --patience N        seconds without a word of a node after which it is done without;
                      default 60, of swarms 10
  --help              this text

nanorobots: bodies that move and turn back where they meet, found on the way by nodes
in lock-step (Du, Liu and Suzumura 2017).
  --bodies N          1 to 1000000; default 10000
  --steps N           default 50
  --movement M        random, or skewed: they crowd in corners; default skewed
  --nodes N           nodes that take part; default: all that are there
  --columns N         columns of a node's sub-space, along each side; default: enough
  --threshold N       percent by which loads must differ for a column to move; default 10
  --no-balance        columns stay where they are
  --seed N            default 1
  --json              one JSON object a step, and one at the end

FILE: as \`pfront clash\`, with its options.

${files.slice(files.indexOf('\n') + 2)}`;
