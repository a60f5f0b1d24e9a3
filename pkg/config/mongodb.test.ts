import { expect } from 'chai';
import { databaseIn, databaseOf, databaseWarning, formerDatabaseOf } from './mongodb.js';

describe('the database of MongoDB', () => {
  it('is in the path of the URI, whatever the password looks like, unless MongoDB keeps its own data there', () => {
    for (const [uri, database] of [
      ['mongodb://h:1,i:2/prod?replicaSet=rs', 'prod'],
      ['mongodb+srv://u:p@h/a%2Db', 'a-b'],
      ['mongodb://u:p/q@r@h/prod', 'prod'],
      ['mongodb://h/', undefined],
      ['mongodb://h', undefined],
      ['mongodb://h/?authSource=x', undefined],
      ['mongodb://u:p@h/admin?tls=true', undefined],
      ['mongodb://h/%zz', undefined],
    ] as const)
      expect(databaseIn(uri), uri).to.equal(database);
  });

  it('is that of the setting, then that of the URI, then apiserver', () => {
    const uri = 'mongodb://h/prod';
    expect(databaseOf({ mongodb_uri: uri, mongodb_database: 'mine' })).to.equal('mine');
    expect(databaseOf({ mongodb_uri: uri, mongodb_database: undefined })).to.equal('prod');
    expect(databaseOf({ mongodb_uri: 'mongodb://h/', mongodb_database: undefined })).to.equal('apiserver');
  });

  it('was another one in earlier versions, if only the URI names one', () => {
    const uri = 'mongodb://h/prod?replicaSet=rs';
    expect(formerDatabaseOf({ mongodb_uri: uri, mongodb_database: undefined })).to.equal('apiserver');
    expect(formerDatabaseOf({ mongodb_uri: uri, mongodb_database: 'prod' })).to.equal(undefined);
    expect(formerDatabaseOf({ mongodb_uri: 'mongodb://h/admin', mongodb_database: undefined })).to.equal(undefined);
  });

  it('is warned of if both name one, and not the same', () => {
    const warningOf = (uri: string, database?: string) =>
      databaseWarning({ mongodb_uri: uri, mongodb_database: database });
    expect(warningOf('mongodb://u:secret@h/prod', 'mine'))
      .to.include('prod')
      .and.include('mine')
      .and.not.include('secret');
    expect([
      warningOf('mongodb://h/prod', 'prod'),
      warningOf('mongodb://h/prod'),
      warningOf('mongodb://h', 'a'),
    ]).to.deep.equal([undefined, undefined, undefined]);
  });
});
