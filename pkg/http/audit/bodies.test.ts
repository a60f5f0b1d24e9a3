import { expect } from 'chai';
import { bodiesOf } from './bodies.js';
import { maskOf } from './mask.js';
import { AuditNotes } from './notes.js';

const mask = maskOf(['password']);
const bytes = (length: number): Uint8Array => Buffer.from(JSON.stringify({ text: 'x'.repeat(length) }));

function bodies(level: 'Metadata' | 'Request' | 'RequestResponse', request: Uint8Array, answer: object) {
  const audit = new AuditNotes();
  audit.body = JSON.parse(Buffer.from(request).toString());
  return bodiesOf({ body: request, audit, response: { status: 200, headers: {}, ...answer } }, level, mask);
}

describe('the bodies of the audit log', () => {
  it('are those that the level asks for', () => {
    const answer = { body: bytes(1) };
    expect(bodies('Metadata', bytes(1), answer)).to.include({ requestObject: undefined, responseObject: undefined });
    const request = bodies('Request', bytes(1), answer);
    expect(request.requestObject).to.deep.equal({ text: 'x' });
    expect(request.responseObject).to.equal(undefined);
    expect(bodies('RequestResponse', bytes(1), answer).responseObject).to.deep.equal({ text: 'x' });
  });

  it('are left out if they are long, compressed or streamed', () => {
    const long = bodies('RequestResponse', bytes(300_000), { body: bytes(1) });
    expect([long.requestObject, long.isTruncated]).to.deep.equal([undefined, true]);
    const stream = (async function* () {})();
    for (const answer of [
      { body: bytes(300_000) },
      { body: stream },
      { body: bytes(1), headers: { 'content-encoding': 'gzip' } },
    ]) {
      const found = bodies('RequestResponse', bytes(1), answer);
      expect([found.responseObject, found.isTruncated]).to.deep.equal([undefined, true]);
    }
    expect(bodies('Request', bytes(1), { body: stream }).isTruncated).to.equal(false);
  });

  it('are left out if they are not JSON', () => {
    const found = bodies('RequestResponse', bytes(1), { body: Buffer.from('ok') });
    expect([found.responseObject, found.isTruncated]).to.deep.equal([undefined, false]);
  });
});
