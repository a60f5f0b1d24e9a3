import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { folder, foldersOf } from './folders.js';

oneStore('large input', (server) => {
  const folders = foldersOf(server);

  // Promise: contract 5.7
  it('gets warnings that clients accept as headers', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}`.padStart(200, 'x'), 1]));
    const sent = folder(freshName()) as { readonly spec: object };
    const { headers } = await folders.create({ ...sent, spec: { ...sent.spec, ...unknown } });
    const warnings = [headers['warning'] ?? []].flat();
    expect(warnings).to.have.length.within(6, 10);
    expect(warnings.join('').length).to.be.at.most(2048);
    expect(warnings.at(-1)).to.match(/^299 - "and \d+ more"$/);
  });

  it('of many unknown fields gets a short answer', async () => {
    const spec = { title: 'x', ...Object.fromEntries(Array.from({ length: 44_000 }, (_, i) => [`unknown${i}`, i])) };
    const body = { ...(folder(freshName()) as object), spec };
    const strict = await changingNothing(server(), () =>
      folders.create(body, { query: { fieldValidation: 'Strict' } }),
    );
    expect(expectStatus(strict, 400, 'BadRequest').message.length).to.be.below(10_000);
    const warned = await folders.create(body);
    bodyOf(warned, 201);
    expect(JSON.stringify(warned.headers).length).to.be.below(50_000);
  });

  it('of many invalid values gets a short answer', async () => {
    const metadata = { name: freshName(), finalizers: Array.from({ length: 1000 }, (_, i) => i) };
    const answer = await changingNothing(server(), () => folders.create({ metadata, spec: { title: 'x' } }));
    expectStatus(answer, 400, 'BadRequest', 'metadata.finalizers[0]');
    expect(answer.text.length).to.be.below(50_000);
  });

  it('with a field name of one megabyte gets a short answer', async () => {
    const body = { ...(folder(freshName()) as object), ['x'.repeat(1_000_000)]: 1 };
    const answer = await changingNothing(server(), () =>
      folders.create(body, { query: { fieldValidation: 'Strict' } }),
    );
    expectStatus(answer, 400, 'BadRequest', 'unknown field');
    expect(answer.text.length).to.be.below(20_000);
  });
});
