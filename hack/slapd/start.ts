import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'ldapts';
import type { KeyPair } from '../../pkg/identity/certs/generate.js';
import { guard } from '../mongod/member.js';
import { drawPort, PortTaken, untilPortIsFree } from '../ports.js';
import { findSlapd, type Slapd } from './find.js';

export interface Directory {
  /** Also for StartTLS. */
  readonly port: number;
  readonly tlsPort: number;
  /** A connection with all rights. The caller ends it. */
  connect(): Promise<Client>;
  /** Sends SIGSTOP: connections are made, but nothing answers until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** Starts it again after a stop, with its data. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  close(): Promise<void>;
}

export interface DirectoryOptions {
  /** The certificate of the server, and that of its authority. */
  readonly certificate: KeyPair;
  readonly authority: string;
  /** More lines of slapd.conf for the database. */
  readonly more?: readonly string[];
}

export const SUFFIX = 'dc=example,dc=com';
export const ROOT_DN = `cn=root,${SUFFIX}`;
export const ROOT_PASSWORD = 'the password of the root';

/** Starts an OpenLDAP server on loopback, with an empty database for `SUFFIX`. Throws SlapdMissing. */
export async function startSlapd(options: DirectoryOptions): Promise<Directory> {
  const slapd = await findSlapd();
  const folder = await mkdtemp(join(tmpdir(), 'slapd-'));
  await mkdir(join(folder, 'data'));
  const { certificate, key } = options.certificate;
  await writeFile(join(folder, 'cert.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'ca.pem'), options.authority);
  await writeFile(join(folder, 'slapd.conf'), configuration(slapd, folder, options.more ?? []));
  let [port, tlsPort] = [0, 0];
  let running: Running | undefined;
  const start = async (): Promise<void> => {
    running = await launch(slapd, folder, port, tlsPort);
  };
  const stop = async (): Promise<void> => {
    const before = running;
    running = undefined;
    await before?.end();
  };
  await untilPortIsFree(() => {
    [port, tlsPort] = [drawPort(), drawPort()];
    return start();
  });
  return {
    port,
    tlsPort,
    connect: () => connect(port),
    pause: () => void running?.child.kill('SIGSTOP'),
    resume: () => void running?.child.kill('SIGCONT'),
    start,
    stop,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  end(): Promise<void>;
}

async function launch(slapd: Slapd, folder: string, port: number, tlsPort: number): Promise<Running> {
  const addresses = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`;
  const child = spawn(slapd.binary, ['-f', join(folder, 'slapd.conf'), '-h', addresses, '-d', 'none'], {
    env: slapd.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  const watchdog = guard(child.pid ?? 0, folder);
  const end = async (): Promise<void> => {
    // SIGKILL also ends a process that is stopped.
    child.kill('SIGKILL');
    await gone;
    watchdog.kill('SIGKILL');
    watchdog.stdin?.destroy();
  };
  try {
    await answers(child, port);
  } catch (error) {
    await end();
    throw error;
  }
  return { child, end };
}

/** Throws PortTaken if it cannot listen. */
async function answers(child: ChildProcess, port: number): Promise<void> {
  let log = '';
  child.stderr?.on('data', (data: Buffer) => {
    log = (log + data).slice(-2000);
  });
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new PortTaken(`slapd ended with ${child.exitCode}:\n${log}`);
    const client = await connect(port).catch(() => undefined);
    await client?.unbind();
    if (client !== undefined) return;
    await sleep(50);
  }
  throw new Error(`slapd does not answer:\n${log}`);
}

async function connect(port: number): Promise<Client> {
  const client = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: 10_000, connectTimeout: 1000 });
  await client.bind(ROOT_DN, ROOT_PASSWORD);
  return client;
}

function configuration({ modules, schemas }: Slapd, folder: string, more: readonly string[]): string {
  const lines = [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include ${join(schemas, name)}.schema`),
    `modulepath ${modules}`,
    'moduleload back_mdb',
    'moduleload memberof',
    `pidfile ${join(folder, 'slapd.pid')}`,
    `TLSCertificateFile ${join(folder, 'cert.pem')}`,
    `TLSCertificateKeyFile ${join(folder, 'key.pem')}`,
    `TLSCACertificateFile ${join(folder, 'ca.pem')}`,
    'TLSVerifyClient try',
    'database mdb',
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT_DN}"`,
    `rootpw "${ROOT_PASSWORD}"`,
    `directory ${join(folder, 'data')}`,
    'dbnosync',
    'overlay memberof',
    'memberof-refint true',
    ...more,
    // Only who has bound may read.
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by users read by * none',
  ];
  return `${lines.join('\n')}\n`;
}
