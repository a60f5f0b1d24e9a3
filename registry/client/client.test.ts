import { expect } from 'chai';
import type { ChangedObject } from '../../pkg/http/audit/notes.js';
import { applyAll } from '../applyset/testing/sets.js';
import { restore } from '../history/restore.js';
import { tree } from '../history/testing/tree.js';
import { inWorld, refusal, type World } from '../testing/world.js';
import { Client } from './client.js';

const TELLS = {
  kinds: {
    book: {
      reports: {
        written: ({
          verb,
          object,
        }: {
          readonly verb: string;
          readonly object: { readonly metadata: { name: string } };
        }) => ({
          reason: verb,
          type: 'Normal' as const,
          message: object.metadata.name,
        }),
      },
    },
  },
};
const toldIn = ({ told }: World): readonly string[] => told.map(({ reason, message }) => `${reason} ${message}`);

describe('a client', () => {
  it(
    'tells people what a set of objects changed, and not what it would change',
    inWorld(async (world) => {
      const { kinds, names } = world;
      const dry = { client: world.with({ fieldManager: 'me', isDryRun: true }) };
      await applyAll(world, [[kinds.book, 'a']], dry);
      expect([toldIn(world), await names(kinds.book)]).to.deep.equal([[], []]);
      await applyAll(world, [[kinds.book, 'a']]);
      expect(toldIn(world)).to.deep.equal(['create a']);
    }, TELLS),
  );

  it(
    'says that there are no apply sets if the registry has none',
    inWorld(async (world) => {
      const client = new Client({ ...world.registry, applySets: undefined }, world.admin.options);
      const failure = await applyAll(world, [], { client }).catch((error: Error) => error.message);
      expect(failure).to.equal('there are no apply sets');
    }),
  );

  it(
    'reads an object in a transaction for those who may use a part of it, and 404 if there is none',
    inWorld(async ({ kinds, put, admin, as }) => {
      await put(kinds.book, 'a', { x: '1' });
      const status = { name: 'status', verb: 'update' } as const;
      const read = (client: Client, name: string) =>
        client.transact((transaction) => transaction.getFor(kinds.book, 'default', name, status).spec);
      expect(await read(admin, 'a')).to.deep.equal({ x: '1' });
      expect(await refusal(read(admin, 'none'))).to.match(/^404 NotFound .*"none"/);
      expect(await refusal(read(as(), 'a'))).to.match(/^403/);
    }),
  );

  it(
    'tells the audit log of the object that came back, and not of what came back with it',
    inWorld(async (world) => {
      const { kinds, admin } = world;
      await tree(world);
      const audited: string[] = [];
      const note = (changes: readonly ChangedObject[]) =>
        void audited.push(...changes.map(({ verb, kind, metadata }) => `${verb} ${kind.resource} ${metadata.name}`));
      const client = world.with({ audit: { changed: note } });
      await admin.delete(kinds.shelf, 'default', 'top');
      await restore(client, { kind: kinds.shelf, namespace: 'default', name: 'top' });
      expect(audited).to.deep.equal(['create shelves top']);
    }),
  );
});
