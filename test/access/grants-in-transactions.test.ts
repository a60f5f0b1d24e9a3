import { expect } from 'chai';
import { Client } from '../../registry/client/client.js';
import type { ClientTransaction } from '../../registry/client/transaction.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, person } from './people.js';

oneStore('grants inside a transaction', (server) => {
  const kind = (name: KindName) => server().api.registry.compiled.get(name);
  const subject = { kind: 'User', name: 'norm' } as const;

  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
  });

  /** Gives norm this level on the folder, and then renames the folder as norm. */
  const renameAfter = (level: string) => (transaction: ClientTransaction) => {
    const spec = { subject, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder: 'box' } };
    transaction.objects(kind('iam/RoleBinding'), 'default').create({ metadata: { name: 'box.user.norm' }, spec });
    const folders = transaction
      .as({ user: person('norm') })
      .objects<{ title: string }>(kind('folder/Folder'), 'default');
    return folders.update('box', (old) => ({ ...old, spec: { title: `renamed with ${level}` } })).spec?.title;
  };

  it('apply to the writes after them, and are forgotten when the transaction is rolled back', async () => {
    const { registry } = server().api;
    const dry = new Client(registry, { user: ADMIN, isDryRun: true });
    expect(await dry.transact(renameAfter('Edit'))).to.equal('renamed with Edit');
    // The binding of this transaction has the name and the revision of the binding that was rolled back.
    const client = new Client(registry, { user: ADMIN });
    const refused = await client.transact(renameAfter('View')).catch((error: { code: number }) => error.code);
    expect(refused).to.equal(403);
    expect(await client.transact(renameAfter('Edit'))).to.equal('renamed with Edit');
  });
});
