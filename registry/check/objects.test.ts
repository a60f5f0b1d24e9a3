import { expect } from 'chai';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import type { Stored } from '../../storage/backend.js';
import { type Key, keyOf } from '../../storage/key.js';
import { encodeText } from '../../storage/state/codec.js';
import type { Head } from '../../storage/transfer/snapshot.js';
import type { Kind } from '../kinds/kind.js';
import { PAGE, page, SHELF } from '../write/testing/pages.js';
import { ObjectCheck } from './objects.js';

const COUNTED: Kind = { ...PAGE, internalId: true };
const LABEL = PAGE.ownedKeys.internalId;

/** The revision of the last object that was made for a check. */
let revision = 0;

function stored(object: KubeObject, more: Partial<Stored> = {}): Stored {
  revision++;
  const key = keyOf(PAGE.qualified, 'default', object.metadata.name);
  return { key, revision, value: encodeText(canonicalJson(object), revision), ...more };
}

/** What is found in these objects, as `<area> <name>`, and in the end. Notes begin with `note`. */
function findings(
  objects: readonly Stored[],
  { kinds = [PAGE, SHELF] as readonly Kind[], end = 100, counters = {} } = {},
) {
  const head = { end, counters: new Map(Object.entries(counters)) } as unknown as Head;
  const check = new ObjectCheck(kinds, head);
  revision = 0;
  const found = [...objects.flatMap((held) => [...check.object(held)]), ...check.end()];
  return found.map(({ area, key, isNote }) => {
    const name = key?.slice(key.lastIndexOf('/') + 1);
    return [isNote && 'note', area, name].filter(Boolean).join(' ');
  });
}

describe('the check of stored objects', () => {
  const at = (name: string): Key => keyOf(PAGE.qualified, 'default', name);
  const owned = (uid: string): Partial<ObjectMeta> => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid }],
  });

  it('finds nothing in what a server wrote, in any order', () => {
    const all = () => [
      stored(page('b', { title: 'B', in: 'a', next: 'a', perhaps: 'gone' }, owned('as'))),
      stored(page('a', { title: 'A' })),
    ];
    expect(findings(all())).to.deep.equal([]);
    expect(findings(all().reverse())).to.deep.equal([]);
  });

  it('finds nothing in an object of a kind that refers to nothing', () => {
    const shelf = { ...page('s'), apiVersion: SHELF.apiVersion, kind: 'Shelf' };
    expect(findings([stored(shelf, { key: keyOf(SHELF.qualified, '', 's') })])).to.deep.equal([]);
  });

  it('finds objects that are not what their keys say', () => {
    expect(findings([stored(page('a'), { key: at('b') })])).to.deep.equal(['object b']);
    expect(findings([stored({ ...page('a'), kind: 'Book' })])).to.deep.equal(['object a']);
    expect(findings([stored({ ...page('a'), apiVersion: 'v2' })])).to.deep.equal(['object a']);
    expect(findings([stored(page('a'), { value: Buffer.from('{') })])).to.deep.equal(['object a']);
    expect(findings([stored(page('a'), { key: keyOf('unknown.x', '', 'u') })])).to.deep.equal(['note object u']);
  });

  it('finds fields that the schema does not have', () => {
    expect(findings([stored({ ...page('a'), spec: { title: 5 } })])[0]).to.equal('schema a');
    expect(findings([stored({ ...page('a'), extra: 1 } as KubeObject)])).to.deep.equal([]);
  });

  it('finds wrong revisions, and one that two objects have', () => {
    expect(findings([stored(page('a'))], { end: 1 })).to.deep.equal([]);
    expect(findings([stored(page('a')), stored(page('b'))], { end: 1 })).to.deep.equal(['revision b']);
    expect(findings([stored(page('a'), { revision: 0 })])).to.deep.equal(['revision a', 'revision a']);
    const same = [
      stored(page('a')),
      stored(page('b'), { revision: 1, value: encodeText(canonicalJson(page('b')), 1) }),
    ];
    expect(findings(same)).to.deep.equal(['revision b']);
    expect(findings([stored(page('a'), { value: encodeText(canonicalJson(page('a')), 7) })])).to.deep.equal([
      'revision a',
    ]);
  });

  it('finds missing and equal uids', () => {
    const { uid: _, ...anonymous } = page('a').metadata;
    const nameless = () => stored({ ...page('a'), metadata: anonymous });
    expect(findings([nameless()])).to.deep.equal(['object a']);
    expect(findings([nameless()], { kinds: [{ ...PAGE, served: false }] })).to.deep.equal([]);
    expect(findings([stored(page('a')), stored(page('b', {}, { uid: 'as' }))])).to.deep.equal(['unique b']);
  });

  it('finds values that must be unique', () => {
    const twice = () => [stored(page('a', { title: 'A' })), stored(page('b', { title: 'A' }))];
    expect(findings(twice())).to.deep.equal(['unique b']);
  });

  it('finds references to what is not there, and notes owners', () => {
    expect(findings([stored(page('a', { in: 'gone' }))])).to.deep.equal(['reference a']);
    expect(findings([stored(page('a', { next: 'gone' }))])).to.deep.equal(['reference a']);
    expect(findings([stored(page('a', {}, owned('gone')))])).to.deep.equal(['note owner a']);
  });

  it('finds integer ids that are missing, equal, or above their counter', () => {
    const numbered = (name: string, id: string) => stored(page(name, {}, { labels: { [LABEL]: id } }));
    const ids = (objects: readonly Stored[], counter: number) =>
      findings(objects, { kinds: [COUNTED], counters: { [PAGE.qualified]: counter } });
    expect(ids([numbered('a', '1'), numbered('b', '3'), numbered('c', '2')], 3)).to.deep.equal([]);
    expect(ids([numbered('d', '1'), numbered('e', '3'), numbered('f', '2')], 2)).to.include('counter');
    expect(ids([numbered('a', '1'), numbered('b', '1')], 3)).to.include('unique b');
    for (const id of ['0', '-1', 'x', '1.5']) expect(ids([numbered('a', id)], 3)).to.deep.equal(['counter a']);
    expect(ids([stored(page('a'))], 3)).to.deep.equal(['counter a']);
  });
});
