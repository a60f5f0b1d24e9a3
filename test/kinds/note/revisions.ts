import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../../harness/resource.js';
import { objectOf, type Subject } from '../suite/subject.js';

/** Tests lists and watches at earlier revisions, and after a restart. */
export function revisions(subject: Subject): void {
  const { resource, server, examples } = subject;
  const create = async (group: string) => {
    const object = objectOf(subject, examples.minimal, subject.name());
    const metadata = { ...object.metadata, labels: { group } };
    return bodyOf(await resource.create({ ...object, metadata }), 201);
  };
  const createMany = async (group: string, count: number) => {
    const created = [];
    for (let i = 0; i < count; i++) created.push(await create(group));
    return created;
  };
  const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }): string => metadata.name;

  describe('revisions', () => {
    it('can be listed exactly, or not older than a revision', async () => {
      const group = freshName('group');
      const [first, second] = await createMany(group, 2);
      const resourceVersion = first?.metadata.resourceVersion ?? '';
      const list = async (resourceVersionMatch: string) =>
        bodyOf(
          await resource.list({ query: { labelSelector: `group=${group}`, resourceVersion, resourceVersionMatch } }),
          200,
        );
      const exact = await list('Exact');
      expect(exact.metadata.resourceVersion).to.equal(resourceVersion);
      expect(exact.items).to.deep.equal([first]);
      expect((await list('NotOlderThan')).items).to.deep.equal([first, second]);
      const query = { labelSelector: `group=${group}`, resourceVersion: 0 };
      expect(bodyOf(await resource.list({ query }), 200).items).to.deep.equal([first, second]);
    });

    it('that are compacted answer 410, and a list can continue at the newest one', async () => {
      const group = freshName('group');
      const [first, second, third] = await createMany(group, 3);
      const query = { labelSelector: `group=${group}`, limit: 1 };
      const page = bodyOf(await resource.list({ query }), 200);
      const fourth = await create(group);
      await server().restart({ compact: true });
      const old = { resourceVersion: first?.metadata.resourceVersion ?? '', resourceVersionMatch: 'Exact' };
      expectStatus(await resource.list({ query: old }), 410, 'Expired');
      const token = page.metadata.continue ?? '';
      const refusal = expectStatus(await resource.list({ query: { ...query, continue: token } }), 410, 'Expired');
      const again = { ...query, limit: 10, continue: refusal.metadata.continue ?? '' };
      expect(bodyOf(await resource.list({ query: again }), 200).items.map(nameOf)).to.deep.equal(
        [second, third, fourth].map((one) => one?.metadata.name),
      );
    });

    it('can be the start of a watch, also after a restart', async () => {
      const group = freshName('group');
      const start = (await create(group)).metadata.resourceVersion ?? '';
      const created = await createMany(group, 2);
      await server().restart();
      created.push(await create(group));
      const frames = await resource.watch({ resourceVersion: start, labelSelector: `group=${group}` });
      const events = await frames.take(3);
      await frames.close();
      expect(events).to.deep.equal(created.map((object) => ({ type: 'ADDED', object })));
    });

    it('are sent in bookmarks, also at the end of the initial events', async () => {
      const group = freshName('group');
      const created = await createMany(group, 3);
      const frames = await resource.watch({
        labelSelector: `group=${group}`,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      });
      const events = await frames.until(({ type }) => type === 'BOOKMARK');
      const bookmark = events.at(-1)?.object;
      expect(events.slice(0, -1).map(({ object }) => object)).to.deep.equal(created);
      expect(bookmark?.metadata.annotations).to.include({ 'k8s.io/initial-events-end': 'true' });
      const last = Number(created.at(-1)?.metadata.resourceVersion);
      expect(Number(bookmark?.metadata.resourceVersion)).to.be.at.least(last);
      const next = await create(group);
      expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: next });
      server().clock.advance(61_000);
      const [later] = await frames.take(1);
      await frames.close();
      expect(later?.type).to.equal('BOOKMARK');
      expect(Number(later?.object.metadata.resourceVersion)).to.be.at.least(Number(next.metadata.resourceVersion));
    });
  });

  describe('a collection', () => {
    it('is deleted in pages', async () => {
      const group = freshName('group');
      await createMany(group, 5);
      const labelSelector = `group=${group}`;
      const deleted: string[] = [];
      let token = '';
      do {
        const query = { labelSelector, limit: 2, ...(token !== '' && { continue: token }) };
        const page = bodyOf(await resource.removeAll({ query }), 200);
        deleted.push(...page.items.map(nameOf));
        token = page.metadata.continue ?? '';
      } while (token !== '');
      expect(deleted).to.have.length(5);
      expect(bodyOf(await resource.list({ query: { labelSelector } }), 200).items).to.deep.equal([]);
    });

    it('generates different names for many concurrent creates', async () => {
      const object = objectOf(subject, examples.minimal, '');
      const metadata = { generateName: 'drawn-' };
      const answers = await Promise.all(Array.from({ length: 50 }, () => resource.create({ ...object, metadata })));
      const names = answers.map((answer) => bodyOf(answer, 201).metadata.name);
      expect(new Set(names).size).to.equal(50);
      for (const name of names) expect(name).to.match(/^drawn-/);
    });
  });
}
