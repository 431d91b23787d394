// Uses openssl to make TLS certificates for tests, in a temporary folder. One certificate authority signs the
// certificates of brokers and of a node. Another authority, which is unknown to them, signs the certificate of
// another node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  caFile: string;
  /** The broker's certificate for 127.0.0.1 and localhost. */
  broker: { certFile: string; keyFile: string };
  /** A broker's certificate for another host. */
  elsewhere: { certFile: string; keyFile: string };
  node: { certFile: string; keyFile: string };
  stranger: { caFile: string; node: { certFile: string; keyFile: string } };
  close(): Promise<void>;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'pfront-certificates-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (line: string): void => {
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

  function authority(name: string): string {
    openssl(
      `req -x509 ${key} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem -addext basicConstraints=critical,CA:TRUE`,
    );
    return file(`${name}.pem`);
  }
  function signed(name: string, by: string, names: string): { certFile: string; keyFile: string } {
    writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    openssl(`req ${key} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`);
    openssl(
      `x509 -req -days 2 -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -extfile ${name}.ext -out ${name}.pem`,
    );
    return { certFile: file(`${name}.pem`), keyFile: file(`${name}.key`) };
  }
  return {
    caFile: authority('authority'),
    broker: signed('broker', 'authority', 'IP:127.0.0.1,DNS:localhost'),
    elsewhere: signed('elsewhere', 'authority', 'DNS:elsewhere.example'),
    node: signed('node', 'authority', 'DNS:node'),
    stranger: { caFile: authority('stranger'), node: signed('spy', 'stranger', 'DNS:node') },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
