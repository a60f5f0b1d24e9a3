import { expect } from 'chai';
import type { ApiResponse } from '../../pkg/http/handler.js';
import { created, deleted, done, legacyJson, NO_CONTENT, ok, okBytes } from './respond.js';

const LAMP = { apiVersion: 'v1', kind: 'Lamp', metadata: { name: 'desk' } };
const shown = ({ status, body }: ApiResponse): readonly unknown[] => [
  status,
  JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')),
];
const SAFE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'x-xss-protection': '1; mode=block',
};

describe('an answer of the legacy API', () => {
  it('is JSON that nobody may cache or guess the type of', () => {
    for (const { headers } of [ok(1), created(1), done('x'), okBytes(Buffer.from('1')), legacyJson(418, 1)])
      expect(headers).to.deep.equal({ 'content-type': 'application/json', ...SAFE });
    expect(NO_CONTENT).to.deep.equal({ status: 204, headers: SAFE });
    expect(ok(1, { 'content-type': 'text/plain', etag: 'x' }).headers).to.include({
      'content-type': 'text/plain',
      etag: 'x',
    });
  });

  it('has a status and a value, or a message with more members', () => {
    expect(shown(ok({ a: 1 }))).to.deep.equal([200, { a: 1 }]);
    expect(shown(okBytes(Buffer.from('[1]')))).to.deep.equal([200, [1]]);
    expect(shown(created({ a: 1 }))).to.deep.equal([201, { a: 1 }]);
    expect(shown(done('Done', { id: 1 }))).to.deep.equal([200, { message: 'Done', id: 1 }]);
    expect(shown(done('Done'))).to.deep.equal([200, { message: 'Done' }]);
    expect(shown(legacyJson(418, null))).to.deep.equal([418, null]);
  });
});

describe('the answer to a legacy deletion', () => {
  it('is that the object is gone', () => {
    expect(shown(deleted(LAMP, 'Lamp deleted', { id: 1 }))).to.deep.equal([200, { message: 'Lamp deleted', id: 1 }]);
    expect(shown(deleted(LAMP, 'Lamp deleted'))).to.deep.equal([200, { message: 'Lamp deleted' }]);
  });

  it('is 202 if something still holds it', () => {
    const going = { ...LAMP, metadata: { ...LAMP.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const [status, body] = shown(deleted(going, 'Lamp deleted', { id: 1 })) as [
      number,
      { message: string; id: number },
    ];
    expect([status, body.id]).to.deep.equal([202, 1]);
    expect(body.message).to.match(/^The deletion has begun/);
  });
});
