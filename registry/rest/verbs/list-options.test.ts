import { expect } from 'chai';
import { parseListOptions, parseRevision } from '../options/query.js';
import { refusal } from '../testing/requests.js';

const parsed = (query: string) => parseListOptions(new URLSearchParams(query));
const refused = (query: string) => refusal(() => parsed(query));
const MATCH = 'resourceVersionMatch';

describe('the options of a list', () => {
  it('are those of an unlimited list of the most recent state, if nothing is given or all texts are empty', () => {
    const empty = 'continue=&resourceVersion=&resourceVersionMatch=&labelSelector=&fieldSelector=';
    for (const query of ['', empty, 'unknown=1']) {
      expect(parsed(query)).to.deep.equal({
        limit: 0,
        continue: '',
        resourceVersion: undefined,
        match: undefined,
        labelSelector: '',
        fieldSelector: '',
        watch: false,
        bookmarks: false,
        sendInitialEvents: undefined,
        timeoutSeconds: 0,
      });
    }
  });

  it('are read from their parameters', () => {
    const options = parsed('limit=5&continue=abc&labelSelector=a&fieldSelector=b&timeoutSeconds=9');
    expect(options).to.include({
      limit: 5,
      continue: 'abc',
      labelSelector: 'a',
      fieldSelector: 'b',
      timeoutSeconds: 9,
    });
    expect(parsed('resourceVersion=7')).to.include({ resourceVersion: 7, match: undefined });
    expect(parsed('resourceVersion=7&resourceVersionMatch=Exact')).to.include({ resourceVersion: 7, match: 'Exact' });
    expect(parsed('resourceVersion=0&resourceVersionMatch=NotOlderThan')).to.include({
      resourceVersion: 0,
      match: 'NotOlderThan',
    });
  });

  it('have no limit and no timeout if these are negative', () => {
    expect(parsed('limit=-1&timeoutSeconds=-1')).to.include({ limit: 0, timeoutSeconds: 0 });
  });

  it('are refused if a number is none', () => {
    for (const text of ['', 'x', '1.5', '1e3', '0x1', '1 2', '9223372036854775808']) {
      expect(refused(`limit=${text}`), text).to.deep.equal([400]);
      expect(refused(`watch=1&timeoutSeconds=${text}`), text).to.deep.equal([400]);
    }
    expect(parsed(`limit=${'1'.repeat(15)}`).limit).to.equal(111_111_111_111_111);
    expect(parsed('limit=9223372036854775807').limit).to.equal(Number.MAX_SAFE_INTEGER);
  });

  it('are not repeated in full in a refusal', () => {
    const long = 'x'.repeat(10_000);
    for (const query of [`limit=${long}`, `resourceVersion=${long}`, `resourceVersionMatch=${long}`])
      expect(() => parsed(query)).to.throw(/^.{1,300}$/);
  });

  it('are refused if they contradict each other', () => {
    expect(refused('sendInitialEvents=true')).to.deep.equal([422, 'sendInitialEvents']);
    expect(refused('sendInitialEvents=false')).to.deep.equal([422, 'sendInitialEvents']);
    expect(refused('resourceVersionMatch=Newest&resourceVersion=1')).to.deep.equal([422, MATCH]);
    expect(refused('resourceVersionMatch=Exact')).to.deep.equal([422, MATCH]);
    expect(refused('resourceVersionMatch=Exact&resourceVersion=0')).to.deep.equal([422, MATCH]);
    expect(refused('resourceVersionMatch=Exact&resourceVersion=1&continue=a')).to.deep.equal([422, MATCH]);
    expect(refused('resourceVersion=1&continue=a')).to.deep.equal([400]);
  });

  it('may name any state beside a token, because the token says which', () => {
    expect(parsed('resourceVersion=0&continue=a')).to.include({ resourceVersion: 0, continue: 'a' });
  });
});

describe('the options of a watch', () => {
  it('may ask for the initial events only with NotOlderThan, and for NotOlderThan only with an answer to that', () => {
    expect(refused('watch=1&resourceVersionMatch=NotOlderThan')).to.deep.equal([422, MATCH]);
    for (const initial of ['true', 'false']) {
      expect(refused(`watch=1&sendInitialEvents=${initial}`)).to.deep.equal([422, MATCH]);
      expect(
        refused(`watch=1&sendInitialEvents=${initial}&resourceVersion=5&resourceVersionMatch=Exact`),
      ).to.deep.equal([422, MATCH]);
      const options = parsed(`watch=1&sendInitialEvents=${initial}&resourceVersionMatch=NotOlderThan`);
      expect(options).to.include({ watch: true, sendInitialEvents: initial === 'true' });
    }
  });

  it('mark the end of the initial events of a watch with bookmarks that begins now or anywhere', () => {
    for (const query of ['', '&resourceVersion=', '&resourceVersion=0'])
      expect(parsed(`watch=1&allowWatchBookmarks=1${query}`)).to.include({ sendInitialEvents: true, bookmarks: true });
  });

  it('ask for no initial events otherwise', () => {
    const none = ['watch=1', 'watch=1&allowWatchBookmarks=1&resourceVersion=5', 'allowWatchBookmarks=1'];
    for (const query of none) expect(parsed(query).sendInitialEvents, query).to.equal(undefined);
    const told = 'watch=1&allowWatchBookmarks=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
    expect(parsed(told).sendInitialEvents).to.equal(false);
  });
});

describe('a resourceVersion of a request', () => {
  it('is an unsigned number of 64 bits, also above the numbers of JavaScript', () => {
    expect([null, undefined, '', '0', '007'].map(parseRevision)).to.deep.equal([undefined, undefined, undefined, 0, 7]);
    expect(parseRevision('9007199254740991')).to.equal(9007199254740991);
    expect(parseRevision('9007199254740992')).to.equal(9007199254740992n);
    expect(parseRevision('18446744073709551615')).to.equal(18446744073709551615n);
  });

  it('is refused if it is anything else', () => {
    for (const text of ['18446744073709551616', '000000000000000000001', '-1', '1.0', 'a1', '1a', ' 1', '0x1'])
      expect(
        refusal(() => parseRevision(text)),
        text,
      ).to.deep.equal([400]);
  });
});
