import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawPort, untilPortIsFree } from '../ports.js';
import { findMongod } from './find.js';
import { ask, type Member, startMember } from './member.js';

export interface ReplicaSet {
  readonly uri: string;
  readonly members: readonly Member[];
  /** The current primary. Waits for an election. */
  primary(): Promise<Member>;
  /** Ends every member and removes the data. Idempotent. */
  stop(): Promise<void>;
}

export interface Standalone {
  readonly uri: string;
  stop(): Promise<void>;
}

const NAME = 'rs';

/** Starts a replica set on loopback and free ports, with its data in a temporary folder. */
export function startReplicaSet({ members }: { readonly members: 1 | 3 }): Promise<ReplicaSet> {
  return untilPortIsFree(() => startOnce(members));
}

async function startOnce(members: number): Promise<ReplicaSet> {
  const binary = await findMongod();
  const folder = await mkdtemp(join(tmpdir(), 'mongod-'));
  const started: Member[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((member) => member.kill9()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ports = Array.from({ length: members }, drawPort);
    const starting = ports.map((port) => startMember(binary, join(folder, `${port}`), port, NAME));
    // If one fails, the others must have started too, so that they can be stopped.
    for (const result of await Promise.allSettled(starting))
      if (result.status === 'fulfilled') started.push(result.value);
    await Promise.all(starting);
    await initiate(ports);
    await primaryOf(started);
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    return { uri: `mongodb://${hosts}/?replicaSet=${NAME}`, members: started, primary: () => primaryOf(started), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface SetWithUsers {
  /** The URI of a user. Without a name: of the administrator. */
  uri(user?: string): string;
  stop(): Promise<void>;
}

/**
 * Starts a set of one member that asks for users. `pwd` is the password of each; the administrator makes the others.
 */
export function startSetWithUsers(pwd: string): Promise<SetWithUsers> {
  return untilPortIsFree(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mongod-'));
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'a key that all members share', { mode: 0o600 });
    const port = drawPort();
    const more = ['--keyFile', keyFile];
    const member = await startMember(await findMongod(), join(folder, `${port}`), port, NAME, more);
    const stop = async (): Promise<void> => {
      await member.kill9();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await initiate([port]);
      await primaryOf([member]);
      await ask(port, { createUser: 'root', pwd, roles: ['root'] });
      return { uri: (user = 'root') => `mongodb://${user}:${pwd}@127.0.0.1:${port}/?replicaSet=${NAME}`, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  });
}

/** Starts a mongod without a replica set, or with `replSet` one that was not initiated. The server must refuse both. */
export async function startStandalone(replSet?: string): Promise<Standalone> {
  const folder = await mkdtemp(join(tmpdir(), 'mongod-'));
  const binary = await findMongod();
  const member = await untilPortIsFree(async () => {
    const port = drawPort();
    return startMember(binary, join(folder, `${port}`), port, replSet);
  });
  const stop = async (): Promise<void> => {
    await member.kill9();
    await rm(folder, { recursive: true, force: true });
  };
  return { uri: `mongodb://127.0.0.1:${member.port}/`, stop };
}

/**
 * Elections start after 2 s instead of 10. Majority writes wait for the journal only if they ask for it, as the server
 * does.
 */
async function initiate(ports: readonly number[]): Promise<void> {
  const [first = 0] = ports;
  const config = {
    _id: NAME,
    version: 1,
    writeConcernMajorityJournalDefault: false,
    members: ports.map((port, i) => ({ _id: i, host: `127.0.0.1:${port}` })),
    settings: { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500, heartbeatTimeoutSecs: 2 },
  };
  await ask(first, { replSetInitiate: config });
}

async function primaryOf(members: readonly Member[]): Promise<Member> {
  for (let tries = 0; tries < 600; tries++) {
    for (const member of members) {
      const hello = await ask(member.port, { hello: 1 }).catch(() => undefined);
      if (hello?.['isWritablePrimary'] === true) return member;
    }
    await sleep(100);
  }
  throw new Error('The replica set elected no primary within a minute.');
}
