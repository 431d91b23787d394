// Tests the permissions of roles (node, caller, observer and operator). A broker lets each role publish and
// subscribe only to the subjects that the role needs, clients of one role cannot read each other's messages,
// and jobs, box pairs and swarms work with these permissions.
import * as assert from 'uvu/assert';
import { Channel } from '../../dist/cluster/channel.js';
import {
  type BrokerRole,
  connectNats,
  type Link,
  openBoxPairs,
  openJobs,
  runSwarm,
  startBroker,
  startNode,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { Leave } from '../../dist/cluster/leave.js';
import { ownerOf, randomId, subjectsOf } from '../../dist/cluster/subjects.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { findRobots } from '../support/robotWorlds.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { brokerTest, type Opened } from './bounded.js';
import { singleProcessResult, tinyJob } from './tinyJob.js';

const roles: BrokerRole[] = ['node', 'caller', 'observer', 'operator'];
const subjects = subjectsOf('pfront');
const run = [1, 2] as const;
/** Makes an id, such as that of a process or run, that belongs to the client with this user name. */
const idOf = (user: string): number => randomId({ owner: ownerOf(user) });
/** Every subject, and the roles that may publish to it and subscribe to it. */
const rights: [subject: string, publish: BrokerRole[], subscribe: BrokerRole[]][] = [
  [subjects.open, ['caller'], ['node']],
  [subjects.swarms, ['caller'], ['node']],
  [subjects.leave, ['operator'], ['node']],
  [subjects.presence, ['node'], ['node', 'caller', 'observer', 'operator']],
  [subjects.node(idOf('node')), ['caller'], ['node']],
  [subjects.node(idOf('node2')), ['caller'], []],
  [subjects.blocks(idOf('node')), ['node'], ['node']],
  [subjects.blocks(idOf('node2')), ['node'], []],
  [subjects.run([idOf('caller'), 2]), ['node'], ['caller']],
  [subjects.run([idOf('caller2'), 2]), ['node'], []],
  [subjects.member(run, idOf('node')), ['node', 'caller'], ['node']],
  [subjects.member(run, idOf('caller')), ['node', 'caller'], ['caller']],
  [subjects.member(run, idOf('node2')), ['node', 'caller'], []],
  ['pfront.pfront.node.*.*', [], []],
  ['pfront.pfront.blocks.*.*', [], []],
  ['pfront.pfront.run.*.*', [], []],
  ['pfront.pfront.swarm.*.*.*', [], []],
  ['pfront.>', [], []],
  ['other', [], []],
  ['>', [], []],
];

/** Starts a broker with one user for each role, and a second user 'node2' with the role 'node'. */
async function brokerWithRoles(opened: Opened): Promise<(user: BrokerRole | 'node2') => Promise<Link>> {
  const users = [...roles, 'node2'].map(user => ({
    user,
    pass: `${user}-secret`,
    role: user === 'node2' ? 'node' : (user as BrokerRole),
  }));
  const { url } = opened.add(await startBroker({ users }));
  return async user => opened.add(await connectNats({ servers: url, user, pass: `${user}-secret` }));
}

brokerTest('a role may publish and subscribe only to the subjects that it needs', 60, async opened => {
  const connect = await brokerWithRoles(opened);
  for (const role of roles)
    for (const [subject, publishers, subscribers] of rights)
      for (const [allowed, act] of [
        [publishers, (link: Link) => link.publish(subject, Uint8Array.of(1))],
        [subscribers, (link: Link) => void link.subscribe(subject, () => {})],
      ] as const) {
        // A broker ignores messages to a subject with wildcards, so publishing there is not tested.
        if (allowed === publishers && /[>*]/.test(subject)) continue;
        const link = await connect(role);
        act(link);
        const outcome = await Promise.race([
          link.flush().then(
            () => 'allowed',
            () => 'refused',
          ),
          link.closed.then(() => 'refused'),
        ]);
        // The refusal may arrive just after the answer to the flush.
        if (outcome === 'allowed' && !allowed.includes(role))
          await within(5000, `${role} is refused ${subject}`, link.closed);
        else assert.is(outcome === 'allowed', allowed.includes(role), `${role} ${subject}`);
        await link.close();
      }
});

brokerTest(
  'nodes with different credentials run a job together, and neither can read the messages to the other',
  60,
  async opened => {
    const connect = await brokerWithRoles(opened);
    const nodes = [];
    for (const user of ['node', 'node2'] as const)
      nodes.push(opened.add(await startNode(await connect(user), { threads: 1, name: user })));
    const jobs = opened.add(
      await openJobs({ where: 'cluster', link: await connect('caller'), patience: 20_000, verify: true }),
    );
    const job = tinyJob(20);
    const { a } = await jobs.submit({ kind: 'meshPairs', ...job, pairsPerTask: 4 }).wait();
    assert.equal(a, (await singleProcessResult(job)).a);
    for (const [i, user] of (['node2', 'node'] as const).entries())
      for (const subject of [subjects.node(nodes[i]!.id), subjects.blocks(nodes[i]!.id)]) {
        const spy = await connect(user);
        spy.subscribe(subject, () => {});
        assert.match(
          (await within(5000, 'the refusal', spy.closed))?.message ?? '',
          /rejected this client: Permissions Violation for Subscription/,
        );
      }
  },
);

test('a broker does not start if a client with a role and another client would receive the messages of each other', async () => {
  let other = 0;
  while (ownerOf(`user${other}`) !== ownerOf('node')) other++;
  for (const roles of [
    ['node', 'node'],
    ['node', undefined],
    [undefined, 'node'],
  ] as const) {
    const users = ['node', `user${other}`].map((user, i) => ({
      user,
      pass: 'secret',
      ...(roles[i] && { role: roles[i] }),
    }));
    const error = await startBroker({ users }).then(
      broker => broker.close().then(() => undefined),
      (reason: Error) => reason,
    );
    assert.match(error?.message ?? 'started', /'node' and 'user\d+' would receive each other's messages/);
  }
});

brokerTest(
  'jobs, box pairs and swarms work with the permissions of nodes and callers, and only an operator ends nodes',
  60,
  async opened => {
    const connect = await brokerWithRoles(opened);
    for (let i = 0; i < 2; i++)
      opened.add(await startNode(await connect('node'), { threads: 1, worlds: findRobots }));
    const link = await connect('caller');
    const jobs = opened.add(await openJobs({ where: 'cluster', link, patience: 20_000 }));
    const job = tinyJob(40);
    const expected = await singleProcessResult(job);
    const { a } = await jobs.submit({ kind: 'meshPairs', ...job }).wait();
    assert.equal(a, expected.a);
    const boxes = sphereBoxes(3000, { radius: 0.5, side: 18 }, 1);
    const once = await submitBoxPairs(link, boxes, { nodes: 2 }).wait();
    const session = openBoxPairs(link, boxes, { nodes: 2 });
    const frame = await session.pairs();
    session.close();
    assert.ok(once.count > 0);
    assert.equal([frame.a, frame.b], [once.a, once.b]);
    const { rows } = await runSwarm(link, {
      world: 'robots random 60 7',
      find: findRobots,
      nodes: 2,
      steps: 2,
    });
    assert.is(rows.length, 2);

    const heard: string[] = [];
    const watch = await connect('node');
    watch.subscribe(subjects.leave, ({ subject }) => heard.push(subject));
    await watch.flush();
    const leave = (from: Link): void =>
      new Channel(from).send(subjects.leave, Leave, { run: [0, 0], step: 0, from: 0 }, {});
    for (const role of ['node', 'caller', 'observer'] as const) {
      const refused = await connect(role);
      leave(refused);
      assert.match(
        (await within(5000, 'the refusal', refused.closed))?.message ?? '',
        /rejected this client/,
      );
    }
    await watch.flush();
    assert.equal(heard, []);
    leave(await connect('operator'));
    await until('the message of the operator', () => heard.length === 1);
  },
);

test.run();
