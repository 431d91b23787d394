// Connects to a broker with wrong credentials over raw TCP connections, and counts the broker's answers.
import { createConnection } from 'node:net';
import { createRandom } from '../../dist/samples/index.js';

/** The credentials in a CONNECT message of the NATS protocol. */
type Claim = Record<string, string>;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Generates wrong credentials of all kinds from a seed. like: the correct token, name, password and public
 * nkey, from which similar wrong ones are made.
 */
export function* wrongClaims(
  seed: number,
  like: { token: string; user: string; pass: string; nkey: string },
): Generator<Claim> {
  const random = createRandom(seed);
  const text = (length: number, from = letters): string =>
    Array.from({ length }, () => from[random.below(from.length)]).join('');
  const near = (right: string): string => {
    const at = random.below(right.length);
    return right.slice(0, at) + String.fromCharCode(right.charCodeAt(at) ^ 1) + right.slice(at + 1);
  };
  const kinds: (() => Claim)[] = [
    () => ({ auth_token: text(1 + random.below(64)) }),
    () => ({ auth_token: near(like.token) }),
    () => ({ auth_token: like.token.slice(0, random.below(like.token.length)) }),
    () => ({ auth_token: `${like.token}${text(1)}` }),
    () => ({ user: like.user, pass: text(12) }),
    () => ({ user: like.user, pass: near(like.pass) }),
    () => ({ user: near(like.user), pass: like.pass }),
    () => ({ user: text(8), pass: text(8) }),
    () => ({ nkey: like.nkey, sig: text(86) }),
    () => ({ nkey: `U${text(55)}`, sig: text(86) }),
    () => ({ nkey: like.nkey, sig: '' }),
    () => ({ jwt: `${text(20)}.${text(40)}.${text(40)}`, sig: text(86) }),
    () => ({}),
  ];
  for (let i = 0; ; i++) yield kinds[i % kinds.length]();
}

/** Sends credentials and waits for an answer. @returns '-ERR …', or 'PONG' if they were accepted */
function tryConnect(port: number, claim: Claim): Promise<string> {
  return new Promise((resolve, reject) => {
    let came = '';
    let isQueried = false;
    const socket = createConnection({ port, host: '127.0.0.1' });
    const timer = setTimeout(() => socket.destroy(new Error('the broker sent no answer in 20 s')), 20_000);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(came);
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      came += text;
      if (!isQueried && /^INFO .*\r\n/.test(came)) {
        isQueried = true;
        came = '';
        socket.write(
          `CONNECT ${JSON.stringify({ verbose: false, pedantic: false, lang: 'x', version: '1', protocol: 1, ...claim })}\r\nPING\r\nSUB > 1\r\nPUB pfront.x 1\r\nx\r\n`,
        );
      } else if (/-ERR .*\r\n|PONG\r\n/.test(came)) end();
    });
    socket.on('error', reject).on('close', end);
  });
}

/**
 * Makes `count` connections, at most 32 at a time. @returns each answer of the broker, and how often it was
 * received
 */
export async function sendCredentialsOften(
  port: number,
  claims: Iterator<Claim>,
  count: number,
): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  let left = count;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left-- > 0) {
        const answer = (await tryConnect(port, claims.next().value as Claim)).trim();
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    }),
  );
  return answers;
}
