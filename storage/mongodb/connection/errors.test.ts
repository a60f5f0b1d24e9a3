import { expect } from 'chai';
import {
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { StorageError } from '../../errors.js';
import { hasCode, isConflict, isDuplicateKey, isNotAllowed, reasonOf, storageError } from './errors.js';

const failed = (code: number, message: string = 'it failed'): MongoServerError =>
  new MongoServerError({ message, code });

interface Server {
  readonly address: string;
  readonly type: string;
  readonly error?: Error;
}

function unreachable(...servers: readonly Server[]): MongoServerSelectionError {
  const topology = { servers: new Map(servers.map((one) => [one.address, one])) } as unknown as TopologyDescription;
  return new MongoServerSelectionError('timed out', topology);
}

describe('errors of MongoDB', () => {
  it('are known by their codes', () => {
    expect(hasCode(failed(48), 48)).to.equal(true);
    expect(hasCode(failed(48), 7, 48)).to.equal(true);
    expect(hasCode(failed(48), 7)).to.equal(false);
    expect(hasCode(Object.assign(new Error('it failed'), { code: 48 }), 48)).to.equal(false);
    expect([isDuplicateKey(failed(11000)), isDuplicateKey(failed(112))]).to.deep.equal([true, false]);
    expect([112, 251, 11000].map((code) => isConflict(failed(code)))).to.deep.equal([true, true, false]);
  });

  it('tell that access is denied, also if no server was found because of it', () => {
    for (const code of [13, 18, 8000]) {
      expect(isNotAllowed(failed(code))).to.equal(true);
      const reason = { error: failed(code), servers: new Map() } as unknown as TopologyDescription;
      expect(isNotAllowed(new MongoServerSelectionError('timed out', reason))).to.equal(true);
    }
    expect(isNotAllowed(failed(11000))).to.equal(false);
    expect(isNotAllowed(unreachable())).to.equal(false);
    expect(isNotAllowed(new MongoNetworkError('cut off', { cause: failed(13) }))).to.equal(false);
    expect(isNotAllowed(new Error('it failed', { cause: failed(13) }))).to.equal(false);
    expect(isNotAllowed(undefined)).to.equal(false);
  });

  it('are errors of the store: too large, or else unavailable, with the reason', () => {
    const own = new StorageError('behind', 'it is behind');
    expect(storageError(own)).to.equal(own);
    for (const code of [257, 388]) {
      const error = storageError(failed(code, 'too much'));
      expect(error).to.include({ code: 'too-large', message: 'MongoDB cannot commit so much at once: too much.' });
      expect(error.cause).to.be.instanceOf(MongoError);
    }
    const error = storageError(failed(11000, 'twice.'));
    expect(error).to.include({ code: 'unavailable', message: 'MongoDB is unavailable: twice.' });
    expect(error.cause).to.include({ code: 11000 });
    expect(storageError('odd').message).to.equal('MongoDB is unavailable: odd.');
  });
});

describe('the reason why MongoDB cannot be reached', () => {
  it('is the message, as a sentence', () => {
    expect(reasonOf(new Error('cut off'))).to.equal('cut off.');
    expect(reasonOf(new Error('cut off.'))).to.equal('cut off.');
  });

  it('is that the replica set was never initiated', () => {
    const hosts = unreachable({ address: 'a:1', type: 'Unknown' }, { address: 'b:2', type: 'RSGhost' });
    expect(reasonOf(hosts)).to.match(/^a:1, b:2 was started with --replSet .*never initiated; run rs\.initiate\(\)/);
  });

  it('is that the replica set has no primary', () => {
    const hosts = unreachable({ address: 'a:1', type: 'Unknown' }, { address: 'b:2', type: 'RSSecondary' });
    expect(reasonOf(hosts)).to.equal('the replica set at a:1, b:2 has no primary; see rs.status() in mongosh.');
  });

  it('is what the servers answer, or that none is known', () => {
    const refused = { address: 'b:2', type: 'Unknown', error: new Error('ECONNREFUSED') };
    expect(reasonOf(unreachable({ address: 'a:1', type: 'Unknown' }, refused))).to.equal(
      'no server of a replica set answers at a:1, b:2 (ECONNREFUSED).',
    );
    const closed = { address: 'c:3', type: 'Unknown', error: new Error('connection <monitor> to c:3 closed') };
    expect(reasonOf(unreachable(closed)))
      .to.include('c:3')
      .and.include('tlsCertificateKeyFile');
    const other = { servers: new Map(), setName: 'wrong' } as unknown as TopologyDescription;
    expect(reasonOf(new MongoServerSelectionError('timed out', other))).to.include('replica set wrong');
    expect(reasonOf(new MongoServerSelectionError('timed out', other), 'db0:27017')).to.include('answers at db0:27017');
    expect(reasonOf(unreachable())).to.equal('no server of a replica set answers at the hosts given (timed out).');
  });
});
