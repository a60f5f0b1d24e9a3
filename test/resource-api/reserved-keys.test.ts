import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { bodyOf, FOLDERS, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf, PARENT } from './folders.js';

const warningsOf = ({ headers }: Answer): readonly string[] => [headers['warning'] ?? []].flat();
const object = (metadata: unknown): unknown => ({
  apiVersion: FOLDERS.apiVersion,
  kind: 'Folder',
  metadata,
  spec: { title: 'Operations' },
});
const warningFor = (field: string, key: string): string =>
  `299 - "metadata.${field}[${key}]: keys that begin with svc.app/ are reserved, and this one has no meaning: remove it, or use a prefix of your own"`;

oneStore('annotations and labels that begin with the domain', (server) => {
  const folders = foldersOf(server);

  it('are stored with a warning if they have no meaning, in POST, PUT and PATCH', async () => {
    const name = freshName();
    const sent = object({ name, annotations: { 'svc.app/nope': 'x' }, labels: { 'svc.app/neither': 'x' } });
    const expected = [warningFor('labels', 'svc.app/neither'), warningFor('annotations', 'svc.app/nope')];
    const created = await folders.create(sent);
    expect(bodyOf(created, 201).metadata.annotations).to.include({ 'svc.app/nope': 'x' });
    expect(warningsOf(created)).to.deep.equal(expected);
    expect(warningsOf(await folders.put(name, sent))).to.deep.equal(expected);
    expect(warningsOf(await folders.merge(name, { spec: { title: 'other' } }))).to.deep.equal(expected);
  });

  it('get no warning if they have a meaning, and neither do other keys', async () => {
    const { metadata } = await folders.make(freshName());
    const name = freshName();
    const annotations = { [PARENT]: metadata.name, 'svc.app/createdBy': 'me', 'svc.apple/x': '', plain: '' };
    const sent = object({ name, annotations, labels: { 'svc.app/deprecatedInternalID': '7' } });
    const created = await folders.create(sent);
    bodyOf(created, 201);
    expect(warningsOf(created)).to.deep.equal([]);
    expect(warningsOf(await folders.merge(name, { spec: { title: 'other' } }))).to.deep.equal([]);
  });
});
