import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject } from '../suite/subject.js';
import { SHELF } from './kind.js';

/** Tests the conventions for plain HTTP callers, except status codes. */
export function plainCallers(subject: Subject): void {
  const { resource, server, examples } = subject;
  const bare = (name: string, annotations?: object): object => ({
    metadata: { name, ...(annotations && { annotations }) },
    spec: { title: 'Bare' },
  });
  const created = async (name: string) =>
    bodyOf(await resource.create(bare(name, { [SHELF]: 'top', 'example.com/note': 'a' })), 201);

  describe('bare bodies', () => {
    it('create and update objects, and keep the annotations that they may leave out', async () => {
      const name = subject.name();
      expect(await created(name)).to.deep.include({ kind: 'PlainWidget', spec: { title: 'Bare', size: 1 } });
      const kept = bodyOf(await resource.put(name, bare(name)), 200).metadata.annotations;
      expect(kept)
        .to.include({ [SHELF]: 'top' })
        .and.not.have.property('example.com/note');
      const other = bodyOf(await resource.put(name, bare(name, { [SHELF]: 'low' })), 200).metadata.annotations;
      expect(other).to.include({ [SHELF]: 'low' });
    });

    it('with apiVersion and kind keep no annotations', async () => {
      const name = subject.name();
      await created(name);
      const body = bodyOf(await resource.put(name, objectOf(subject, examples.minimal, name)), 200);
      expect(body.metadata.annotations).to.not.have.property(SHELF);
    });
  });

  it('a stale If-Match gets a message instead of a Status, for the object and for its status', async () => {
    const name = subject.name();
    const old = await created(name);
    const stale = { headers: { 'if-match': '"1"' } };
    await changingNothing(server(), async () => {
      for (const write of [resource, resource.subresource('status')]) {
        const answer = await write.put(name, old, stale);
        expect([answer.status, answer.headers['content-type']]).to.deep.equal([412, 'application/json; charset=UTF-8']);
        const message = 'the plainwidget has been changed by someone else';
        expect(answer.json()).to.deep.equal({ message, status: 'version-mismatch' });
        const query = { fieldManager: 'kubectl' };
        expectStatus(await write.put(name, old, { ...stale, query }), 412, 'Conflict', 'the object has been modified');
      }
    });
  });

  it('a new object without a name is refused with the field', async () => {
    const { details } = expectStatus(
      await resource.create({ spec: { title: 'Bare' } }),
      400,
      'Invalid',
      'metadata.name',
    );
    expect(details.causes?.map(({ field }) => field)).to.deep.equal(['metadata.name']);
  });
}
