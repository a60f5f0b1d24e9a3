import { expect } from 'chai';
import fc from 'fast-check';
import { manifestsOf } from './documents.js';
import { exported, type Listed } from './exported.js';

const KIND = { group: 'folder.svc.app', version: 'v1beta1', resource: 'folders', kind: 'Folder', isNamespaced: true };
const text = (object: object): string => exported(KIND, object as Listed, 'svc.app');

describe('an exported object', () => {
  it('has what its author decided, and nothing that the server or tools set', () => {
    const object = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: {
        name: 'ops',
        namespace: 'default',
        uid: 'x',
        resourceVersion: '7',
        generation: 2,
        creationTimestamp: '2026-01-31T12:00:00Z',
        managedFields: [],
        ownerReferences: [{ uid: 'y' }],
        labels: { team: 'a', 'svc.app/deprecatedInternalID': '3', 'applyset.kubernetes.io/part-of': 'set' },
        annotations: {
          'svc.app/folder': 'parent',
          'svc.app/createdBy': 'user:ann',
          'svc.app/updatedBy': 'user:ann',
          'svc.app/updatedTimestamp': 'now',
          'svc.app/message': 'why',
          'svc.app/dashboard-ids': '7',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
        },
      },
      spec: { title: 'Ops', description: '1.0' },
      status: { of: 'the server' },
    };
    expect(text(object)).to.equal(`apiVersion: folder.svc.app/v1beta1
kind: Folder
metadata:
  name: ops
  labels:
    team: a
  annotations:
    svc.app/folder: parent
spec:
  description: "1.0"
  title: Ops
`);
  });

  it('is read back as the same object, and is the same text for the same object in any order of keys', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (random) => {
        const spec = JSON.parse(JSON.stringify(random)) as Record<string, unknown>;
        if ('__proto__' in random && Object.hasOwn(random, '__proto__')) return;
        const written = text({ metadata: { name: 'x' }, spec });
        expect(text({ metadata: { name: 'x' }, spec: reversed(spec) })).to.equal(written);
        expect(manifestsOf(written, 'x')[0]?.manifest['spec']).to.deep.equal(spec);
      }),
      { numRuns: 50 },
    );
  });
});
