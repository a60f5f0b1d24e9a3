import { expect } from 'chai';
import type { Body } from '../../harness/body.js';
import { bodyOf, expectStatus, freshName } from '../../harness/resource.js';
import { objectOf, type Subject, specOf } from './subject.js';

export function listing(subject: Subject): void {
  const { resource, examples, kind } = subject;
  const createIn = async (group: string, count: number): Promise<readonly Body[]> => {
    const created: Body[] = [];
    for (let i = 0; i < count; i++) {
      const object = objectOf(subject, examples.minimal, subject.name());
      const labels = { group, index: String(i) };
      created.push(bodyOf(await resource.create({ ...object, metadata: { ...object.metadata, labels } }), 201));
    }
    return created;
  };
  const namesOf = (list: Body): readonly string[] => list.items.map(({ metadata }) => metadata.name);

  describe('list', () => {
    // Promise: contract 2, contract 3.1
    it('contains the same objects as GET, and a revision that is not older than any of them', async () => {
      const group = freshName('group');
      const created = await createIn(group, 3);
      const list = bodyOf(await resource.list({ query: { labelSelector: `group=${group}` } }), 200);
      expect(list).to.include({ kind: `${kind.kind}List`, apiVersion: kind.apiVersion });
      expect(list.items).to.have.deep.members([...created]);
      for (const item of list.items) {
        expect(Number(list.metadata.resourceVersion)).to.be.at.least(Number(item.metadata.resourceVersion));
      }
    });

    // Promise: contract 2
    it('has an empty array of items when nothing is selected', async () => {
      const list = await resource.list({ query: { labelSelector: 'group=nobody' } });
      expect(bodyOf(list, 200).items).to.deep.equal([]);
    });

    // Promise: contract 3.4
    it('selects by labels', async () => {
      const group = freshName('group');
      const [first, second, third] = (await createIn(group, 3)).map(({ metadata }) => metadata.name);
      const cases: readonly (readonly [string, readonly unknown[]])[] = [
        ['index=1', [second]],
        ['index!=1', [first, third]],
        ['index in (0,2)', [first, third]],
        ['index notin (0,2)', [second]],
        ['index>0', [second, third]],
        ['index<1', [first]],
        ['!index', []],
        ['index', [first, second, third]],
        ['index==0,index=2', []],
      ];
      for (const [selector, expected] of cases) {
        const query = { labelSelector: `group=${group},${selector}` };
        expect(namesOf(bodyOf(await resource.list({ query }), 200)), selector).to.have.members([...expected]);
      }
    });

    // Promise: contract 3.4
    it('selects by the fields that every kind has, and by the declared fields of the kind', async () => {
      const group = freshName('group');
      const [first, second] = await createIn(group, 2);
      const name = first?.metadata.name ?? '';
      const list = async (fieldSelector: string) =>
        namesOf(bodyOf(await resource.list({ query: { labelSelector: `group=${group}`, fieldSelector } }), 200));
      expect(await list(`metadata.name=${name}`)).to.deep.equal([name]);
      expect(await list(`metadata.name!=${name}`)).to.deep.equal([second?.metadata.name]);
      for (const field of Object.keys(kind.selectableFields ?? {})) {
        const value = kind.selectableFields?.[field]?.(first as never) ?? '';
        expect(await list(`${field}=${value.replace(/[\\,=]/g, '\\$&')}`), field).to.include(name);
      }
      const wrong = await resource.list({ query: { fieldSelector: 'spec.nowhere=1' } });
      expectStatus(wrong, 400, 'BadRequest', 'field label not supported: spec.nowhere');
    });

    // Promise: contract 3.3
    it('in pages is the state at the first page, whatever changes meanwhile', async () => {
      const group = freshName('group');
      const created = await createIn(group, 7);
      const query = { labelSelector: `group=${group}`, limit: 3 };
      const first = bodyOf(await resource.list({ query }), 200);
      await createIn(group, 2);
      bodyOf(await resource.remove(created[6]?.metadata.name ?? ''), 200);
      const sixth = created[5]?.metadata.name ?? '';
      bodyOf(await resource.merge(sixth, { spec: specOf(examples.changed, sixth) }), 200);
      const items = [...first.items];
      for (let token = first.metadata.continue; token !== undefined; ) {
        const page = bodyOf(await resource.list({ query: { ...query, continue: token } }), 200);
        expect(page.metadata.resourceVersion).to.equal(first.metadata.resourceVersion);
        items.push(...page.items);
        token = page.metadata.continue;
      }
      expect(items).to.deep.equal([...created].sort(byName));
    });

    // Promise: contract 3.3
    it('has remainingItemCount only without selector', async () => {
      await createIn(freshName('group'), 3);
      const total = bodyOf(await resource.list(), 200).items.length;
      const page = bodyOf(await resource.list({ query: { limit: 2 } }), 200);
      expect(page.metadata.remainingItemCount).to.equal(total - 2);
      const selected = bodyOf(await resource.list({ query: { limit: 1, labelSelector: 'group' } }), 200);
      expect(selected.metadata.continue).to.be.a('string');
      expect(selected.metadata).to.not.have.property('remainingItemCount');
    });
  });
}

function byName(a: Body, b: Body): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
