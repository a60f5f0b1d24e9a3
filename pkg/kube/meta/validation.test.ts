import { expect } from 'chai';
import type { OwnerReference } from './types.js';
import { validateObjectMeta } from './validation.js';

const owner: OwnerReference = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', name: 'a', uid: 'u' };
const reasons = (meta: Parameters<typeof validateObjectMeta>[0]): string[] =>
  validateObjectMeta(meta).map(({ field, reason }) => `${field} ${reason}`);

describe('validateObjectMeta', () => {
  it('accepts ordinary metadata', () => {
    expect(
      validateObjectMeta({
        name: 'a',
        namespace: 'org-2',
        generation: 1,
        labels: { 'svc.app/deprecatedInternalID': '42', team: '' },
        annotations: { 'svc.app/folder': 'any text \u0000 at all', 'UPPER.example/Key': '' },
        finalizers: ['orphan', 'example.com/cleanup'],
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'v', apiVersion: 'v1' },
        ],
      }),
    ).to.deep.equal([]);
  });

  it('quotes the wrong key or value of a label', () => {
    const causes = validateObjectMeta({ name: 'a', labels: { 'a b': 'ok', ok: 'c d' } });
    expect(causes.map(({ field, reason }) => [field, reason])).to.deep.equal([
      ['metadata.labels', 'FieldValueInvalid'],
      ['metadata.labels', 'FieldValueInvalid'],
    ]);
    expect(causes[0]?.message).to.match(/^Invalid value: "a b": name part must consist of /);
    expect(causes[1]?.message).to.match(/^Invalid value: "c d": a valid label must be /);
  });

  // Promise: contract 5.1
  it('accepts annotations of 256 KiB in bytes, but not more', () => {
    const exactly = { name: 'a', annotations: { k: 'é'.repeat(131_071), l: '' } };
    expect(validateObjectMeta(exactly)).to.deep.equal([]);
    expect(validateObjectMeta({ name: 'a', annotations: { k: 'é'.repeat(131_072) } })).to.deep.equal([
      {
        reason: 'FieldValueTooLong',
        message: 'Too long: may not be more than 262144 bytes',
        field: 'metadata.annotations',
      },
    ]);
  });

  // Promise: contract 5.1
  it('requires apiVersion, kind, name and uid of every owner, and at most one controller', () => {
    expect(reasons({ name: 'a', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] })).to.deep.equal([
      'metadata.ownerReferences.apiVersion FieldValueInvalid',
      'metadata.ownerReferences.kind FieldValueInvalid',
      'metadata.ownerReferences.name FieldValueInvalid',
      'metadata.ownerReferences.uid FieldValueInvalid',
    ]);
    expect(reasons({ name: 'a', ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] })).to.have.length(1);
    expect(reasons({ name: 'a', ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] })).to.have.length(1);
    const two = [
      { ...owner, controller: true },
      { ...owner, uid: 'v', controller: true },
    ];
    const [cause] = validateObjectMeta({ name: 'a', ownerReferences: two });
    expect(cause?.message).to.include('Only one reference can have Controller set to true');
  });

  it('requires qualified finalizers, and refuses orphan together with foregroundDeletion', () => {
    expect(reasons({ name: 'a', finalizers: ['a b'] })).to.deep.equal(['metadata.finalizers FieldValueInvalid']);
    expect(reasons({ name: 'a', finalizers: ['orphan', 'foregroundDeletion'] })).to.have.length(1);
  });

  it('checks only what the valid metadata does not have', () => {
    const valid = { name: 'a', labels: { 'a b': 'c d' }, annotations: { 'a b': '' } };
    const again = (labels: object, annotations: object) =>
      validateObjectMeta({ name: 'a', labels: { ...labels }, annotations: { ...annotations } }, valid).map(
        ({ field }) => field,
      );
    expect(again(valid.labels, { 'a b': 'another value' })).to.deep.equal([]);
    expect(again({ 'a b': 'e f' }, { 'c d': '' })).to.deep.equal([
      'metadata.labels',
      'metadata.labels',
      'metadata.annotations',
    ]);
    expect(again({}, { 'a b': 'x'.repeat(256 * 1024) })).to.deep.equal(['metadata.annotations']);
    expect(again({ constructor: '-' }, { 'toString ': '' })).to.deep.equal(['metadata.labels', 'metadata.annotations']);
  });

  it('limits the number of entries and the quoted part of a value', () => {
    const many = Array.from({ length: 1001 }, (_, i) => `f${i}`);
    const labels = Object.fromEntries(many.map((key) => [key, '']));
    expect(reasons({ name: 'a', finalizers: many, labels, annotations: labels })).to.deep.equal([
      'metadata.labels FieldValueTooMany',
      'metadata.annotations FieldValueTooMany',
      'metadata.finalizers FieldValueTooMany',
    ]);
    expect(
      validateObjectMeta({ name: 'a', labels: { ['!'.repeat(1_000_000)]: '' } })[0]?.message.length,
    ).to.be.lessThan(800);
  });
});
