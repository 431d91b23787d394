// The help texts of `pfront cluster` and its commands.
const CREDENTIALS = `  --token-file FILE   a file with only the token; default: the variable PFRONT_TOKEN
  --nkey-file FILE    a file with the seed of an nkey; default: the variable
                      PFRONT_NKEY_SEED`;

export const clusterHelp = `pfront cluster COMMAND

Distributes work over processes and machines that communicate over NATS.

  up       starts nats-server and nodes on this machine
  join     starts nodes that join a cluster elsewhere
  run      finds clashes of files, or moves a swarm of bodies, on the cluster
  status   lists the nodes and what they do
  down     ends what \`up\` has started
  nkey     makes an nkey, a key pair that replaces a password

\`pfront cluster COMMAND --help\` lists the options of each.`;

export const upHelp = `pfront cluster up

Starts nats-server, the broker of the cluster, and nodes on this machine. Shows the
nodes until Ctrl+C or \`pfront cluster down\`. Nodes that die are restarted.

  --workers N         node processes, 0 to 256; default: one per core
  --threads N         threads of each node; default 1
  --backend B         where nodes compute: wasm (default) on the CPU, webgpu on a GPU,
                      auto on the CPU and, where that is faster, on a GPU
  --host ADDRESS      where the broker listens; default 127.0.0.1, this machine only
  --port N            the broker's port; default 4222
  --web-port N        a second port, for web pages
  --servers LIST      use this broker instead of starting one, as nats://host:4222
${CREDENTIALS}
  --nkeys FILE        public nkeys that the broker accepts, one per line; a role after
                      a key (node, caller, observer or operator) limits what the owner
                      of the key may do
  --cert-file FILE, --key-file FILE
                      the broker's certificate and key: all traffic is encrypted
  --ca-file FILE      certificate of the authority that nodes trust; default: the
                      system's authorities
  --cluster NAME      name of the cluster, as a broker may have several; default pfront
  --detach            run in the background
  --help              this text

Without credentials, \`up\` makes an nkey for each role and prints the folder of the
files. Commands of the same user on this machine find them. For nodes on other
machines, copy node.nkey from that folder.`;

export const joinHelp = `pfront cluster join [--servers nats://host:4222]

Starts nodes on this machine that join a running cluster. They run until Ctrl+C or
until the cluster is ended.

  --servers LIST      the broker of the cluster, as nats://host:4222; default: the
                      cluster that was started on this machine
  --workers N         node processes, 1 to 256; default: one per core
  --threads N         threads of each node; default 1
  --backend B         where nodes compute: wasm (default) on the CPU, webgpu on a GPU,
                      auto on the CPU and, where that is faster, on a GPU
${CREDENTIALS}
  --ca-file FILE      certificate of the authority to trust; default: the system's
                      authorities
  --cert-file FILE, --key-file FILE
                      certificate and key of this machine, if the broker requires them
  --cluster NAME      default pfront
  --help              this text`;

export const statusHelp = `pfront cluster status

Lists the nodes of a cluster: tasks, CPU time, memory, messages.

  --servers LIST      default: the cluster that was started on this machine
${CREDENTIALS}
  --ca-file, --cert-file, --key-file FILE   as for join
  --cluster NAME      default pfront
  --json              one JSON object on standard output
  --help              this text

Exit codes: 0 nodes answered, 1 none answered, 2 there is no such cluster.`;

export const downHelp = `pfront cluster down

Ends the cluster that was started on this machine: its broker, its nodes, and all nodes
that joined it. After \`up --servers\`, ends only the nodes that \`up\` started. Takes at
most five seconds.

  --cluster NAME      default pfront
  --help              this text`;

export const nkeyHelp = `pfront cluster nkey FILE

Makes an nkey. Writes its secret seed into FILE, for --nkey-file. Prints its public key.
Add it as a line to the file that \`pfront cluster up --nkeys\` reads.

  --help              this text`;

/** Returns the help of `run`. files: the help of `pfront clash`. */
export const runHelp = (files: string): string => `pfront cluster run FILE [FILE ...]
pfront cluster run nanorobots

Runs \`pfront clash\` or a swarm on the nodes of a cluster. The results are the same as
on one machine, except that \`pfront clash\` rounds all coordinates to float32.

  --servers LIST      default: the cluster that was started on this machine
${CREDENTIALS}
  --ca-file, --cert-file, --key-file FILE   as for join
  --cluster NAME      default pfront
  --patience N        clash: seconds after which the search fails if no node sends a
                      message; default 60. Swarms: seconds after which a node that
                      sends no message counts as lost; default 10
  --verify            clash: every task is given to two nodes; default: a sample of the
                      tasks is recomputed on this machine to check the results
  --help              this text

nanorobots: bodies that move and reverse on contact. Nodes find the contacts during
each step, in lock-step (Du, Liu and Suzumura 2017).
  --bodies N          1 to 1000000; default 10000
  --steps N           default 50
  --movement M        random; skewed: bodies crowd in corners; corner: bodies start in
                      one corner and move to the opposite one; default skewed
  --nodes N           nodes that take part; default: all that answer
  --columns N         columns per side of a node's sub-space; default: automatic
  --threshold N       columns move if the loads of two nodes differ by more than this
                      percentage of the greater load; default 10
  --no-balance        columns never move
  --seed N            default 1
  --json              one JSON object per step, and one at the end

FILE: as \`pfront clash\`, with its options.

${files.slice(files.indexOf('\n') + 2)}`;
