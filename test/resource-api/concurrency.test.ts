import { expect } from 'chai';
import { bodyOf, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { folder, foldersOf, parentOf } from './folders.js';

const CLIENTS = 64;

eachStore('concurrent requests', (server) => {
  const folders = foldersOf(server);
  const each = <T>(work: (index: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: CLIENTS }, (_, index) => work(index)));

  it('create one object if 64 use the same name', async () => {
    const name = freshName();
    const answers = await each((index) => folders.create(folder(name, { title: `title ${index}` })));
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners).to.have.lengthOf(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.lengthOf(CLIENTS - 1);
    expect(await folders.read(name)).to.deep.equal(winners[0]?.json());
  });

  // Promise: contract 5.3
  it('apply all of 64 patches of one object', async () => {
    const name = freshName();
    await folders.make(name);
    const answers = await each((index) => folders.merge(name, { metadata: { labels: { [`l${index}`]: 'on' } } }));
    for (const answer of answers) bodyOf(answer, 200);
    const { labels } = (await folders.read(name)).metadata;
    for (let index = 0; index < CLIENTS; index++) expect(labels).to.have.property(`l${index}`, 'on');
  });

  it('apply one of 64 updates of one version', async () => {
    const old = await folders.make(freshName());
    const answers = await each((index) => folders.put(old.metadata.name, { ...old, spec: { title: `t${index}` } }));
    expect(answers.filter(({ status }) => status === 200)).to.have.lengthOf(1);
    expect(answers.filter(({ status }) => status === 412)).to.have.lengthOf(CLIENTS - 1);
  });

  it('give 64 objects 64 ids and 64 revisions', async () => {
    const answers = await each(() => folders.create(folder(freshName())));
    const bodies = answers.map((answer) => bodyOf(answer, 201).metadata);
    expect(new Set(bodies.map(({ labels }) => labels?.['svc.app/deprecatedInternalID'])).size).to.equal(CLIENTS);
    expect(new Set(bodies.map(({ resourceVersion }) => resourceVersion)).size).to.equal(CLIENTS);
  });

  it('never close a cycle by two moves', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [freshName(), freshName()];
      await folders.make(one);
      await folders.make(two);
      const answers = await Promise.all([folders.move(one, two), folders.move(two, one)]);
      expect(answers.map(({ status }) => status)).to.have.members([200, 400]);
      const parents = [parentOf(await folders.read(one)), parentOf(await folders.read(two))];
      expect(parents.filter((parent) => parent !== undefined)).to.have.lengthOf(1);
    }
  });

  it('leave no child without its parent, unless it waits, when one creates the child and one deletes the parent', async () => {
    for (let round = 0; round < 10; round++) {
      const [top, child] = [freshName(), freshName()];
      await folders.make(top);
      const work = [() => folders.create(folder(child, { parent: top })), () => folders.remove(top)];
      if (round % 2 === 1) work.reverse();
      await Promise.all(work.map((one) => one()));
      expect((await folders.get(top)).status).to.equal(404);
      const left = await folders.get(child);
      if (left.status !== 404) expect(left.text, 'no orphan').to.contain('ReferenceNotFound');
    }
  });

  it('delete an object once, and answer 404 to 63 of 64 deletions', async () => {
    const name = freshName();
    await folders.make(name);
    const statuses = (await each(() => folders.remove(name))).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: CLIENTS - 1 }, () => 404)]);
  });
});
