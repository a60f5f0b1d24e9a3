import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf } from './folders.js';

const { randomInt } = crypto;

oneStore('generated names', (server) => {
  const folders = foldersOf(server);
  const generated = { metadata: { generateName: 'drawn-' }, spec: { title: 'Drawn' } };

  /** Makes all generated names the same. */
  before(() => {
    Object.assign(crypto, { randomInt: () => 0 });
    syncBuiltinESMExports();
  });
  after(() => {
    Object.assign(crypto, { randomInt });
    syncBuiltinESMExports();
  });

  // Promise: contract 5.1
  it('that are all taken are 409 with retryAfterSeconds', async () => {
    const { name } = bodyOf(await folders.create(generated), 201).metadata;
    const refused = await folders.create(generated);
    const { reason, details } = bodyOf(refused, 409) as unknown as {
      readonly reason: string;
      readonly details: { readonly name: string; readonly retryAfterSeconds: number };
    };
    expect([reason, details.name]).to.deep.equal(['AlreadyExists', name]);
    expect(details.retryAfterSeconds).to.be.greaterThan(0);
  });
});
