import { expect } from 'chai';
import { clientOptions, withoutOurs } from './options.js';

describe('withoutOurs', () => {
  it('removes options that weaken reads or writes, in any case, and keeps the others', () => {
    const uri =
      'mongodb://u:p%3Fw@a:1,b:2/db?w=0&replicaSet=rs&J=false&readPreference=secondary&tls=true&ReadConcernLevel=local';
    expect(withoutOurs(uri)).to.equal('mongodb://u:p%3Fw@a:1,b:2/db?replicaSet=rs&tls=true');
  });

  it('does not change a URI without options', () => {
    expect(withoutOurs('mongodb://a:1')).to.equal('mongodb://a:1');
    expect(withoutOurs('mongodb+srv://a.example/')).to.equal('mongodb+srv://a.example/');
  });
});

describe('the options of a connection', () => {
  it('wait for a majority and its journal, and have time limits', () => {
    const times = { selection: 1, answer: 2, settle: 3, alone: 4 };
    expect(clientOptions(times)).to.deep.include({
      serverSelectionTimeoutMS: 1,
      connectTimeoutMS: 1,
      waitQueueTimeoutMS: 1,
      socketTimeoutMS: 2,
      retryReads: true,
      retryWrites: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: 2 },
    });
  });
});
