import { expect } from 'chai';
import { Binary } from 'mongodb';
import type { Put } from '../../backend.js';
import { keyOf } from '../../key.js';
import { encodeWhole } from '../../log/segment.js';
import {
  bytesOf,
  type ChangeDocument,
  changeOf,
  commitOfChanges,
  counterField,
  countersOf,
  fromOf,
  isWhole,
  objectDocument,
  storedOf,
  textOf,
  wholeCommit,
} from './documents.js';

const key = keyOf('notes.x', 'default', 'a');

function documentOf(object: unknown, more: Partial<Put> = {}) {
  const { _id, revision, body, ...rest } = objectDocument({ key, revision: 3, ...more }, JSON.stringify(object));
  expect([_id, revision, body]).to.deep.equal([key, 3, JSON.stringify(object)]);
  return rest;
}

const plain = { metadata: { name: 'a', namespace: 'default' } };

describe('the document of an object', () => {
  it('has its name, uid, labels and title', () => {
    const labels = { 'app.kubernetes.io/name': 'x', a: 'y' };
    expect(documentOf({ metadata: { uid: 'u', labels }, spec: { title: 'T' } })).to.deep.equal({
      metadata: { ...plain.metadata, uid: 'u', labels },
      title: 'T',
    });
  });

  it('leaves out what is absent, empty, long, or of another type', () => {
    const long = 'x'.repeat(1025);
    for (const object of [
      {},
      null,
      7,
      'text',
      { metadata: null, spec: 'x' },
      { metadata: { uid: '', labels: {} }, spec: { title: '' } },
      { metadata: { uid: long, labels: { a: long } }, spec: { title: long } },
      { metadata: { uid: 7, labels: { a: 7 } }, spec: { title: ['T'] } },
      { metadata: { labels: { 'a b': 'x', $a: 'x', '': 'x', [`${'x'.repeat(318)}`]: 'x', ['__proto__']: 'x' } } },
      { metadata: { labels: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`l${i}`, 'x'])) } },
    ]) {
      expect(documentOf(object)).to.deep.equal(plain);
    }
    expect(objectDocument({ key, revision: 3 }, 'no JSON')).to.deep.equal({
      _id: key,
      revision: 3,
      ...plain,
      body: 'no JSON',
    });
  });

  it('has texts of 1024 characters, and 64 labels', () => {
    const title = 'x'.repeat(1024);
    const labels = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`l${i}`, 'x']));
    const name = 'x'.repeat(317);
    expect(documentOf({ metadata: { labels }, spec: { title } })).to.deep.equal({
      metadata: { ...plain.metadata, labels },
      title,
    });
    expect(documentOf({ metadata: { labels: { [name]: 'x', $: 'y' } } })).to.deep.equal({
      metadata: { ...plain.metadata, labels: { [name]: 'x' } },
    });
  });

  it('takes them from the object that is given, so that the text need not be parsed', () => {
    expect(documentOf({ spec: { title: 'text' } }, { object: { spec: { title: 'given' } } })).to.include({
      title: 'given',
    });
  });

  it('gives the object, with bytes of its own', () => {
    const { value, ...rest } = storedOf({ _id: key, revision: 3, ...plain, body: '{"ä":1}' });
    expect(rest).to.deep.equal({ key, revision: 3 });
    expect([textOf(value), value.buffer.byteLength]).to.deep.equal(['{"ä":1}', value.byteLength]);
  });
});

describe('texts and counters', () => {
  it('are texts of the bytes that are given, also if they are a part of others', () => {
    expect(textOf(Buffer.from('xäy').subarray(1, 3))).to.equal('ä');
    expect(Buffer.from(bytesOf('ä')).toString('hex')).to.equal('c3a4');
  });

  it('have field names without dots', () => {
    expect(counterField('a.b.c')).to.equal('a/b/c');
    expect(countersOf({ 'a/b/c': 1, d: 2 })).to.deep.equal(
      new Map([
        ['a.b.c', 1],
        ['d', 2],
      ]),
    );
    expect(countersOf()).to.deep.equal(new Map());
  });
});

describe('the documents of the log', () => {
  const common = { end: 5, commit: 'c', at: new Date(0), key };
  const value = (text: string): Uint8Array => bytesOf(text);
  const former = (text: string) => ({ key, revision: 2, value: value(text) });

  it('give a change with its own values, or with staged ones', () => {
    const staged = new Map([
      ['c@5', 'new'],
      [`${key}@2`, 'old'],
    ]);
    const of = (more: Partial<ChangeDocument>) => changeOf({ _id: 5, ...common, ...more }, staged);
    expect(of({})).to.deep.equal({ key, revision: 5 });
    expect(of({ body: '{}' })).to.deep.equal({ key, revision: 5, value: value('{}') });
    expect(of({ staged: 'c@5', previous: { revision: 2 } })).to.deep.equal({
      key,
      revision: 5,
      value: value('new'),
      previous: former('old'),
    });
    expect(of({ previous: { revision: 2, body: 'own' } })).to.deep.equal({ key, revision: 5, previous: former('own') });
    expect(of({ staged: 'other', previous: { revision: 3 } })).to.deep.equal({ key, revision: 5 });
  });

  it('give a commit of several changes, with the counters of the last', () => {
    const documents = [
      { _id: 3, ...common, body: '0' },
      { _id: 4, ...common, body: 'a' },
      { _id: 5, ...common, body: 'b', counters: { 'a/b': 3 } },
    ];
    expect(commitOfChanges(documents, new Map())).to.deep.equal({
      end: 5,
      id: 'c',
      changes: [
        { key, revision: 3, value: value('0') },
        { key, revision: 4, value: value('a') },
        { key, revision: 5, value: value('b') },
      ],
      counters: new Map([['a.b', 3]]),
    });
  });

  it('give a commit that has one document, from any of its changes', () => {
    const changes = [4, 5].map((revision) => ({ key, revision, value: value(`${revision}`) }));
    const batch = { commitId: 'c', changes, counters: new Map([['a.b', 3]]) };
    const segment = new Binary(encodeWhole(3, batch));
    const whole = { _id: 5, from: 4, commit: 'c', at: new Date(0), segment };
    expect(wholeCommit(whole, [segment.buffer], 3)).to.deep.equal({
      end: 5,
      id: 'c',
      changes,
      counters: batch.counters,
    });
    expect(wholeCommit(whole, [segment.buffer], 4).changes.map(({ revision }) => revision)).to.deep.equal([5]);
    const { segment: _, ...large } = { ...whole, parts: 2 };
    expect([isWhole(whole), isWhole(large), isWhole({ _id: 5, ...common })]).to.deep.equal([true, true, false]);
    expect([fromOf(whole), fromOf({ _id: 5 })]).to.deep.equal([4, 5]);
  });
});
