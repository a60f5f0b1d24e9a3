import { expect } from 'chai';
import { clientOptions, credentialProblem, uriWarnings, withoutOurs } from './options.js';

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
    const times = { selection: 1, answer: 2, settle: 3, alone: 4, complete: 5000 };
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

describe('what a URI of MongoDB has', () => {
  it('is warned of if the server sets it itself, in one line, without the values', () => {
    const uri = 'mongodb://u:p?w=0@h/?w=1&readPreference=nearest&tls=true&journal=false';
    expect(uriWarnings(uri)).to.have.length(1);
    expect(uriWarnings(uri)[0]).to.include('w, readPreference, journal: ignored').and.not.include('nearest');
    expect(uriWarnings('mongodb://h/?tls=true&maxPoolSize=50')).to.deep.equal([]);
  });

  it('is raised if it is a pool with too few connections', () => {
    expect(uriWarnings('mongodb://h/?maxPoolSize=1')[0]).to.include('maxPoolSize').and.include('5');
    const times = { selection: 1, answer: 2, settle: 3, alone: 4, complete: 5000 };
    const sizeIn = (uri: string) => clientOptions(times, uri).maxPoolSize;
    expect(['1', '4', '5', '0', '100'].map((size) => sizeIn(`mongodb://h/?maxPoolSize=${size}`))).to.deep.equal([
      5,
      5,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps the name of the application', () => {
    const times = { selection: 1, answer: 2, settle: 3, alone: 4, complete: 5000 };
    expect(clientOptions(times, 'mongodb://h/?appName=mine')).to.not.have.property('appName');
    expect(clientOptions(times, 'mongodb://h/')).to.have.property('appName', 'dashboard-apiserver');
  });

  it('is said to be wrong if a password is not encoded, and no part of it is shown', () => {
    for (const uri of ['mongodb://d:p@ss:w/rd@h/', 'mongodb://d:a:b@h/', 'mongodb://d:a?b@h/', 'mongodb://d:5%@h/'])
      expect(credentialProblem(uri), uri)
        .to.include('percent-encoded')
        .and.not.match(/ss:w|a:b|a\?b/);
    for (const uri of ['mongodb://d:p%40ss@h/', 'mongodb://h:99999/', 'mongodb://h/?appName=a/b'])
      expect(credentialProblem(uri), uri).to.equal(undefined);
  });
});
