import { expect } from 'chai';
import { bodyOf, create, MEMO, pathTo, ROOM } from '../testing/house.js';
import { type Sent, type Served, serve } from '../testing/served.js';
import type { Kind } from './kind.js';
import { plainConventions } from './plain-conventions.js';

describe('an object of a kind with plain conventions', () => {
  const PLAIN: Kind = { ...MEMO, conventions: plainConventions({ keptAnnotations: ['kept'] }) };
  let served: Served;
  before(async () => {
    served = await serve([ROOM, PLAIN]);
    await create(served, ROOM, 'hall');
    await create(served, PLAIN, 'm', { text: 'milk' }, { annotations: { kept: 'x', other: 'y' } });
  });
  after(() => served.close());
  const put = (body: unknown, headers: Sent['headers'] = {}) =>
    served.send('PUT', pathTo(PLAIN, 'm'), { body, headers });

  it('is replaced by a body without a type and a name, and keeps the annotations that such a body cannot have', async () => {
    const { status, body } = await put({ text: 'tea' });
    expect([status, body.kind, (body as unknown as { text: string }).text]).to.deep.equal([200, 'Memo', 'tea']);
    expect(body.metadata.annotations).to.include({ kept: 'x' }).and.not.have.property('other');
    expect((await put({ metadata: { name: 'other' }, text: 'tea' })).status).to.equal(400);
  });

  it('is refused in another version with the answer that its callers expect', async () => {
    const { status, headers, body } = await put({ text: 'x' }, { 'if-match': '"1"' });
    expect([status, headers['content-type']]).to.deep.equal([412, 'application/json; charset=UTF-8']);
    expect(body).to.deep.equal({ message: 'the memo has been changed by someone else', status: 'version-mismatch' });
    const typed = bodyOf(PLAIN, 'm', { text: 'x' }, { resourceVersion: '1' });
    const { body: status412 } = await put(typed);
    expect(status412).to.deep.include({ kind: 'Status', code: 412, reason: 'Conflict' });
    expect(status412.details.causes).to.deep.equal([
      {
        reason: 'version-mismatch',
        message: 'the object has been modified; please apply your changes to the latest version and try again',
        field: 'metadata.resourceVersion',
      },
    ]);
    const fromKubectl = await served.send('PUT', pathTo(PLAIN, 'm'), {
      body: bodyOf(PLAIN, 'm', { text: 'x' }),
      headers: { 'if-match': '"1"' },
      query: 'fieldManager=kubectl',
    });
    expect(fromKubectl.body).to.include({ kind: 'Status', code: 412 });
  });

  it('answers 400 for what is invalid, and returns what it deletes', async () => {
    const invalid = await served.send('POST', pathTo(PLAIN), { body: { metadata: { name: 'n' }, text: 1 } });
    expect([invalid.status, invalid.body.reason]).to.deep.equal([400, 'Invalid']);
    const nameless = await served.send('POST', pathTo(PLAIN), { body: { text: 'x' } });
    expect([nameless.status, nameless.body.details.causes?.[0]?.field]).to.deep.equal([400, 'metadata.name']);
    expect((await served.send('DELETE', pathTo(PLAIN, 'm'))).body.kind).to.equal('Memo');
  });

  it('tells scripts from clients of Kubernetes by what they send', async () => {
    const put = async (body: object, query: string, headers: NonNullable<Sent['headers']>) => {
      const answer = await served.send('PUT', pathTo(PLAIN, 'n'), { body, query, headers });
      return [answer.status, answer.body.kind];
    };
    await create(served, PLAIN, 'n', { text: 'milk' });
    const typed = bodyOf(PLAIN, 'n', { text: 'x' });
    const stale = { 'if-match': '"1"' };
    expect(await put(typed, '', stale)).to.deep.equal([412, undefined]);
    for (const query of ['fieldManager=x', 'fieldValidation=Strict'])
      expect(await put(typed, query, stale), query).to.deep.equal([412, 'Status']);
    expect(await put({ text: 'x' }, 'fieldManager=x', stale)).to.deep.equal([412, undefined]);
    const versioned = bodyOf(PLAIN, 'n', { text: 'x' }, { resourceVersion: '1' });
    expect(await put(versioned, '', {})).to.deep.equal([412, 'Status']);
  });

  it('has a body that may be bare, and that is returned by its deletion, and 400 for what is wrong', () => {
    const conventions = plainConventions({ keptAnnotations: [] });
    expect(conventions).to.include({ acceptsBareBodies: true, returnsDeletedObject: true });
    const cause = { reason: 'FieldValueInvalid', message: 'no', field: 'text' } as const;
    const wrong = conventions.invalid(PLAIN, 'm', [cause]);
    expect([wrong.code, wrong.reason, wrong.details?.causes]).to.deep.equal([400, 'Invalid', [cause]]);
    const nameless = conventions.nameRequired(PLAIN);
    expect([nameless.code, nameless.details?.causes?.[0]?.field]).to.deep.equal([400, 'metadata.name']);
  });

  it('keeps only what a bare body leaves out', () => {
    const { completeBare } = plainConventions({ keptAnnotations: ['kept', 'other'] });
    const object = (annotations?: Readonly<Record<string, string>>) => ({
      apiVersion: 'v1',
      kind: 'Memo',
      metadata: { name: 'm', ...(annotations && { annotations }) },
    });
    const keeping = (sent: Record<string, string> | undefined, old: Record<string, string> | undefined) =>
      completeBare(object(sent), object(old)).metadata.annotations;
    expect(keeping(undefined, { kept: 'x', more: 'y' })).to.deep.equal({ kept: 'x' });
    expect(keeping({ kept: '' }, { kept: 'x' })).to.deep.equal({ kept: '' });
    expect(keeping({ own: 'z' }, { kept: 'x', other: 'y' })).to.deep.equal({ own: 'z', kept: 'x', other: 'y' });
    expect(keeping({ own: 'z' }, undefined)).to.deep.equal({ own: 'z' });
    const body = object();
    expect(completeBare(body, object({ more: 'y' }))).to.equal(body);
  });
});
