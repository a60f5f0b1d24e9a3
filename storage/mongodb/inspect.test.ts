import { expect } from 'chai';
import { type Document, MongoServerError } from 'mongodb';
import { isStorageError } from '../errors.js';
import { useOwnDatabase } from '../testing/mongodb.js';
import { Database } from './connection/database.js';
import { openMongodb } from './open.js';

const { prototype } = Database;
const { admin } = prototype;

describe('a MongoDB that a server connects to', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('suite');
  afterEach(() => {
    prototype.admin = admin;
  });

  /** The answers of the database have these fields, too, or a command fails. */
  function answering(to: string, more: Document | Error): void {
    prototype.admin = async function (this: Database, command) {
      if (!(to in command)) return admin.call(this, command);
      if (more instanceof Error) throw more;
      return { ...(await admin.call(this, command)), ...more };
    };
  }

  /** How it is opened, and how it finds the end of the log then. */
  async function opened(): Promise<string> {
    const probes: string[] = [];
    try {
      const onCommand = ({ command }: { readonly command: Document }): void => {
        if (command['readConcern']?.level === 'linearizable') probes.push('read');
        if (command['update'] === 'servers' && command['writeConcern']?.w === 'majority') probes.push('write');
      };
      const backend = await openMongodb({ uri: own().uri, database: own().name, domain: 'svc.app', onCommand });
      await backend.end();
      await backend.close();
    } catch (error) {
      if (isStorageError(error)) return `${error.code}: ${error.message}`;
      throw error;
    }
    return probes[0] ?? 'none';
  }

  it('is refused if it is a secondary, or too old, or no replica set', async () => {
    answering('hello', { isWritablePrimary: false });
    expect(await opened()).to.match(/^refused: .*secondary.*directConnection=true/);
    answering('hello', { maxWireVersion: 12 });
    expect(await opened()).to.match(/^refused: .*too old. MongoDB 5\.0 or later/);
    answering('hello', { setName: undefined });
    expect(await opened()).to.match(/^refused: .*standalone/);
  });

  it('may be a sharded cluster, and MongoDB 5.0', async () => {
    answering('hello', { setName: undefined, msg: 'isdbgrid', maxWireVersion: 13 });
    expect(await opened()).to.be.oneOf(['read', 'write']);
  });

  it('is refused with what to check if it denies access', async () => {
    answering('hello', new MongoServerError({ message: 'not authorized', code: 13 }));
    expect(await opened()).to.equal(
      `refused: MongoDB denies access: the user of storage.mongodb_uri may not use the database ${own().name} (not authorized). It needs the role readWrite on it.`,
    );
    answering('hello', new MongoServerError({ message: 'shutting down', code: 91 }));
    expect(await opened()).to.equal('unavailable: MongoDB is unavailable: shutting down.');
  });

  it('is read for the end of the log, unless the only voter waits for its journal, or its configuration is secret', async () => {
    const voter = { votes: 1 };
    const [hidden, arbiter] = [{ votes: 0 }, { votes: 1, arbiterOnly: true }];
    const config = async (members: readonly object[], waits: boolean): Promise<string> => {
      answering('replSetGetConfig', { config: { members, writeConcernMajorityJournalDefault: waits } });
      return opened();
    };
    expect(await config([voter], false)).to.equal('read');
    expect(await config([voter], true)).to.equal('write');
    expect(await config([voter, voter], true)).to.equal('read');
    expect(await config([voter, hidden], true)).to.equal('write');
    expect(await config([voter, arbiter], true)).to.equal('write');
    answering('replSetGetConfig', new MongoServerError({ message: 'not authorized', code: 13 }));
    expect(await opened()).to.equal('write');
  });

  it('is not refused because another server made the first documents, but for other failures', async () => {
    const log = Object.getOwnPropertyDescriptor(prototype, 'logHead')!;
    for (const [code, expected] of [
      [11000, /^(read|write)$/],
      [91, /^unavailable: .*failed/],
    ] as const) {
      let failures = 1;
      Object.defineProperty(prototype, 'logHead', {
        configurable: true,
        get(this: Database) {
          const found = log.get?.call(this);
          const fail = () => Promise.reject(new MongoServerError({ message: 'failed', code, failures: failures-- }));
          if (failures > 0) found.updateOne = fail;
          return found;
        },
      });
      try {
        expect(await opened()).to.match(expected);
      } finally {
        Object.defineProperty(prototype, 'logHead', log);
      }
    }
  });
});
