import { expect } from 'chai';
import { lazy } from '../../system/object/lazy.js';
import { documentOf, readOnly, serveDocument } from './document.js';
import { requestFor } from './testing.js';

const DOCUMENT = documentOf(Buffer.from('{}'), 'application/json');
const statusFor = (ifNoneMatch: string): number =>
  serveDocument(requestFor('/', { 'if-none-match': ifNoneMatch }), DOCUMENT).status;

describe('serveDocument', () => {
  it('answers 304 to its own tag, weak or strong, alone or among others, and to *', () => {
    const etag = `"${DOCUMENT.hash}"`;
    expect([etag, `W/${etag}`, `"x", ${etag}`, '*'].map(statusFor)).to.deep.equal([304, 304, 304, 304]);
  });

  it('answers with the body to other tags', () => {
    expect(['"x"', DOCUMENT.hash, ''].map(statusFor)).to.deep.equal([200, 200, 200]);
  });

  it('has different tags for different content types', () => {
    expect(documentOf(Buffer.from('{}'), 'text/plain').hash).not.to.equal(DOCUMENT.hash);
  });
});

describe('readOnly', () => {
  it('allows GET and HEAD only', async () => {
    const handler = readOnly(() => ({ status: 200, headers: {} }));
    const ask = async (method: string) => handler(requestFor('/', {}, method));
    const outcome = (method: string): Promise<unknown> =>
      ask(method).then(
        ({ status }) => status,
        ({ code }) => code,
      );
    expect([await outcome('GET'), await outcome('HEAD'), await outcome('PUT')]).to.deep.equal([200, 200, 405]);
  });
});

describe('lazy', () => {
  it('computes once, even if the value is undefined', () => {
    let calls = 0;
    const value = lazy(() => {
      calls += 1;
      return undefined;
    });
    value();
    value();
    expect(calls).to.equal(1);
  });
});
